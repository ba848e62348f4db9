"""The contracts of the thresholds on maps."""

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
from opendp_lite.exact.enclosures import exp, sqrt
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erfc
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

LAPLACE = dp.approximate(dp.max_divergence())
GAUSSIAN = dp.approximate(dp.zero_concentrated_divergence())
KEYS = [dp.atom_domain(T=str), dp.atom_domain(T=int), dp.atom_domain(T=bool)]
VALUES: list[tuple[Any, Any]] = [
    (dp.atom_domain(T=int), int),
    (dp.atom_domain(T="u8"), int),
    (dp.atom_domain(T=int), float),
    (dp.atom_domain(T=float, nan=False), float),
    (dp.atom_domain(bounds=(-1.0, math.inf)), float),
    (dp.atom_domain(T=Fraction), Fraction),
]
SCALES = st.one_of(
    st.sampled_from([0, 1, 0.1, "1/3", Decimal("2.5"), 10**9, 1e-9, 10**30]),
    st.fractions(0, 100),
)
THRESHOLDS = st.one_of(
    st.sampled_from([0, 1, "5/2", 5, 1e-300, 5e-324, 10**9, 1e308, 10**400, 0.1]),
    st.sampled_from([-1, "-5/2", -5e-324, -(10**9), -1e308, -(10**400), -0.1]),
    st.fractions(-100, 100),
)
DISTANCES: list[Any] = [
    (0, 0, 0),
    (1, 0, 0),
    (1, 1, 1),
    (1, 2, 2),
    (3, 4, 2),
    (3, 4, 10),
    (10, 10**6, 10**6),
    (10, math.inf, math.inf),
    (math.inf, math.inf, math.inf),
]


def space(values: Any, T: Any, metric: Any, keys: Any = KEYS[0]) -> dict[str, Any]:
    return {
        "input_domain": dp.map_domain(keys, values),
        "input_metric": metric(dp.absolute_distance(T=T)),
    }


@st.composite
def spaces(draw: st.DrawFn, metric: Any) -> dict[str, Any]:
    values, T = draw(st.sampled_from(VALUES))
    exponents = st.integers(0 if values.T is int else -20, 20)
    return {
        **space(values, T, metric, draw(st.sampled_from(KEYS))),
        "scale": draw(SCALES),
        "threshold": draw(THRESHOLDS),
        "k": draw(st.none() | exponents),
    }


def cases(metric: Any, **more: Any) -> Any:
    others = st.fixed_dictionaries(more)
    return st.tuples(spaces(metric), others).map(lambda pair: {**pair[0], **pair[1]})


def refusals(metric: Any, other: Any, **more: Any) -> list[Any]:
    integers = {**space(VALUES[0][0], int, metric), **more}
    floats = {**space(VALUES[3][0], float, metric), **more}
    right = {"scale": 1, "threshold": 5}
    inner = dp.absolute_distance(T=int)
    text, whole = KEYS[0], VALUES[0][0]

    def on(base: dict[str, Any], **changes: Any) -> dict[str, Any]:
        return {**base, **right, **changes}

    def over(keys: Any, values: Any) -> dict[str, Any]:
        return on(integers, input_domain=dp.map_domain(keys, values))

    nan, number = dp.atom_domain(T=float), dp.atom_domain(T=float, nan=False)
    rows = [
        (on(integers, scale=-1), ["scale=-1", "at least 0"]),
        (on(integers, scale=math.nan), ["scale", "nan", "finite"]),
        (on(integers, scale=math.inf), ["scale", "inf", "finite"]),
        (on(integers, scale="abc"), ["scale", "'abc'"]),
        (on(integers, scale=True), ["scale", "True", "number"]),
        (on(floats, threshold=-math.inf), ["threshold", "-inf", "finite", "such as"]),
        (on(floats, threshold=math.nan), ["threshold", "nan", "finite"]),
        (on(floats, threshold=math.inf), ["threshold", "inf", "finite"]),
        (on(floats, threshold=None), ["threshold", "None"]),
        (on(integers, k=-1), ["k=-1", "at least 0 on integers"]),
        (on(floats, k=0.5), ["k=0.5", "integer"]),
        (on(floats, k=10**9), ["k=1000000000", "at most"]),
        (on(integers, input_domain=None), ["input_domain=None", "map_domain"]),
        (on(integers, input_domain=whole), ["input_domain", "map_domain"]),
        (over(number, whole), ["input_domain", "keys", "str, int or bool"]),
        (over(dp.option_domain(text), whole), ["input_domain", "keys"]),
        (over(text, text), ["input_domain", "values", "Fraction"]),
        (over(text, dp.atom_domain(T=bool)), ["input_domain", "values"]),
        (over(text, dp.option_domain(whole)), ["input_domain", "values"]),
        (over(text, nan), ["input_domain", "NaN", "nan=False"]),
        (on(integers, input_metric=other(inner)), ["input_metric", "for this noise"]),
        (on(integers, input_metric=inner), ["input_metric", "l01inf_distance"]),
        (on(integers, input_metric=None), ["input_metric=None", "l02inf_distance"]),
    ]
    return [(arguments, "MakeMeasurement", words) for arguments, words in rows]


