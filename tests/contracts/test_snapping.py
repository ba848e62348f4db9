"""The contract of make_snapping."""

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

ATOMS: list[Any] = [
    (dp.atom_domain(T=float, nan=False), float),
    (dp.atom_domain(bounds=(-3.0, 10.0), nan=False), float),
    (dp.atom_domain(T="f32", nan=False), float),
    (dp.atom_domain(T=Fraction), Fraction),
    (dp.atom_domain(T=int), int),
]
SCALES = st.one_of(
    st.sampled_from([1, 0.1, "1/3", Decimal("2.5"), 10**9, 1e-3, 5e-324, 1e308]),
    st.fractions("1/1000", 100),
    st.floats(0.001, 100),
)
BOUNDS = st.one_of(
    st.sampled_from(
        [(0, 10), [-1.5, 2], ("1/3", Decimal(7)), (1000.0, 1003), (-(2**64), 2**64)]
    ),
    st.tuples(st.integers(-20, 20), st.fractions("1/10", 30)).map(
        lambda t: (t[0], t[0] + t[1])
    ),
)
PRECISIONS = st.sampled_from([118, 200, 118.0])


@st.composite
def scalars(draw: st.DrawFn) -> dict[str, Any]:
    atom, T = draw(st.sampled_from(ATOMS))
    return {
        "input_domain": atom,
        "input_metric": dp.absolute_distance(T=T),
        "scale": draw(SCALES),
        "bounds": draw(BOUNDS),
    }


@st.composite
def finite(draw: st.DrawFn) -> dict[str, Any]:
    atom, T = draw(st.sampled_from(ATOMS))
    return {
        "input_domain": atom,
        "input_metric": dp.absolute_distance(T=T),
        "scale": draw(st.sampled_from([1, 0.1, "1/3", Decimal("2.5"), 10**9])),
        "bounds": draw(BOUNDS),
        "precision": draw(PRECISIONS),
    }


@st.composite
def vectors(draw: st.DrawFn) -> dict[str, Any]:
    atom, T = draw(st.sampled_from(ATOMS))
    size = draw(st.none() | st.integers(0, 4))
    return {
        "input_domain": dp.vector_domain(atom, size=size),
        "input_metric": dp.l1_distance(T=T),
        "scale": draw(st.fractions("1/10", 100)),
        "bounds": draw(BOUNDS),
        "precision": None if size is None else draw(st.none() | PRECISIONS),
    }


def on(
    domain: Any, metric: Any, scale: Any = 1, bounds: Any = (0, 4), **more: Any
) -> dict[str, Any]:
    return {
        "input_domain": domain,
        "input_metric": metric,
        "scale": scale,
        "bounds": bounds,
        **more,
    }


FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
NANS = dp.atom_domain(T=float), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
LISTS = dp.vector_domain(FLOATS[0]), dp.l1_distance(T=float)
PAIRS = dp.vector_domain(FLOATS[0], size=2), dp.l1_distance(T=float)
GAP = Fraction(1, 2**54)

REFUSALS: list[Any] = [
    (arguments, "MakeMeasurement", words)
    for arguments, words in [
        (on(*FLOATS, scale=0), ["scale", "0", "above 0", "such as scale=1.0"]),
        (on(*FLOATS, scale=-1.5), ["scale", "-1.5", "above 0", "such as scale=1.0"]),
        (on(*FLOATS, scale=math.nan), ["scale", "nan", "finite", "such as"]),
        (on(*FLOATS, scale=math.inf), ["scale", "inf", "finite", "such as"]),
        (on(*FLOATS, scale="abc"), ["scale", "'abc'", "such as"]),
        (on(*FLOATS, scale=None), ["scale", "None", "number"]),
        (on(*FLOATS, scale=True), ["scale", "True", "number"]),
        (on(*FLOATS, bounds=(10, 0)), ["bounds=(10, 0)", "less", "lower one first"]),
        (on(*FLOATS, bounds=(3, 3)), ["bounds=(3, 3)", "less", "lower one first"]),
        (on(*FLOATS, bounds=(0, math.inf)), ["bounds", "inf", "finite"]),
        (on(*FLOATS, bounds=(-math.inf, 0)), ["bounds", "-inf", "finite"]),
        (on(*FLOATS, bounds=(0, math.nan)), ["bounds", "nan", "finite"]),
        (on(*FLOATS, bounds=("a", 1)), ["bounds", "'a'", "number"]),
        (on(*FLOATS, bounds=(0, True)), ["bounds", "True", "number"]),
        (on(*FLOATS, bounds=None), ["bounds=None", "pair", "bounds=(0.0, 10.0)"]),
        (on(*FLOATS, bounds=5.0), ["bounds=5.0", "pair", "bounds=(0.0, 10.0)"]),
        (on(*FLOATS, bounds=(1, 2, 3)), ["bounds=<sequence>", "pair"]),
        (on(*FLOATS, bounds=(1 + GAP, 1 + 2 * GAP)), ["bounds", "double between"]),
        (on(*FLOATS, bounds=(10**309, 10**310)), ["bounds", "double between"]),
        (on(*FLOATS, precision=117), ["precision=117", "at least 118"]),
        (on(*FLOATS, precision=118.5), ["precision=118.5", "integer"]),
        (on(*FLOATS, precision="fine"), ["precision='fine'", "number"]),
        (on(*FLOATS, precision=2**20 + 1), ["precision", "at most 1048576"]),
        (on(*FLOATS, scale=2.0**-116, precision=118), ["precision=118", "width"]),
        (on(*LISTS, precision=118), ["precision=118", "each entry", "size=n"]),
        (on(*NANS), ["input_domain", "NaN", "nan=False", "make_impute_constant"]),
        (on(dp.vector_domain(NANS[0]), LISTS[1]), ["input_domain", "NaN"]),
        (on(None, FLOATS[1]), ["input_domain=None", "int, float or Fraction"]),
        (on(dp.atom_domain(T=str), FLOATS[1]), ["input_domain", "Fraction"]),
        (on(FLOATS[0], None), ["input_metric=None", "AbsoluteDistance"]),
        (on(FLOATS[0], LISTS[1]), ["input_metric", "AbsoluteDistance"]),
        (on(LISTS[0], FLOATS[1]), ["input_metric", "L1Distance"]),
        (on(LISTS[0], dp.l2_distance(T=float)), ["input_metric", "L1Distance"]),
        (on(LISTS[0], dp.symmetric_distance()), ["input_metric", "L1Distance"]),
    ]
]

