"""The contract of make_randomized_response_column."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import ln
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

HAMMING = dp.hamming_distance()
CATEGORIES: list[tuple[Any, list[Any]]] = [
    (dp.atom_domain(T=str), ["a", "b", ""]),
    (dp.atom_domain(T=int), [0, 1, 10**40, -1]),
    (dp.atom_domain(T="u8"), [0, 255]),
    (dp.atom_domain(bounds=(0, 3)), [1, 2, 7]),
    (dp.atom_domain(T=bool), [False, True]),
]


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, Any]:
    atom, categories = draw(st.sampled_from(CATEGORIES))
    size = draw(st.none() | st.integers(0, 4))
    least = Fraction(1, len(categories))
    return {
        "input_domain": dp.vector_domain(atom, size=size),
        "input_metric": HAMMING,
        "categories": categories,
        "prob": draw(st.sampled_from([least, 1, 0.75]) | st.fractions(least, 1)),
    }


def on(
    T: Any, categories: Any, prob: Any = 0.75, size: int | None = None
) -> dict[str, Any]:
    return {
        "input_domain": dp.vector_domain(dp.atom_domain(T=T), size=size),
        "input_metric": HAMMING,
        "categories": categories,
        "prob": prob,
    }


AB = on(str, ["a", "b"])
OPTIONAL = dp.vector_domain(dp.option_domain(dp.atom_domain(T=str)))
REFUSALS: list[Any] = [
    (given, "MakeMeasurement", words)
    for given, words in [
        (on(str, ["a"]), ["categories", "at least two"]),
        (on(str, ["a", "a"]), ["categories", "all different"]),
        (on(str, ["a", "b"], 0.4), ["prob=0.4", "at least 1/2"]),
        (on(str, ["a", "b"], 1.5), ["prob=1.5", "at most 1"]),
        (on(str, ["a", "b"], math.nan), ["prob=nan", "finite"]),
        (on(int, ["a", "b"]), ["input_domain", "type of the categories"]),
        (on(bool, [0, 1]), ["input_domain", "type of the categories"]),
        (on(float, [0, 1]), ["input_domain", "type of the categories"]),
        ({**AB, "input_domain": OPTIONAL}, ["input_domain", "vector_domain"]),
        ({**AB, "input_domain": dp.atom_domain(T=str)}, ["input_domain", "vector_d"]),
        ({**AB, "input_domain": None}, ["input_domain=None", "vector_domain"]),
        ({**AB, "input_metric": None}, ["input_metric=None", "hamming_distance()"]),
        (
            {**AB, "input_metric": dp.change_one_distance()},
            ["input_metric", "order of the rows", "hamming_distance()"],
        ),
        (
            {**AB, "input_metric": dp.symmetric_distance()},
            ["input_metric", "order of the rows"],
        ),
    ]
]
CERTIFICATES: list[Any] = [
    (on(int, [0, 1]), [0, 1], [1, 1], 8),
    (on(int, [0, 1]), [0, 1], [1, 0], 8),
    (on(int, [0, 1]), [0, 1], [5, 0], 8),
    (on(bool, [True, False], 0.875), [True, False, True], [True, True, True], 9),
    (on(str, ["a", "b", "c"], 0.5), ["a", "b"], ["c", "b"], 8),
    (on(int, [0, 1], size=2), [0, 1], [1, 0], 8),
    (on(int, [0, 1]), [0, 1], [0, 1], 8),
]
LIMITS: list[Any] = [
    (on(str, ["a", "b"], 1), ["b", "a", "b"], ["b", "a", "b"]),
    (on(str, ["a", "b"], "0.6"), [], []),
]
MAP_VALUES: list[Any] = [
    (on(int, [0, 1]), 1, lambda bits: ln(mpq(3), bits)),
    (on(int, [0, 1]), 7, lambda bits: 7 * ln(mpq(3), bits)),
    (on(int, [0, 1], size=5), 7, lambda bits: 5 * ln(mpq(3), bits)),
    (on(int, [0, 1], size=5), math.inf, lambda bits: 5 * ln(mpq(3), bits)),
    (on(int, [0, 1], size=0), 3, 0),
    (on(int, [0, 1], 0.5), 7, 0),
    # The length of a column is not hidden, even where every answer is a fair coin.
    (on(int, [0, 1], 0.5), math.inf, math.inf),
    (on(int, [0, 1], 0.5, size=5), math.inf, 0),
    (on(int, [0, 1], 1), 1, math.inf),
]

CONTRACTS = [
    Contract(
        dp.m.make_randomized_response_column,
        arguments(),
        REFUSALS,
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=MAP_VALUES,
        examples=60,
    )
]


# What stays: both rows changed, what is no category, three rows, three categories.
LONG = [CERTIFICATES[i] for i in (0, 5, 6)]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG, one_in=2))