def laplace(scale: Any, threshold: Any, at: int = 0, **more: Any) -> dict[str, Any]:
    values, T = VALUES[at]
    numbers = {"scale": scale, "threshold": threshold, **more}
    return {**space(values, T, dp.l01inf_distance), **numbers}


def gaussian(scale: Any, threshold: Any, at: int = 0, **more: Any) -> dict[str, Any]:
    values, T = VALUES[at]
    numbers = {"scale": scale, "threshold": threshold, **more}
    return {**space(values, T, dp.l02inf_distance), **numbers}


INTEGERS, FLOATS, FRACTIONS = 0, 3, 5


def geometric_tail(a: int) -> Any:
    """P(Z >= a) for discrete Laplace noise of scale 1, a >= 1."""
    return lambda p: exp(-a, p) / (1 + exp(-1, p))


def two_of(a: int) -> Any:
    return lambda p: 1 - (1 - geometric_tail(a)(p)) * (1 - geometric_tail(a)(p))


# The double before 5 is 5 - 2^-50, and their middle is rounded to 5: beyond it is 1 +
# noise of the size
CUT = mpq(4) - mpq(1, 2**51)


def laplace_beyond(p: int) -> Enclosure:
    return exp(-CUT, p) * mpq(1, 2)


def normal_beyond(p: int) -> Enclosure:
    return erfc(sqrt(CUT * CUT * mpq(1, 2), p + 64), p) * mpq(1, 2)


def gauss_tail(a: int) -> Any:
    """P(Z >= a) for discrete Gaussian noise of scale 1, by adding up."""

    def enclose(p: int) -> Enclosure:
        def total(start: int) -> Enclosure:
            terms = [exp(mpq(-z * z, 2), p) for z in range(start, 40)]
            return sum(terms, Enclosure(0, mpq(1, 2**1000)))

        return total(a) / (1 + 2 * total(1))

    return enclose


def limits(arguments: Any) -> list[Any]:
    """Without noise the rule is seen: a value equal to the threshold is released."""
    return [
        (arguments(0, 3), {"b": 4, "a": 3, "c": 2}, {"a": 3, "b": 4}),
        (arguments(0, "5/2"), {"a": 2, "b": 3, "c": -3}, {"b": 3}),
        (arguments(0, 10**40), {"a": 10**40, "b": 10**40 - 1}, {"a": 10**40}),
        (arguments(0, 6, k=2), {"a": 6, "b": 5, "c": 9}, {"a": 8, "c": 8}),
        (arguments(0, 0), {"a": 0, "b": -1}, {"a": 0}),
        (arguments(0, 0.1, FLOATS), {"a": 0.1, "b": 0.09999999999999999}, {"a": 0.1}),
        (arguments(0, 0, FLOATS), {"a": -0.0, "b": -5e-324}, {"a": 0.0}),
        (arguments(3, 10**400, FLOATS), {"a": 1e308, "b": math.inf}, {"b": math.inf}),
        (arguments(3, 1, FLOATS), {"a": math.inf, "b": -math.inf}, {"a": math.inf}),
        (arguments(0, "0.1", FRACTIONS), {"a": Fraction(1, 10)}, {"a": 0.1}),
        (arguments(0, 1, FRACTIONS, k=0), {"a": Fraction(1, 2)}, {"a": 1.0}),
        (arguments(5, 3), {}, {}),
    ]


