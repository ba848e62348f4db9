"""The contracts of make_laplace, make_gaussian and make_noise.

`make_noise` has the terms of the constructor that its measure chooses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import attrs
import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter
from tests.longer import shortened

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


@attrs.frozen
class Law:
    """A constructor, the metric of its vectors, and the forms of its measure."""

    make: Callable[..., Any]
    norm: Callable[..., Any]
    other: Callable[..., Any]
    measures: tuple[Any, ...]

    @property
    def wanted(self) -> str:
        return type(self.norm(T=int)).__name__

    @property
    def lists(self) -> Any:
        return dp.vector_domain(INTEGERS[0]), self.norm(T=int)

    @property
    def float_lists(self) -> Any:
        return dp.vector_domain(FLOATS[0]), self.norm(T=float)

    @property
    def pairs(self) -> Any:
        return dp.vector_domain(FLOATS[0], size=2), self.norm(T=float)


INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
PURE, ZERO = dp.max_divergence(), dp.zero_concentrated_divergence()
LAPLACE = Law(
    dp.m.make_laplace,
    dp.l1_distance,
    dp.l2_distance,
    ("MaxDivergence", dp.MaxDivergence, PURE),
)
GAUSSIAN = Law(
    dp.m.make_gaussian,
    dp.l2_distance,
    dp.l1_distance,
    ("ZeroConcentratedDivergence", dp.ZeroConcentratedDivergence, ZERO),
)


def exponents(T: Any) -> Any:
    return st.none() | st.integers(0 if T is int else -20, 20)


@st.composite
def scalars(draw: st.DrawFn, law: Law) -> dict[str, Any]:
    domain, T = draw(st.sampled_from(NUMBERS))
    return {
        "input_domain": domain,
        "input_metric": dp.absolute_distance(T=T),
        "scale": draw(SCALES),
        "k": draw(exponents(T)),
        "MO": draw(st.sampled_from(law.measures)),
    }


@st.composite
def vectors(draw: st.DrawFn, law: Law) -> dict[str, Any]:
    atom, T = draw(st.sampled_from(NUMBERS))
    size = draw(st.none() | st.integers(0, 4))
    return {
        "input_domain": dp.vector_domain(atom, size=size),
        "input_metric": law.norm(T=T),
        "scale": draw(SCALES),
        # A vector of unknown size may not be rounded.
        "k": None if size is None else draw(exponents(T)),
    }


def on(domain: Any, metric: Any, scale: Any = 1, **more: Any) -> dict[str, Any]:
    return {"input_domain": domain, "input_metric": metric, "scale": scale, **more}


def refusals(law: Law) -> list[Any]:
    lists, float_lists, wanted = law.lists, law.float_lists, law.wanted
    measure = law.measures[0]
    return [
        (arguments, "MakeMeasurement", words)
        for arguments, words in [
            (
                on(*INTEGERS, scale=-1),
                ["scale", "-1", "at least 0", "such as scale=1.0"],
            ),
            (on(*INTEGERS, scale=math.nan), ["scale", "nan", "finite"]),
            (on(*INTEGERS, scale=math.inf), ["scale", "inf", "finite"]),
            (on(*INTEGERS, scale="abc"), ["scale", "'abc'", "such as"]),
            (on(*INTEGERS, scale=None), ["scale", "None", "number"]),
            (on(*INTEGERS, scale=True), ["scale", "True", "number"]),
            (on(*INTEGERS, k=-1), ["k=-1", "at least 0 on integers", "Leave k out"]),
            (on(*FLOATS, k=0.5), ["k=0.5", "integer", "Leave k out"]),
            (on(*FLOATS, k=10**9), ["k=1000000000", "at most", "Leave k out"]),
            (on(*float_lists, k=0), ["k=0", "unknown size", "size=n"]),
            (on(*lists, k=1), ["k=1", "unknown size", "size=n"]),
            (on(*INTEGERS, MO="RenyiDivergence"), ["MO", measure, "Leave MO out"]),
            (on(None, INTEGERS[1]), ["input_domain=None", "int, float or Fraction"]),
            (on(dp.atom_domain(T=str), INTEGERS[1]), ["input_domain", "Fraction"]),
            (
                on(dp.atom_domain(T=float), FLOATS[1]),
                ["input_domain", "NaN", "nan=False"],
            ),
            (on(INTEGERS[0], None), ["input_metric=None", "AbsoluteDistance"]),
            (on(INTEGERS[0], lists[1]), ["input_metric", "AbsoluteDistance"]),
            (on(lists[0], INTEGERS[1]), ["input_metric", wanted]),
            (on(lists[0], law.other(T=int)), ["input_metric", wanted]),
            (on(lists[0], dp.symmetric_distance()), ["input_metric", wanted]),
        ]
    ]


def limits(law: Law) -> list[Any]:
    return [
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
        (on(*law.lists, scale=0), [2**70, -1], [2**70, -1]),
        (on(*law.lists, scale=5), [], []),
        (on(*law.pairs, scale=0, k=0), [0.5, -0.5], [1.0, 0.0]),
    ]


LARGEST = 1.7976931348623157e308
PAIRS: list[Any] = [
    (on(*INTEGERS, scale="1/2"), 5, 6),
    (on(*INTEGERS, scale=1), 5, 3),
    (on(*INTEGERS, scale="5/2"), -1, 1),
    (on(*INTEGERS, scale=8, k=3), 3, 4),
    (on(*FLOATS, scale=0.25, k=-2), 0.37, 0.38),
    (on(*FLOATS, scale=4, k=2), -1e300, -1e300),
    (on(*FRACTIONS, scale=1, k=0), Fraction(1, 2), Fraction(1, 3)),
]
# Almost every sum of these saturates, so that doubles can be enumerated. Their tree is
# thick, because trials are accepted or not: these certificates find large faults only,
# and certify a delta of at most 1/5.
# The law of a trial is certified in parts, in tests/randomness/test_real.py.
DOUBLES: list[Any] = [
    (on(*FLOATS, scale=10**320), -1e308, 1e308, 30),
    (on(*FRACTIONS, scale=10**320), Fraction(10**308), Fraction(1, 3), 30),
]

CONTRACTS = [
    Contract(
        dp.m.make_laplace,
        scalars(LAPLACE),
        refusals(LAPLACE),
        certificates=[(*pair, 20) for pair in PAIRS],
        limits=limits(LAPLACE),
        examples=60,
    ),
    Contract(
        dp.m.make_laplace,
        vectors(LAPLACE),
        refusals(LAPLACE),
        certificates=[(on(*LAPLACE.lists, scale="1/4"), [0, 0], [1, 0], 26)],
        examples=40,
    ),
    Contract(
        dp.m.make_gaussian,
        scalars(GAUSSIAN),
        refusals(GAUSSIAN),
        certificates=[(*pair, 34) for pair in PAIRS],
        limits=limits(GAUSSIAN),
        map_values=[
            (on(*INTEGERS, scale=2), 1, "1/8"),
            (on(*INTEGERS, scale="1/3"), 2, 18),
            (on(*FLOATS, scale=2), "1/2", "1/32"),
        ],
        examples=60,
    ),
    Contract(
        dp.m.make_gaussian,
        vectors(GAUSSIAN),
        refusals(GAUSSIAN),
        certificates=[
            (on(*GAUSSIAN.lists, scale="1/2"), [0, 0], [1, 0], 38),
            (on(*GAUSSIAN.lists, scale="0.24"), [0, 0], [1, 0], 30),
        ],
        runs=20_000,
        map_values=[(on(*GAUSSIAN.float_lists, scale=2), 1, "1/8")],
        examples=40,
    ),
    Contract(
        dp.m.make_laplace,
        scalars(LAPLACE),
        refusals(LAPLACE),
        certificates=DOUBLES,
        examples=5,
        runs=24_000,
        cap=mpq(1, 5),
    ),
]


# make_noise: the same terms, with the measure in the place of MO


def under(measure: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in arguments.items() if name != "MO"}
    return {**kept, "output_measure": measure}


def of_noise(terms: Contract, measure: Any) -> Contract:
    refused = [
        (
            on(*INTEGERS, output_measure=other),
            "MakeMeasurement",
            ["output_measure", word],
        )
        for other, word in [
            (None, "MaxDivergence or ZeroConcentratedDivergence"),
            ("MaxDivergence", "Pass max_divergence()"),
            (dp.MaxDivergence, "Pass max_divergence()"),
            (dp.approximate(PURE), "Approximate"),
            (dp.renyi_divergence(), "zero_concentrated_divergence()"),
        ]
    ]
    refused += [
        (under(measure, arguments), variant, words)  # type: ignore[arg-type]
        for arguments, variant, words in terms.refusals
        if "MO" not in arguments
    ]
    return attrs.evolve(
        terms,
        constructor=dp.m.make_noise,
        arguments=terms.arguments.map(lambda each: under(measure, each)),
        refusals=refused,
        **{  # type: ignore[arg-type]
            name: [
                (under(measure, first), *rest) for first, *rest in getattr(terms, name)
            ]
            for name in ("certificates", "limits", "map_values")
        },
    )


CONTRACTS += [
    of_noise(terms, measure)
    for terms, measure in zip(CONTRACTS, [PURE, PURE, ZERO, ZERO, PURE], strict=True)
]


# What stays of make_noise are scalars under either measure: on everything else, vectors
# and floats without a grid, it releases what the other two do, bit by bit, as
# tests/measurements/noise/test_noise.py shows. What stays for the law of doubles is
# tests/measurements/noise/test_laplace_certificates.py, on toy floats and on these.
LATER = [CONTRACTS[4], CONTRACTS[6], CONTRACTS[8], CONTRACTS[9]]
# Of Gaussian noise: the pair at the smallest scale, grids, and rationals; of vectors,
# that with little noise. Of make_noise: the smallest scale, and a grid of floats.
LONG = [
    CONTRACTS[i].certificates[j]
    for i, left_out in [(2, (1, 2)), (3, (0,)), (5, (1, 2, 3, 6)), (7, (1, 2, 3, 6))]
    for j in left_out
]


@pytest.mark.parametrize(
    "terms", shortened(CONTRACTS, *LATER), ids=lambda terms: terms.name
)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG))
