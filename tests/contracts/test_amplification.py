"""The contracts of amplification by sampling."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.base.aliases import Data
from opendp_lite.exact.enclosures import expm1, ln
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

PURE, SYMMETRIC = dp.max_divergence(), dp.symmetric_distance()
INTS, TEXTS = dp.atom_domain(T=int), dp.atom_domain(T=str)
ROWS = dp.vector_domain(INTS), SYMMETRIC
ORDERED = dp.vector_domain(TEXTS), dp.insert_delete_distance()
PAIR = dp.vector_domain(INTS, size=2)
BOUNDED = dp.atom_domain(bounds=(0.0, 1.0)), 3


def any_one(rows: Data) -> bool:
    """Whether there is a 1, and the truth with probability 2/3: in sixteenths."""
    return random_bits(4) < (8 if 1 in list(rows) else 4)


def twice(d_in: int) -> Any:
    return 0 if d_in == 0 else "0.6931471805599454"  # at least ln 2


def leak(rows: Data) -> Any:
    """The rows with probability 1/4, and nothing otherwise."""
    return sorted(rows) if random_bits(2) == 0 else None


def quarter(d_in: int) -> Any:
    return (0, 0) if d_in == 0 else (0, "1/4")


def user(space: Any, measure: Any, function: Any, privacy_map: Any, **TO: Any) -> Any:
    dp.enable_features("honest-but-curious")
    try:
        return dp.m.make_user_measurement(*space, measure, function, privacy_map, **TO)
    finally:
        dp.disable_features("honest-but-curious")


count = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=1)
exactly = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=0)
total = (
    (dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0))), SYMMETRIC)
    >> dp.t.then_sum()
    >> dp.m.then_laplace(scale=0.5)
)
pairs = dp.c.make_approximate(count)
ordered = ORDERED >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
gaussian = ROWS >> dp.t.then_count() >> dp.m.then_gaussian(scale=2)
answer = user(ROWS, PURE, any_one, twice)
leaky = user(ROWS, dp.approximate(PURE), leak, quarter)
unordered = user(ROWS, PURE, any_one, lambda d_in: 1)
answering = user(ROWS, PURE, any_one, twice, TO="Queryable")

mean = (
    (dp.vector_domain(BOUNDED[0], size=3), SYMMETRIC)
    >> dp.t.then_mean()
    >> dp.m.then_laplace(scale=0.5)
)
ones = (PAIR, SYMMETRIC) >> dp.t.then_clamp((0, 1)) >> dp.t.then_sum()
one = ones >> dp.m.then_laplace(scale=1)
changed = (
    (PAIR, dp.change_one_distance())
    >> dp.t.then_clamp((0, 1))
    >> dp.t.then_sum()
    >> dp.m.then_laplace(scale=1)
)
known = ones >> dp.m.then_laplace(scale=0)
answer_of_two = user((PAIR, SYMMETRIC), PURE, any_one, twice)
leaky_two = user((PAIR, SYMMETRIC), dp.approximate(PURE), leak, quarter)
shown = (dp.vector_domain(TEXTS, size=2), dp.hamming_distance()) >> (
    dp.m.then_randomized_response_column(["a", "b"], 0.75)
)
none_of_size = (
    (dp.vector_domain(INTS, size=0), SYMMETRIC)
    >> dp.t.then_count()
    >> dp.m.then_laplace(scale=1)
)


def at(measurement: Any, rate: Any) -> dict[str, Any]:
    return {"measurement": measurement, "rate": rate}


def of(measurement: Any, population_size: Any) -> dict[str, Any]:
    return {"measurement": measurement, "population_size": population_size}


def loss(epsilon: Any, share: Any) -> Any:
    """An enclosure of ln(1 + share (e^epsilon - 1)), as a function of the precision."""

    def enclose(precision: int) -> Enclosure:
        return ln(1 + mpq(share) * expm1(mpq(epsilon), precision), precision)

    return enclose


def refused(call: Any, good: Any, number: Any) -> list[Any]:
    """What both refuse."""
    make, measurement = "MakeMeasurement", "measurement"
    return [
        (call(None, number), make, ["measurement=None", "must be a Measurement"]),
        (call(abs, number), make, [measurement, "such as space >>"]),
        (call(dp.m.then_laplace(1), number), make, "must be a Measurement"),
        (
            call(dp.m.make_laplace(INTS, dp.absolute_distance(T=int), 1), number),
            make,
            ["input_domain", "VectorDomain"],
        ),
        (
            call(dp.c.make_pureDP_to_zCDP(good), number),
            "MeasureMismatch",
            [measurement, "ZeroConcentratedDivergence()", "make_fix_delta"],
        ),
        (
            call(dp.c.make_approximate(dp.c.make_pureDP_to_zCDP(good)), number),
            "MeasureMismatch",
            [measurement, "Approximate(ZeroConcentratedDivergence())"],
        ),
    ]


NUMBERS: list[Any] = [None, True, "x", math.nan, [1]]

CONTRACTS = [
    Contract(
        dp.c.make_poisson_subsample,
        st.builds(
            at,
            st.sampled_from([count, exactly, total, ordered, pairs]),
            st.sampled_from([0, 1, 0.5, "1/10", Fraction(1, 3), 1e-9]),
        ),
        [
            *refused(at, count, 0.5),
            (at(gaussian, 0.5), "MeasureMismatch", ["Concentrated", "make_fix_delta"]),
            (at(count, -0.5), "MakeMeasurement", ["rate=-0.5", "at least 0"]),
            (at(count, "3/2"), "MakeMeasurement", ["rate='3/2'", "at most 1"]),
            (at(count, math.inf), "MakeMeasurement", ["rate=inf", "such as 0.01"]),
            *((at(count, each), "MakeMeasurement", ["rate"]) for each in NUMBERS),
            (at(one, 0.5), "MakeMeasurement", ["measurement", "without a size"]),
            (
                at(
                    (ROWS[0], dp.hamming_distance())
                    >> dp.t.then_count()
                    >> dp.m.then_laplace(scale=1),
                    0.5,
                ),
                "MetricMismatch",
                ["input_metric=HammingDistance()", "symmetric_distance()"],
            ),
            (at(unordered, 0.5), "MakeMeasurement", ["loss at distance 0", "map(0)"]),
            (at(answering, 0.5), "MakeMeasurement", ["goes on answering", "session"]),
        ],
        certificates=[
            (at(answer, 0.5), [1], [], 12),
            (at(answer, "1/4"), [1, 0], [0], 14),
            (at(answer, "1/4"), [1, 1, 1], [], 16),
            (at(answer, "1/2"), [1, 1], [0, 0], 12),
            (at(leaky, "1/2"), [2], [3], 8),
            (at(leaky, "1/2"), [2, 3], [], 8),
            (at(count, "1/2"), [5], [], 26),
            (at(ordered, "1/2"), ["a"], ["b"], 24),
        ],
        limits=[
            (at(exactly, 1), [3, 1, 4], 3),
            (at(exactly, 0), [3, 1, 4], 0),
            (at(exactly, "1/2"), [], 0),
        ],
        map_values=[
            (at(count, "1/10"), 1, loss(1, mpq(1, 10))),
            (at(count, "1/10"), 3, loss(3, mpq(271, 1000))),
            (at(count, 0.25), 2, loss(2, mpq(7, 16))),
            (at(count, "1/10"), math.inf, math.inf),
            (at(count, 1), 7, 7),
            (at(count, 0), math.inf, 0),
            (at(leaky, "1/10"), 1, (0, Fraction(1, 40))),
            (at(leaky, "1/10"), 2, (0, Fraction(19, 400))),
            (at(exactly, "1/10"), 1, math.inf),
        ],
    ),
    Contract(
        dp.c.make_population_amplification,
        st.builds(
            of,
            st.sampled_from(
                [mean, one, changed, known, answer_of_two, leaky_two, none_of_size]
            ),
            st.sampled_from([3, 4, "100", 10**6, 10**30]),
        ),
        [
            *refused(of, one, 4),
            (of(one, 1), "MakeMeasurement", ["population_size=1", "at least 2"]),
            (of(one, 2.5), "MakeMeasurement", ["population_size=2.5", "an integer"]),
            (of(one, -3), "MakeMeasurement", ["population_size=-3", "how many rows"]),
            (of(one, math.inf), "MakeMeasurement", ["population_size=inf"]),
            *(
                (of(one, each), "MakeMeasurement", ["population_size"])
                for each in NUMBERS
            ),
            (of(count, 4), "MakeMeasurement", ["measurement", "size=m"]),
            (
                of(shown, 4),
                "MetricMismatch",
                ["input_metric=HammingDistance()", "make_ordered_random"],
            ),
        ],
        # All are drawn: then what is said of populations is said of samples.
        certificates=[
            (of(answer_of_two, 2), [1, 0], [0, 0], 6),
            (of(answer_of_two, 2), [1, 1], [0, 0], 6),
            (of(leaky_two, 2), [1, 1], [0, 0], 6),
            (of(changed, 2), [1, 0], [0, 0], 24),
        ],
        limits=[(of(known, 10), [1, 5], 2)],
        map_values=[
            (of(one, 20), 1, 0),
            (of(one, 20), 2, loss(1, mpq(1, 10))),
            (of(one, 20), 3, loss(1, mpq(1, 10))),
            # 17 * 18 of the 19 * 20 pairs have none of two rows
            (of(one, 20), 4, loss(2, 1 - mpq(18 * 17, 380))),
            (of(changed, 20), 2, loss(2, 1 - mpq(18 * 17, 380))),
            (of(one, 20), 38, 2),
            (of(one, 20), math.inf, 2),
            (of(changed, 20), math.inf, 2),
            (of(leaky_two, 20), 2, (0, Fraction(1, 40))),
            (of(known, 4), 2, math.inf),
            (of(none_of_size, 4), 8, 0),
        ],
        features=("honest-but-curious",),
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, one_in=2))
