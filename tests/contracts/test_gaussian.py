"""The contract of make_gaussian."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract

NUMBERS: list[tuple[Any, Any]] = [
    (dp.atom_domain(T=int), int),
    (dp.atom_domain(T="u8"), int),
    (dp.atom_domain(bounds=(-3, 10)), int),
    (dp.atom_domain(T=float, nan=False), float),
    (dp.atom_domain(T="f32", nan=False), float),
    (dp.atom_domain(bounds=(-1.0, math.inf)), float),
    (dp.atom_domain(T=Fraction), Fraction),
]
SCALES = st.one_of(
    st.sampled_from([0, 1, 0.1, "1/3", Decimal("2.5"), 10**9, 1e-9, Fraction(7, 2)]),
    st.fractions(0, 100),
    st.floats(0, 100),
)
MEASURES = st.sampled_from(
    [
        "ZeroConcentratedDivergence",
        dp.ZeroConcentratedDivergence,
        dp.zero_concentrated_divergence(),
    ]
)


def exponents(T: Any) -> Any:
    return st.none() | st.integers(0 if T is int else -20, 20)


@st.composite
def scalars(draw: st.DrawFn) -> dict[str, Any]:
    domain, T = draw(st.sampled_from(NUMBERS))
    return {
        "input_domain": domain,
        "input_metric": dp.absolute_distance(T=T),
        "scale": draw(SCALES),
        "k": draw(exponents(T)),
        "MO": draw(MEASURES),
    }


@st.composite
def vectors(draw: st.DrawFn) -> dict[str, Any]:
    atom, T = draw(st.sampled_from(NUMBERS))
    size = draw(st.none() | st.integers(0, 4))
    return {
        "input_domain": dp.vector_domain(atom, size=size),
        "input_metric": dp.l2_distance(T=T),
        "scale": draw(SCALES),
        # A vector of unknown size may not be rounded.
        "k": None if size is None else draw(exponents(T)),
    }


def on(domain: Any, metric: Any, scale: Any = 1, **more: Any) -> dict[str, Any]:
    return {"input_domain": domain, "input_metric": metric, "scale": scale, **more}


INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
LISTS = dp.vector_domain(INTEGERS[0]), dp.l2_distance(T=int)
FLOAT_LISTS = dp.vector_domain(FLOATS[0]), dp.l2_distance(T=float)
PAIRS = dp.vector_domain(FLOATS[0], size=2), dp.l2_distance(T=float)

REFUSALS: list[Any] = [
    (arguments, "MakeMeasurement", words)
    for arguments, words in [
        (on(*INTEGERS, scale=-1), ["scale", "-1", "at least 0", "such as scale=1.0"]),
        (on(*INTEGERS, scale=math.nan), ["scale", "nan", "finite"]),
        (on(*INTEGERS, scale=math.inf), ["scale", "inf", "finite"]),
        (on(*INTEGERS, scale="abc"), ["scale", "'abc'", "such as"]),
        (on(*INTEGERS, scale=None), ["scale", "None", "number"]),
        (on(*INTEGERS, scale=True), ["scale", "True", "number"]),
        (on(*INTEGERS, k=-1), ["k=-1", "at least 0 on integers", "Leave k out"]),
        (on(*FLOATS, k=0.5), ["k=0.5", "integer", "Leave k out"]),
        (on(*FLOATS, k=10**9), ["k=1000000000", "at most", "Leave k out"]),
        (on(*FLOAT_LISTS, k=0), ["k=0", "unknown size", "size=n"]),
        (on(*LISTS, k=1), ["k=1", "unknown size", "size=n"]),
        (on(*INTEGERS, MO="RenyiDivergence"), ["MO", "Zero", "Leave MO out"]),
        (on(None, INTEGERS[1]), ["input_domain=None", "int, float or Fraction"]),
        (on(dp.atom_domain(T=str), INTEGERS[1]), ["input_domain", "Fraction"]),
        (on(dp.atom_domain(T=float), FLOATS[1]), ["input_domain", "NaN", "nan=False"]),
        (on(INTEGERS[0], None), ["input_metric=None", "AbsoluteDistance"]),
        (on(INTEGERS[0], LISTS[1]), ["input_metric", "AbsoluteDistance"]),
        (on(LISTS[0], INTEGERS[1]), ["input_metric", "L2Distance"]),
        (on(LISTS[0], dp.l1_distance(T=int)), ["input_metric", "L2Distance"]),
        (on(LISTS[0], dp.symmetric_distance()), ["input_metric", "L2Distance"]),
    ]
]

# Almost every sum of these saturates, so that doubles can be enumerated. The tree of a
# discrete Gaussian draw is thick, because trials are repeated: its law is certified
# trial by trial, in tests/sampling/test_discrete_gaussian.py.
CERTIFICATES: list[Any] = [
    (on(*FLOATS, scale=10**320), -1e308, 1e308, 30),
    (on(*FLOATS, scale=10**320), 0.0, 1e300, 30),
    (on(*FRACTIONS, scale=10**320), Fraction(10**308), Fraction(1, 3), 30),
]
LARGEST = 1.7976931348623157e308
LIMITS: list[Any] = [
    (on(*INTEGERS, scale=0), 10**40, 10**40),
    (on(*INTEGERS, scale=0, k=2), -6, -4),
    (on(*FLOATS, scale=0), -0.0, 0.0),
    (on(*FLOATS, scale=0), 7, 7.0),
    (on(*FLOATS, scale=0, k=0), 2.5, 3.0),
    (on(*FLOATS, scale=3), math.inf, math.inf),
    (on(*FLOATS, scale=3, k=0), -math.inf, -math.inf),
    (on(*FRACTIONS, scale=0), Fraction(1, 3), 1 / 3),
    (on(*FRACTIONS, scale=3), Fraction(10**400), LARGEST),
    (on(*FRACTIONS, scale=0, k=-1), Fraction(1, 4), 0.5),
    (on(*LISTS, scale=0), [2**70, -1], [2**70, -1]),
    (on(*LISTS, scale=5), [], []),
    (on(*PAIRS, scale=0, k=0), [0.5, -0.5], [1.0, 0.0]),
]

CONTRACTS = [
    Contract(
        dp.m.make_gaussian,
        scalars(),
        REFUSALS,
        certificates=CERTIFICATES,
        limits=LIMITS,
        # The certificates above are not tight, so the map is pinned by its values.
        map_values=[
            (on(*INTEGERS, scale=2), 1, "1/8"),
            (on(*INTEGERS, scale="1/3"), 2, 18),
            (on(*FLOATS, scale=2), "1/2", "1/32"),
        ],
        examples=60,
    ),
    Contract(
        dp.m.make_gaussian,
        vectors(),
        REFUSALS,
        certificates=[(on(*FLOAT_LISTS, scale=10**320), [1e308], [0.0], 30)],
        map_values=[(on(*FLOAT_LISTS, scale=2), 1, "1/8")],
        examples=40,
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(terms)
