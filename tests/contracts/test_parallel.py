"""The contract of make_parallel_composition."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

TEXT, INT, FLOAT = (dp.atom_domain(T=T) for T in (str, int, float))
SYMMETRIC, ORDERED = dp.symmetric_distance(), dp.insert_delete_distance()
CHANGE, HAMMING = dp.change_one_distance(), dp.hamming_distance()
PURE, APPROXIMATE = dp.max_divergence(), dp.approximate(dp.max_divergence())
LN3 = dp.m.make_randomized_response_bool("3/4").map(1, exact=True)
approximate, concentrated = dp.c.make_approximate, dp.c.make_pureDP_to_zCDP


def counted(row: Any, scale: Any = 2, metric: Any = SYMMETRIC) -> dp.Measurement:
    space = dp.vector_domain(row), metric
    return space >> dp.t.then_count() >> dp.m.then_laplace(scale=scale)


def is_empty(rows: Any) -> bool:
    """Whether there are no rows, the truth with probability 3/4."""
    return (len(rows) == 0) == (random_bits(2) != 0)


def once(d_in: int) -> Any:
    return LN3 if d_in else 0


def leak(rows: Any) -> Any:
    """Whether there are no rows, with probability 1/4."""
    return len(rows) == 0 if random_bits(2) == 0 else None


def quarter(d_in: int) -> Any:
    return (0, "1/4") if d_in else (0, 0)


def user(function: Any, measure: Any, privacy_map: Any, **given: Any) -> dp.Measurement:
    dp.enable_features("honest-but-curious")
    try:
        return dp.m.make_user_measurement(
            given.pop("domain", dp.vector_domain(TEXT)),
            given.pop("metric", SYMMETRIC),
            measure,
            function,
            privacy_map,
            **given,
        )
    finally:
        dp.disable_features("honest-but-curious")


empty, leaky = user(is_empty, PURE, once), user(leak, APPROXIMATE, quarter)
empty_ordered = user(is_empty, PURE, once, metric=ORDERED)
answering = user(is_empty, PURE, once, TO="Queryable")
texts, numbers = counted(TEXT), counted(FLOAT, 3)
gauss = (
    (dp.vector_domain(TEXT), SYMMETRIC) >> dp.t.then_count() >> dp.m.then_gaussian(2.0)
)
exactly = counted(TEXT, 0)
FRAMES = dp.frame_domain({"region": TEXT, "age": INT})
ages = (
    (FRAMES, SYMMETRIC)
    >> dp.t.then_frame_column("age")
    >> dp.t.then_clamp((0, 100))
    >> dp.t.then_sum()
    >> dp.m.then_laplace(scale=200)
)
region = (FRAMES, SYMMETRIC) >> dp.t.then_frame_column("region")
found = region >> dp.t.then_find(["north", "south"])
binned = dp.t.make_find_bin(dp.vector_domain(FLOAT), SYMMETRIC, [0, 10])
others = (
    (dp.vector_domain(TEXT), SYMMETRIC)
    >> dp.t.then_find(["a", "b"])
    >> dp.t.then_impute_constant(2)
)


def of(by: Any, *measurements: Any, **given: Any) -> dict[str, Any]:
    return {
        "input_domain": given.get("domain", dp.vector_domain(TEXT)),
        "input_metric": given.get("metric", SYMMETRIC),
        "by": by,
        "measurements": list(measurements),
    }


def longer(row: str) -> int:
    """0 or 1, but nothing for longer texts: the library leaves such rows out."""
    return [0, 0, 1][len(row)]


AB = ["a", "b"]
GOOD = of(AB, texts, texts)
REFUSALS: list[Any] = [
    ({**GOOD, "input_domain": TEXT}, "MakeMeasurement", ["input_domain", "Vector"]),
    ({**GOOD, "input_metric": None}, "MakeMeasurement", ["input_metric", "Symmetric"]),
    (
        {**GOOD, "input_metric": dp.l1_distance(T=int)},
        "MakeMeasurement",
        ["input_metric", "symmetric_distance()"],
    ),
    (of(AB), "MakeMeasurement", ["measurements", "at least one"]),
    ({**GOOD, "measurements": texts}, "MakeMeasurement", ["measurements", "list"]),
    (of(AB, texts, 3), "MakeMeasurement", ["measurements[1]=<int>", "Measurement"]),
    (of(AB, answering, texts), "MakeMeasurement", ["measurements[0]", "answering"]),
    (
        of(AB, texts, counted(INT)),
        "DomainMismatch",
        ["measurements[1]", "T=int", "Build it on (VectorDomain(AtomDomain(T=str))"],
    ),
    (
        of(AB, texts, texts, metric=HAMMING),
        "MetricMismatch",
        ["measurements[0]", "InsertDeleteDistance", "gains and loses rows"],
    ),
    (
        of(AB, texts, counted(TEXT, metric=CHANGE), metric=CHANGE),
        "MetricMismatch",
        ["measurements[1]", "ChangeOneDistance", "SymmetricDistance"],
    ),
    (
        of(AB, texts, concentrated(texts)),
        "MeasureMismatch",
        ["measurements[1]", "another measure", "make_pureDP_to_zCDP"],
    ),
    (
        of(["a"], user(leak, dp.renyi_divergence(), lambda d_in: lambda alpha: 0)),
        "MeasureMismatch",
        ["RenyiDivergence", "add up"],
    ),
    (of(["a"], texts, texts), "MakeMeasurement", ["by=", "as many", "2"]),
    (of(["a", "a"], texts, texts), "MakeTransformation", ["categories", "equal"]),
    (of(AB, ages, ages, domain=FRAMES), "MakeTransformation", ["VectorDomain"]),
    (of(None, texts), "MakeMeasurement", ["by=None", "row by row", "make_find_bin"]),
    (of(texts, texts), "MakeMeasurement", ["by=", "row by row"]),
    (
        of(dp.t.then_find(AB), texts, texts),
        "MakeMeasurement",
        ["by=", "row by row", "list of categories"],
    ),
    (
        of(dp.t.make_identity(dp.vector_domain(TEXT), SYMMETRIC), texts),
        "MakeMeasurement",
        ["by=", "row by row"],
    ),
    (of(binned, texts), "DomainMismatch", ["by=", "T=float", "T=str"]),
    (of(region, ages, domain=FRAMES), "MakeMeasurement", ["by=", "an int or a bool"]),
]

CONTRACTS = [
    Contract(
        dp.c.make_parallel_composition,
        st.sampled_from([of(longer, empty, empty), of(longer, leaky, leaky)]),
        [(of(AB, texts, 3), "MakeMeasurement", ["measurements[1]"])],
        certificates=[
            (of(longer, empty, empty, metric=CHANGE), ["a"], ["bb"], 8),
            (of(longer, leaky, leaky), ["a"], ["ccc"], 8),
        ],
        limits=[(of(longer, exactly, exactly), ["a", "", "bb", "ccc"], [2, 1])],
        map_values=[(of(longer, empty, empty), 1, LN3)],
        features=("honest-but-curious",),
        examples=10,
    ),
    Contract(
        dp.c.make_parallel_composition,
        st.sampled_from(
            [
                GOOD,
                of(("a", "", "b"), texts, exactly, texts),
                of(AB, texts, texts, metric=CHANGE),
                of(AB, texts, texts, domain=dp.vector_domain(TEXT, size=3)),
                of(AB, *[counted(TEXT, metric=ORDERED)] * 2, metric=HAMMING),
                of(others, texts, counted(TEXT, 5), texts),
                of(binned, *[numbers] * 3, domain=dp.vector_domain(FLOAT)),
                of(binned, numbers, domain=dp.vector_domain(FLOAT)),
                of(found, ages, ages, domain=FRAMES),
                of(AB, *map(concentrated, (texts, exactly))),
                of(AB, gauss, gauss),
                of(AB, *map(approximate, (texts, texts))),
            ]
        ),
        REFUSALS,
        certificates=[
            (of(AB, empty, empty), ["a"], [], 8),
            (of(AB, empty, empty), ["a"], ["b"], 8),
            (of(AB, empty, empty, metric=CHANGE), ["a"], ["b"], 8),
            (of(AB, empty_ordered, empty_ordered, metric=HAMMING), ["b"], ["a"], 8),
            (of(AB, leaky, approximate(empty), metric=CHANGE), ["a"], ["b"], 8),
            (of(others, empty, empty, empty, metric=CHANGE), ["a"], ["c"], 8),
        ],
        limits=[
            (of(AB, exactly, exactly), ["b", "c", "a", "b"], [1, 2]),
            (of(others, exactly, exactly, exactly), ["b", "c", "a", "c"], [1, 1, 2]),
            (of(AB, exactly, exactly), [], [0, 0]),
        ],
        map_values=[
            (GOOD, 1, Fraction(1, 2)),
            (GOOD, 3, Fraction(3, 2)),
            (of(AB, texts, texts, metric=CHANGE), 1, 1),
            (of(AB, texts, counted(TEXT, 1)), 3, 3),
            (of(list("abcd"), *[empty] * 4), 3, 3 * LN3),
            (of(list("abcd"), *[empty] * 4), 9, 4 * LN3),
            (of(AB, empty, empty, metric=CHANGE), 1, 2 * LN3),
            (of(AB, gauss, gauss), 2, Fraction(1, 2)),
            (of(AB, texts, texts, domain=dp.vector_domain(TEXT, size=3)), 1, 0),
            (of(AB, texts, texts, domain=dp.vector_domain(TEXT, size=3)), 99, 3),
            (of(AB, exactly, texts), 1, math.inf),
            (of(AB, texts, texts), 4096, 2048),
            (of(AB, texts, texts), 4097, 4097),
            (of(AB, texts, texts), math.inf, math.inf),
            (of(AB, leaky, leaky), 1, (0, Fraction(1, 4))),
            (of(list("abcde"), *[leaky] * 5), 9, (0, 1)),
            (of(AB, leaky, approximate(empty)), 1, (LN3, Fraction(1, 4))),
        ],
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