CERTIFICATES: list[Any] = [
    (on(*FLOATS), 1.0, 2.0, 40),
    (on(*FLOATS), 0.3, -7.0, 40),
    (on(*FLOATS, scale="3/4", bounds=("-1/3", 3.5)), 3.4, 1.0, 40),
    (on(*FLOATS, scale=5, bounds=(0, 0.1)), math.inf, -math.inf, 40),
    (on(*FRACTIONS, scale=2), Fraction(1, 3), Fraction(10, 3), 40),
    (on(*INTEGERS, scale=2, bounds=(0, 9)), 2**70, 7, 40),
]
LIMITS: list[Any] = [
    (on(*FLOATS, scale=1e-300, bounds=(0, 10)), 7.0, 7.0),
    (on(*FLOATS, scale=1e-300, bounds=(0, 10)), 70.0, 10.0),
    (on(*FLOATS, scale=1e-300, bounds=(1, 10)), -math.inf, 1.0),
    (on(*FLOATS, scale=1e-300, bounds=(0, 10)), math.inf, 10.0),
    (on(*FRACTIONS, scale=1e-300, bounds=(0, "1/3")), Fraction(1, 2), 1 / 3),
    (on(*FRACTIONS, scale=1e-300, bounds=("0.1", 1)), Fraction(0), 0.1),
    (on(*INTEGERS, scale=1e-300, bounds=(0, 2**60)), 2**55 + 1, 2.0**55),
    (on(*LISTS, scale=1e-300, bounds=(0, 9)), [2.5, math.inf], [2.5, 9.0]),
    (on(*LISTS), [], []),
]
ETA = mpq(1, 2**118)
MAP_VALUES: list[Any] = [
    (on(*FLOATS, scale="5/2"), 3, mpq(6, 5)),
    (on(*FLOATS, scale=2), 4, 2),
    (on(*FLOATS, scale=2), 5, 2),
    (on(*FLOATS, scale=2), math.inf, 2),
    (on(*FLOATS, scale=2), 0, 0),
    (on(*FLOATS, scale=2, bounds=("0.1", "0.4")), 1, mpq(3, 20)),
    (on(*LISTS, scale=2), 50, 25),
    (on(*LISTS, scale=2), math.inf, math.inf),
    (on(*PAIRS, scale=2), 7, mpq(7, 2)),
    (on(*PAIRS, scale=2), 50, 4),
    (on(*FLOATS, scale=2, precision=118), 0, 0),
    (on(*FLOATS, scale=2, precision=118), 1, mpq(1, 2) + 14 * ETA),
    (on(*FLOATS, scale=2, precision=118), math.inf, 2 + 14 * ETA),
    (on(*PAIRS, scale=2, precision=118), 50, 4 + 28 * ETA),
]

CONTRACTS = [
    Contract(
        dp.m.make_snapping,
        scalars(),
        REFUSALS,
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=MAP_VALUES,
        examples=60,
    ),
    Contract(
        dp.m.make_snapping,
        finite(),
        REFUSALS,
        certificates=[
            (on(*FLOATS, precision=118), 1.0, 2.0, 40),
            (on(*FLOATS, scale="3/4", bounds=(-1, 3), precision=130), 3.4, 1.0, 40),
        ],
        examples=30,
    ),
    Contract(
        dp.m.make_snapping,
        vectors(),
        REFUSALS,
        certificates=[
            (on(*LISTS, scale=1, bounds=(0, 1)), [0.0, 1.0], [1.0, 1.0], 24),
            (on(*PAIRS, scale=2, bounds=(0, 1)), [0.0, 5.0], [1.0, -5.0], 22),
        ],
        examples=40,
    ),
]


# What stays: every type of a number, far inputs, a precision, and lists.
LONG = [CERTIFICATES[1], *(each.certificates[1] for each in CONTRACTS[1:])]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG))
