"""The contract of make_product."""

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

INT, INTS = dp.atom_domain(T=int), dp.vector_domain(dp.atom_domain(T=int))
FLOAT = dp.atom_domain(T=float, nan=False)
NEAR, L1, L2 = (
    make(T=int) for make in (dp.absolute_distance, dp.l1_distance, dp.l2_distance)
)
BOOL, OTHER = dp.atom_domain(T=bool), dp.discrete_distance()
KEYED = dp.map_domain(dp.atom_domain(T=str), INT)
PURE, APPROXIMATE = dp.max_divergence(), dp.approximate(dp.max_divergence())
laplace, gaussian = dp.m.then_laplace, dp.m.then_gaussian
coin = dp.m.make_randomized_response_bool("3/4")
approximate, concentrated = dp.c.make_approximate, dp.c.make_pureDP_to_zCDP


def space(*places: Any) -> dict[str, Any]:
    return {
        "input_domain": dp.product_domain([domain for domain, _ in places]),
        "input_metric": dp.product_distance([metric for _, metric in places]),
    }


PAIR = space((INT, NEAR), (INT, NEAR))
MIXED = space((INT, NEAR), (INTS, L1))
VECTORS = space((INTS, L2), (INTS, L2), (INTS, L2))
COINS = space((BOOL, OTHER), (BOOL, OTHER))


def of(base: dict[str, Any], *parts: Any) -> dict[str, Any]:
    return {**base, "parts": list(parts)}


def leak(x: bool) -> Any:
    """The truth with probability 1/4, and nothing otherwise: (0, 1/4)-private."""
    return bool(x) if random_bits(2) == 0 else None


def quarter(d_in: int) -> Any:
    return (0, "1/4") if d_in else (0, 0)


def zero_curve(d_in: Any) -> Any:
    return lambda alpha: 0


def user(domain: Any, metric: Any, measure: Any, *functions: Any) -> dp.Measurement:
    dp.enable_features("honest-but-curious")
    try:
        return dp.m.make_user_measurement(domain, metric, measure, *functions)
    finally:
        dp.disable_features("honest-but-curious")


