"""The contracts of make_quantile_score_candidates and make_private_quantile."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

METRICS = [
    dp.symmetric_distance(),
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]
ROWS: list[tuple[Any, list[Any]]] = [
    (dp.atom_domain(T=int), [[0], [-3, 0, 5], (1, 2), np.array([-1, 7]), [0, 10**30]]),
    (dp.atom_domain(T="u8"), [[-1, 3, 300], [0, 1, 2]]),
    (dp.atom_domain(bounds=(0, 9)), [[2, 4, 6]]),
    (
        dp.atom_domain(T=float, nan=False),
        [[0.0], [-1.5, 0, 2.5], [-math.inf, 0.1, math.inf], np.array([0.25, 1e300])],
    ),
    (dp.atom_domain(T="f32", nan=False), [[0.1, 0.5]]),
    (dp.atom_domain(T=Fraction), [[Fraction(1, 3), 1], [0]]),
]
ALPHAS = [0, 1, 0.5, 0.1, "1/3", Fraction(2, 7), Decimal("0.95"), 1e-9]
PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()


@st.composite
def scorings(draw: st.DrawFn) -> dict[str, Any]:
    atom, candidates = draw(st.sampled_from(ROWS))
    size = draw(st.sampled_from([None, None, 0, 1, 4]))
    return {
        "input_domain": dp.vector_domain(atom, size),
        "input_metric": draw(st.sampled_from(METRICS)),
        "candidates": draw(st.sampled_from(candidates)),
        "alpha": draw(st.sampled_from(ALPHAS)),
    }


@st.composite
def quantiles(draw: st.DrawFn) -> dict[str, Any]:
    return {
        **draw(scorings()),
        "output_measure": draw(st.sampled_from([PURE, CONCENTRATED])),
        "scale": draw(st.sampled_from([0, 1, 0.1, "1/3", 1e9, 1e-300])),
    }


INTEGERS = dp.vector_domain(dp.atom_domain(T=int))
SIZED = dp.vector_domain(dp.atom_domain(T=int), 3)
FLOATS = dp.vector_domain(dp.atom_domain(T=float, nan=False))


def scoring(domain: Any = INTEGERS, metric: Any = METRICS[0], **more: Any) -> Any:
    given = {"input_domain": domain, "input_metric": metric}
    return {**given, "candidates": [0, 10, 20], "alpha": 0.5, **more}


def quantile(*space: Any, **more: Any) -> Any:
    return scoring(*space, **{"output_measure": PURE, "scale": 1, **more})


WRONG: list[Any] = [
    ({"candidates": []}, ["candidates", "at least one"]),
    ({"candidates": np.zeros((2, 2), int)}, ["candidates", "type int"]),
    ({"candidates": np.zeros(0)}, ["candidates", "at least one"]),
    ({"candidates": [1, 1]}, ["candidates", "(1, 1)", "strictly increasing"]),
    ({"candidates": [3, 1]}, ["candidates", "strictly increasing"]),
    ({"candidates": [1.5, 2.5]}, ["candidates", "type int"]),
    ({"candidates": [1, None]}, ["candidates", "type int"]),
    ({"candidates": [False, True]}, ["candidates", "type int"]),
    ({"candidates": "abc"}, ["candidates", "'abc'", "list"]),
    ({"candidates": None}, ["candidates", "None", "list"]),
    ({"candidates": 7}, ["candidates", "7", "list"]),
    (
        {"input_domain": FLOATS, "candidates": [0.0, math.nan]},
        ["candidates", "not NaN"],
    ),
    ({"alpha": -0.1}, ["alpha", "-0.1", "at least 0", "median"]),
    ({"alpha": 1.5}, ["alpha", "1.5", "at most 1"]),
    ({"alpha": math.nan}, ["alpha", "nan", "finite"]),
    ({"alpha": "x"}, ["alpha", "'x'"]),
    ({"alpha": None}, ["alpha", "None", "number"]),
    ({"input_domain": dp.atom_domain(T=int)}, ["input_domain", "VectorDomain"]),
    (
        {"input_domain": dp.vector_domain(dp.atom_domain(T=str))},
        ["input_domain", "numbers"],
    ),
    (
        {"input_domain": dp.vector_domain(dp.atom_domain(T=float))},
        ["input_domain", "NaN"],
    ),
    ({"input_metric": dp.l1_distance(T=int)}, ["input_metric", "SymmetricDistance"]),
]
WRONG_SELECTION: list[Any] = [
    ({"scale": -1}, ["scale", "-1", "at least 0", "such as scale=1.0"]),
    ({"scale": math.inf}, ["scale", "inf", "finite"]),
    ({"scale": math.nan}, ["scale", "nan", "finite"]),
    ({"scale": None}, ["scale", "None", "number"]),
    ({"output_measure": None}, ["output_measure=None", "MaxDivergence"]),
    ({"output_measure": dp.approximate(PURE)}, ["output_measure", "ZeroConcentrated"]),
]
TINY = {"candidates": [0, 1]}
CERTIFICATES: list[Any] = [
    (quantile(**TINY), [0, 1], [0, 1, 1], 18),
    (quantile(**TINY, alpha=0), [], [0], 18),
    (quantile(**TINY, alpha=1), [1, 1], [1], 18),
    (quantile(**TINY, alpha=0, output_measure=CONCENTRATED), [0, 1], [0, 0], 20),
    (quantile(alpha="1/4", scale=2), [5, 5, 15], [5, 5, 15, 15], 20),
    (quantile(SIZED), [0, 5, 15], [0, 15, 15], 20),
    (quantile(SIZED, METRICS[2]), [0, 5, 15], [0, 25, 15], 20),
    (quantile(output_measure=CONCENTRATED), [5, 5, 15], [5, 15], 20),
]
LIMITS: list[Any] = [
    (quantile(scale=0, output_measure=measure, **more), data, released)  # type: ignore[arg-type]
    for measure in (PURE, CONCENTRATED)
    for more, data, released in [
        ({}, [1, 2, 11, 12], 10),
        ({"alpha": 1}, [9, 15], 20),
        ({"alpha": "1/4"}, [-5, 1, 2, 11], 0),
        ({"candidates": [7]}, [], 7),
    ]
]

CONTRACTS = [
    Contract(
        dp.t.make_quantile_score_candidates,
        scorings(),
        [(scoring(**more), "MakeTransformation", words) for more, words in WRONG],
        map_values=[
            (scoring(), 3, 3),
            (scoring(alpha=0.1), 3, 27),
            (scoring(alpha=0), 3, 3),
            (scoring(SIZED, alpha=0.1), 3, 10),
            (scoring(SIZED, alpha=0.1), 1, 0),
            (scoring(SIZED, alpha=0.1), math.inf, 30),
            (scoring(SIZED, METRICS[2], alpha=0.1), 2, 20),
            (scoring(INTEGERS, METRICS[3], alpha=0.1), 2, 20),
            (scoring(), math.inf, math.inf),
        ],
        examples=60,
    ),
    Contract(
        dp.m.make_private_quantile,
        quantiles(),
        [(quantile(**more), "MakeTransformation", words) for more, words in WRONG]
        + [
            (quantile(**more), "MakeMeasurement", words)
            for more, words in WRONG_SELECTION
        ],
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=[
            (quantile(), 3, 3),
            (quantile(alpha=0.1, scale=3), 5, 3),
            (quantile(alpha=0, scale=3), 5, mpq(5, 3)),
            (quantile(alpha=1, scale=3), 5, mpq(5, 3)),
            (quantile(SIZED, alpha=0.1, scale=3), 5, mpq(4, 3)),
            (quantile(SIZED, METRICS[2], alpha=1, scale=3), 2, mpq(2, 3)),
            (quantile(output_measure=CONCENTRATED), 4, 2),
            (quantile(scale=0), 1, math.inf),
        ],
        examples=40,
        runs=20_000,
    ),
]


# What stays: every alpha, no rows, a known size with rows that change, either measure.
LONG = [CERTIFICATES[0], CERTIFICATES[5]]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG, depth=18, one_in=2))