LAPLACE_VALUES: list[Any] = [
    (laplace(1, 5), (1, 1, 1), (1, geometric_tail(4))),
    (laplace(1, 5), (2, 2, 1), (2, two_of(4))),
    (laplace(1, "9/2"), (1, 1, 1), (1, geometric_tail(4))),
    (laplace(1, 5), (1, 0, 0), (0, geometric_tail(5))),
    (laplace(1, 5), (7, 1, 0), (0, lambda p: 1 - power(1 - geometric_tail(5)(p), 7))),
    (laplace(1, 3), (1, 3, 3), (3, lambda p: 1 - geometric_tail(1)(p))),
    (laplace(1, 3), (1, 5, 5), (5, lambda p: 1 - geometric_tail(3)(p))),
    (laplace(1, 5), (1, math.inf, 1), (1, geometric_tail(4))),
    (laplace(1, 5), (math.inf, 1, 1), (1, 1)),
    (laplace(0, 5), (1, 1, 1), (math.inf, 0)),
    (laplace(0, 5), (1, 5, 5), (math.inf, 1)),
    (laplace(0, 5), (1, 0, 0), (0, 0)),
    (laplace(4, 16, k=2), (1, 3, 3), (1, geometric_tail(3))),
    (laplace(4, 16, k=2), (1, 1, 1), (1, geometric_tail(4))),
    (laplace(1, 5, FLOATS, k=0), (2, 1, 1), (2, two_of(4))),
    (laplace(1, 5, FLOATS, k=0), (math.inf, 1, 1), (math.inf, 1)),
    (laplace(1, 10**400, FLOATS), (math.inf, 1, 1), (1, 0)),
    (laplace(1, 5, FLOATS), (1, 1, 1), (1, laplace_beyond)),
    (laplace(1, 5, FRACTIONS), (1, 1, 1), (1, laplace_beyond)),
]


def power(base: Enclosure, exponent: int) -> Enclosure:
    return base if exponent == 1 else base * power(base, exponent - 1)


GAUSSIAN_VALUES: list[Any] = [
    (gaussian(1, 5), (1, 1, 1), ("1/2", gauss_tail(4))),
    (gaussian(1, 5), (4, 9, 1), (2, lambda p: 1 - power(1 - gauss_tail(4)(p), 4))),
    (gaussian(1, 5), (4, 1, 1), ("1/2", lambda p: 1 - power(1 - gauss_tail(4)(p), 4))),
    (gaussian(1, 3), (1, 5, 5), ("25/2", lambda p: 1 - gauss_tail(3)(p))),
    (gaussian(0, 5), (1, 5, 5), (math.inf, 1)),
    (gaussian(0, 5), (1, 0, 0), (0, 0)),
    (gaussian(4, 16, k=2), (1, 3, 3), ("1/2", gauss_tail(3))),
    (gaussian(1, 5, FLOATS), (1, 1, 1), ("1/2", normal_beyond)),
]


def measured(rows: list[Any], measure: Any) -> list[Any]:
    return [({**row[0], "output_measure": measure}, *row[1:]) for row in rows]