leaky = user(BOOL, OTHER, APPROXIMATE, leak, quarter)
renyi = user(BOOL, OTHER, dp.renyi_divergence(), leak, zero_curve)
planned = dp.c.make_adaptive_composition(INT, NEAR, PURE, 1, [1])
dp.enable_features("honest-but-curious")
SAMPLE = dp.vector_domain(INT, size=2), dp.symmetric_distance()
amplified = dp.c.make_population_amplification(
    SAMPLE >> dp.t.then_count() >> laplace(scale=1), population_size=3
)
dp.disable_features("honest-but-curious")
exactly = dp.m.make_laplace(INT, NEAR, 0)
GOOD = of(PAIR, laplace(1), laplace(2))
REFUSALS: list[Any] = [
    ({**GOOD, "input_domain": INT}, "MakeMeasurement", ["input_domain", "product"]),
    ({**GOOD, "input_domain": None}, "MakeMeasurement", ["input_domain=None"]),
    ({**GOOD, "input_metric": NEAR}, "MakeMeasurement", ["input_metric", "product"]),
    (
        {**GOOD, "input_metric": dp.product_distance([NEAR])},
        "MakeMeasurement",
        ["input_metric", "has 1 parts, and the domain 2"],
    ),
    ({**GOOD, "parts": laplace(1)}, "MakeMeasurement", ["parts", "list of 2"]),
    ({**GOOD, "parts": None}, "MakeMeasurement", ["parts=None", "list of 2"]),
    (of(PAIR), "MakeMeasurement", ["parts", "list of 2", "then_..."]),
    (of(PAIR, laplace(1)), "MakeMeasurement", ["parts", "list of 2"]),
    (of(PAIR, *[laplace(1)] * 3), "MakeMeasurement", ["parts", "list of 2"]),
    (of(PAIR, None, None), "MakeMeasurement", ["parts", "at least one"]),
    (of(PAIR, laplace(1), 5), "MakeMeasurement", ["parts[1]=<int>", "Measurement"]),
    (of(PAIR, abs, laplace(1)), "MakeMeasurement", ["parts[0]", "Measurement"]),
    (
        of(PAIR, laplace(1), dp.t.then_identity()),
        "MakeMeasurement",
        ["parts[1]", "must be a Measurement"],
    ),
    (of(PAIR, laplace(1), laplace(-1)), "MakeMeasurement", ["scale=-1"]),
    (of(PAIR, laplace(1), planned), "MakeMeasurement", ["parts[1]", "answering"]),
    (
        of(space(SAMPLE, (INT, NEAR)), amplified, laplace(1)),
        "MakeMeasurement",
        ["parts[0]", "amplify the whole"],
    ),
    (
        of(MIXED, laplace(1), exactly),
        "DomainMismatch",
        ["parts[1]", "part 1 is of VectorDomain"],
    ),
    (
        of(space((INTS, L1)), dp.m.make_gaussian(INTS, L2, 1)),
        "MetricMismatch",
        ["parts[0]", "L2Distance", "L1Distance"],
    ),
    (
        of(PAIR, laplace(1), gaussian(1)),
        "MeasureMismatch",
        ["parts[1]", "another measure", "make_pureDP_to_zCDP"],
    ),
    (of(COINS, renyi, renyi), "MeasureMismatch", ["output_measure", "add up"]),
]
threshold = dp.m.make_laplace_threshold(
    KEYED, dp.l01inf_distance(NEAR), scale=1, threshold=10
)
MADE = st.sampled_from(
    [
        GOOD,
        of(PAIR, exactly, laplace("1/3")),
        of(PAIR, None, laplace(3)),
        of(MIXED, laplace(1), laplace(2)),
        of(VECTORS, *[gaussian(2)] * 3),
        of(VECTORS, gaussian(2), None, gaussian("5/2")),
        of(COINS, coin, coin),
        of(
            space((FLOAT, dp.absolute_distance(T=float)), (INT, NEAR)),
            laplace(0.5),
            dp.m.then_geometric(1),
        ),
        of(
            space((KEYED, dp.l01inf_distance(NEAR)), (INT, NEAR)),
            threshold,
            approximate(exactly),
        ),
    ]
)
LN3 = coin.map(1, exact=True)
CONTRACTS = [
    Contract(
        dp.c.make_product,
        st.just(of(COINS, leaky, leaky)),
        REFUSALS,
        certificates=[(of(COINS, leaky, leaky), (True, True), (False, False), 8)],
        map_values=[
            (of(COINS, leaky, leaky), (1, 1), (0, Fraction(1, 2))),
            (of(space(*[(BOOL, OTHER)] * 5), *[leaky] * 5), (1,) * 5, (0, 1)),
        ],
        # The parts are the user's own: making them again needs the feature.
        pickles=False,
        examples=10,
    ),
    Contract(
        dp.c.make_product,
        MADE,
        REFUSALS,
        certificates=[
            (of(COINS, coin, coin), (True, True), (False, False), 8),
            (of(COINS, coin, coin), (True, True), (True, False), 8),
            (of(COINS, coin, None), (True, True), (False, False), 8),
            (
                of(COINS, concentrated(coin), concentrated(coin)),
                (True, False),
                (False, True),
                8,
            ),
        ],
        limits=[
            (of(MIXED, laplace(0), laplace(0)), (7, [1, 2]), [7, [1, 2]]),
            (of(MIXED, laplace(0), None), (7, [1, 2]), [7, None]),
        ],
        map_values=[
            (GOOD, (1, 0), 1),
            (GOOD, (0, 1), Fraction(1, 2)),
            (GOOD, (3, 4), 5),
            (of(PAIR, None, laplace(2)), (math.inf, 3), Fraction(3, 2)),
            (of(PAIR, exactly, laplace(2)), (1, 1), math.inf),
            (of(PAIR, exactly, laplace(2)), (0, 1), Fraction(1, 2)),
            (of(VECTORS, *[gaussian(1)] * 3), (1, 2, 3), 7),
            (of(COINS, coin, coin), (1, 1), 2 * LN3),
        ],
        examples=60,
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
