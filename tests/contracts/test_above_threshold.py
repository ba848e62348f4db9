"""The contracts of make_above_threshold and make_sparse_vector."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

ATOMS: list[tuple[Any, Any]] = [
    (dp.atom_domain(T=int), int),
    (dp.atom_domain(T="u8"), int),
    (dp.atom_domain(T=float, nan=False), float),
    (dp.atom_domain(T="f32", nan=False), float),
    (dp.atom_domain(T=Fraction), Fraction),
]
PURE = dp.max_divergence()
SCALES = st.one_of(
    st.sampled_from([0, 1, 0.1, "1/3", Decimal("2.5"), 10**9, 1e-9, 1e300, 1e-300]),
    st.fractions(0, 100),
    st.floats(0, 100),
)
THRESHOLDS = st.one_of(
    st.sampled_from([0, -1, 0.1, "1/3", Decimal("2.5"), 1e300, -(10**400)]),
    st.fractions(-100, 100),
)


@st.composite
def searches(draw: st.DrawFn, ks: Any = None) -> dict[str, Any]:
    atom, T = draw(st.sampled_from(ATOMS))
    return {
        "input_domain": dp.vector_domain(atom, size=draw(st.none() | st.just(3))),
        "input_metric": dp.linf_distance(T=T, monotonic=draw(st.booleans())),
        "output_measure": PURE,
        "threshold": draw(THRESHOLDS),
        "scale": draw(SCALES),
        **({} if ks is None else {"k": draw(ks)}),
    }


def on(
    domain: Any,
    metric: Any,
    measure: Any = PURE,
    threshold: Any = 0,
    scale: Any = 1,
    **more: Any,
) -> dict[str, Any]:
    return {
        "input_domain": domain,
        "input_metric": metric,
        "output_measure": measure,
        "threshold": threshold,
        "scale": scale,
        **more,
    }


INTEGERS = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
MONOTONIC = INTEGERS[0], dp.linf_distance(T=int, monotonic=True)
FLOATS = (
    dp.vector_domain(dp.atom_domain(T=float, nan=False)),
    dp.linf_distance(T=float),
)
FRACTIONS = dp.vector_domain(dp.atom_domain(T=Fraction)), dp.linf_distance(T=Fraction)
NAN = dp.vector_domain(dp.atom_domain(T=float))
TEXT = dp.vector_domain(dp.atom_domain(T=str))


def refusals(**more: Any) -> list[Any]:
    return [
        ({**arguments, **more}, "MakeMeasurement", words)
        for arguments, words in [
            (on(*INTEGERS, scale=-1), ["scale", "-1", "at least 0", "scale=1.0"]),
            (on(*INTEGERS, scale=math.nan), ["scale", "nan", "finite"]),
            (on(*INTEGERS, scale=math.inf), ["scale", "inf", "finite"]),
            (on(*INTEGERS, scale=None), ["scale", "None", "number"]),
            (on(*INTEGERS, threshold=math.nan), ["threshold", "nan", "finite"]),
            (on(*INTEGERS, threshold=-math.inf), ["threshold", "inf", "finite"]),
            (on(*INTEGERS, threshold="abc"), ["threshold", "'abc'", "such as"]),
            (on(*INTEGERS, threshold=True), ["threshold", "True", "such as"]),
            (on(None, INTEGERS[1]), ["input_domain=None", "vector_domain"]),
            (on(dp.atom_domain(T=int), INTEGERS[1]), ["input_domain", "vector_domain"]),
            (on(TEXT, INTEGERS[1]), ["input_domain", "Fraction"]),
            (on(NAN, FLOATS[1]), ["input_domain", "NaN", "nan=False"]),
            (on(INTEGERS[0], None), ["input_metric=None", "LInfDistance"]),
            (on(INTEGERS[0], dp.l1_distance(T=int)), ["input_metric", "LInfDistance"]),
            (on(*INTEGERS, None), ["output_measure=None", "MaxDivergence"]),
            (
                on(*INTEGERS, dp.zero_concentrated_divergence()),
                ["output_measure", "max_divergence()"],
            ),
            (on(*INTEGERS, dp.approximate(PURE)), ["output_measure", "MaxDivergence"]),
        ]
    ]


K_REFUSALS: list[Any] = [
    (on(*INTEGERS, k=0), "MakeMeasurement", ["k=0", "at least 1", "k=3"]),
    (on(*INTEGERS, k=1.5), "MakeMeasurement", ["k=1.5", "integer"]),
    (on(*INTEGERS, k=None), "MakeMeasurement", ["k=None", "number"]),
    (on(*INTEGERS, k=math.inf), "MakeMeasurement", ["k=inf", "finite"]),
]

# Two noisy numbers are compared, so the trees are thick, and what is certified here is
# a delta of at most 1/100; to 1/1000 in
# tests/measurements/selection/test_above_threshold.py.
THICK = mpq(1, 100)
THIRD = Fraction(1, 3)
CERTIFICATES: list[Any] = [
    (on(*INTEGERS, scale=2), [0, 0], [1, -1], 22),
    (on(*INTEGERS, threshold="5/2"), [2, 3], [3, 2], 22),
    (on(*MONOTONIC, scale="1/2"), [0, 0], [1, 0], 20),
    (on(*FLOATS, scale=0.5), [0.1], [0.0], 22),
    (on(*FLOATS, scale=2), [-math.inf, 0.5, math.inf], [-math.inf, -0.5, math.inf], 22),
    (on(*FRACTIONS, threshold="1/7"), [THIRD], [0], 22),
]
K_CERTIFICATES: list[Any] = [
    (on(*INTEGERS, scale=2, k=2), [0, 0], [1, -1], 22),
    (on(*MONOTONIC, scale=1, k=4), [1, 0, 1], [0, 0, 0], 24),
    (on(*FLOATS, scale=3, k=3), [0.5, math.inf], [-0.5, math.inf], 22),
    (on(*FRACTIONS, threshold="1/7", k=1), [THIRD], [0], 22),
]
ROWS: list[Any] = [
    (INTEGERS, {"scale": 0, "threshold": "5/2"}, [1, 2, 3, 10**40], [2, 3]),
    (INTEGERS, {"scale": 0, "threshold": 3}, [3, 2, 3], [0, 2]),
    (INTEGERS, {"scale": 0, "threshold": 4}, [3, 2, 3], []),
    (INTEGERS, {"scale": 5}, [], []),
    (INTEGERS, {"scale": 5}, [-(10**400), 10**400], [1]),
    (FLOATS, {"scale": 3, "threshold": 1e300}, [-1e308, math.inf], [1]),
    (FLOATS, {"scale": 3}, [-math.inf, math.inf, -math.inf], [1]),
    (FLOATS, {"scale": 0, "threshold": 0.1}, [0.0, 0.1, math.inf, 0.05], [1, 2]),
    (FRACTIONS, {"scale": 0, "threshold": "1/3"}, [0, THIRD, Fraction(1, 4)], [1]),
]
LIMITS = [(on(*s, **more), x, i[0] if i else None) for s, more, x, i in ROWS]
K_LIMITS = [(on(*s, **more, k=2), x, i) for s, more, x, i in ROWS]

CONTRACTS = [
    Contract(
        dp.m.make_above_threshold,
        searches(),
        refusals(),
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=[
            (on(*INTEGERS, scale="1/3"), 2, 18),
            (on(*MONOTONIC, scale="1/3"), 2, 12),
            (on(*INTEGERS, scale=0), 1, math.inf),
            (on(*INTEGERS, scale=0), 0, 0),
            (on(*FLOATS, scale=3), 0.5, mpq(1, 2)),
        ],
        examples=40,
        arrays=False,  # None is a release; make_sparse_vector is tried with arrays
        runs=3000,
        cap=THICK,
    ),
    Contract(
        dp.m.make_sparse_vector,
        searches(st.sampled_from([1, 2, 3, 10, 4.0, 10**30])),
        refusals(k=2) + K_REFUSALS,
        certificates=K_CERTIFICATES,
        limits=K_LIMITS,
        map_values=[
            (on(*INTEGERS, scale="1/3", k=1), 2, 18),
            (on(*INTEGERS, scale=1, k=4), 1, 10),
            (on(*MONOTONIC, scale=1, k=4), 1, 6),
            (on(*MONOTONIC, scale=1, k=1000), 1, 1010),
            (on(*INTEGERS, scale=0, k=2), 1, math.inf),
            (on(*INTEGERS, scale=0, k=2), 0, 0),
        ],
        examples=40,
        runs=3000,
        cap=THICK,
    ),
]


# What stays: answers that only grow, infinite floats, several that are found, and a
# threshold that is a fraction.
LONG = [*CERTIFICATES[:2], CERTIFICATES[3], CERTIFICATES[5], *K_CERTIFICATES[:3:2]]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG, depth=18))