LAPLACE_CERTIFICATES: list[Any] = [
    # A key that one of the two has; the certified delta is the claim.
    (laplace(1, 2), {"a": 1}, {}, 40),
    (laplace("1/2", 3), {"a": 1}, {"a": 2}, 40),
    (laplace(1, 1), {"a": 3}, {}, 40),
    (laplace(2, 4, k=1), {"a": 2}, {}, 40),
    (laplace(1, 2, FLOATS, k=0), {"a": 1.0}, {}, 40),
    (laplace("1/4", 1, FLOATS, k=-1), {"a": 0.5, "c": 1.0}, {"b": 0.5, "c": 1.5}, 24),
]
GAUSSIAN_CERTIFICATES: list[Any] = [
    (gaussian(1, 2), {"a": 1}, {}, 40),
    (gaussian("1/2", 3), {"a": 1}, {"a": 2}, 40),
    (gaussian(2, 4, k=1), {"a": 2}, {}, 40),
    (gaussian(1, 2, FLOATS, k=0), {"a": 1.0}, {}, 40),
]
LAPLACE_REFUSALS = refusals(dp.l01inf_distance, dp.l02inf_distance)
GAUSSIAN_REFUSALS = refusals(dp.l02inf_distance, dp.l01inf_distance)
WRONG_MEASURES = [dp.max_divergence(), "Approximate<MaxDivergence>", None]

CONTRACTS = [
    Contract(
        dp.m.make_laplace_threshold,
        cases(
            dp.l01inf_distance,
            MO=st.sampled_from(["Approximate<MaxDivergence>", LAPLACE]),
        ),
        [
            *LAPLACE_REFUSALS,
            (laplace(1, 1, MO="MaxDivergence"), "MakeMeasurement", ["MO", "Leave MO"]),
            (laplace(1, 1, MO=GAUSSIAN), "MakeMeasurement", ["MO", "MaxDivergence"]),
        ],
        certificates=LAPLACE_CERTIFICATES,
        limits=limits(laplace),
        map_values=LAPLACE_VALUES,
        distances=DISTANCES,
        examples=60,
    ),
    Contract(
        dp.m.make_gaussian_threshold,
        cases(
            dp.l02inf_distance,
            MO=st.sampled_from(["Approximate<ZeroConcentratedDivergence>", GAUSSIAN]),
        ),
        [
            *GAUSSIAN_REFUSALS,
            (gaussian(1, 1, MO="MaxDivergence"), "MakeMeasurement", ["MO", "Leave MO"]),
            (gaussian(1, 1, MO=LAPLACE), "MakeMeasurement", ["MO", "Zero"]),
        ],
        certificates=GAUSSIAN_CERTIFICATES,
        limits=limits(gaussian),
        map_values=GAUSSIAN_VALUES,
        distances=DISTANCES,
        examples=60,
    ),
    Contract(
        dp.m.make_noise_threshold,
        cases(dp.l01inf_distance, output_measure=st.just(LAPLACE)),
        [
            *refusals(dp.l01inf_distance, dp.l02inf_distance, output_measure=LAPLACE),
            *(
                (row, "MakeMeasurement", ["output_measure", "approximate("])
                for wrong in WRONG_MEASURES
                for row in [{**laplace(1, 1), "output_measure": wrong}]
            ),
        ],
        certificates=measured(LAPLACE_CERTIFICATES[:1], LAPLACE),
        limits=measured(limits(laplace), LAPLACE),
        map_values=measured(LAPLACE_VALUES[:3], LAPLACE),
        distances=DISTANCES,
        examples=20,
    ),
    Contract(
        dp.m.make_noise_threshold,
        cases(dp.l02inf_distance, output_measure=st.just(GAUSSIAN)),
        refusals(dp.l02inf_distance, dp.l01inf_distance, output_measure=GAUSSIAN),
        certificates=measured(GAUSSIAN_CERTIFICATES[:1], GAUSSIAN),
        limits=measured(limits(gaussian), GAUSSIAN),
        map_values=measured(GAUSSIAN_VALUES[:3], GAUSSIAN),
        distances=DISTANCES,
        examples=20,
    ),
]


# What stays: a key that one of the two has, one that both have, floats, and two keys.
LONG = LAPLACE_CERTIFICATES[2:4]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG))
