"""The contracts of make_user_transformation and make_user_measurement."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
REALS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
COUNT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FEATURES = ("honest-but-curious",)


def double(data: Any) -> list[int]:
    """Twice every row."""
    return [2 * int(row) for row in data]


def half(x: Any) -> Fraction:
    """Half a number, and half a distance; infinity stays."""
    return x if x == float("inf") else Fraction(x) / 2


def answer(x: bool) -> bool:
    """The truth with probability 3/4."""
    return bool(x) == (random_bits(2) != 0)


def odds(d_in: int) -> Any:
    """At least ln 3 where the answers may differ."""
    return 0 if d_in == 0 else "1.0986122886681098"


def transformation(
    space: Any, output_space: Any, function: Any, stability_map: Any
) -> Any:
    return {
        "input_domain": space[0],
        "input_metric": space[1],
        "output_domain": output_space[0],
        "output_metric": output_space[1],
        "function": function,
        "stability_map": stability_map,
    }


def measurement(function: Any, privacy_map: Any) -> dict[str, Any]:
    return {
        "input_domain": dp.atom_domain(T=bool),
        "input_metric": dp.discrete_distance(),
        "output_measure": dp.max_divergence(),
        "function": function,
        "privacy_map": privacy_map,
    }


DOUBLE = transformation(ROWS, ROWS, double, operator.pos)
ANSWER = measurement(answer, odds)
NOISY = {**ANSWER, "noise": dp.m.make_laplace(*COUNT, scale=2).noise}

CONTRACTS = [
    Contract(
        dp.t.make_user_transformation,
        st.sampled_from(
            [
                DOUBLE,
                transformation(ROWS, ROWS, sorted, operator.pos),
                transformation(ROWS, COUNT, len, operator.pos),
                transformation(REALS, REALS, half, half),
            ]
        ),
        [
            ({**DOUBLE, "function": 1}, "MakeTransformation", ["function", "callable"]),
            (
                {**DOUBLE, "stability_map": 1},
                "MakeTransformation",
                ["stability_map", "callable"],
            ),
            ({**DOUBLE, "input_metric": COUNT[1]}, "MetricSpace", "AbsoluteDistance"),
            ({**DOUBLE, "output_metric": COUNT[1]}, "MetricSpace", "output"),
            ({**DOUBLE, "input_domain": None}, "MetricSpace", "input_domain"),
            ({**DOUBLE, "output_domain": None}, "MetricSpace", "output_domain"),
        ],
        features=FEATURES,
        arrays=False,  # `sorted` turns an array into a list of numpy's scalars
    ),
    Contract(
        dp.m.make_user_measurement,
        st.sampled_from([ANSWER, NOISY]),
        [
            (
                {**ANSWER, "noise": "laplace"},
                "MakeMeasurement",
                ["noise", "derived from dp.m.Noise"],
            ),
            ({**ANSWER, "function": 1}, "MakeMeasurement", ["function", "callable"]),
            (
                {**ANSWER, "privacy_map": None},
                "MakeMeasurement",
                ["privacy_map", "callable"],
            ),
            ({**ANSWER, "output_measure": 1}, "MeasureMismatch", "output_measure"),
            (
                {**ANSWER, "input_metric": dp.symmetric_distance()},
                "MetricSpace",
                "SymmetricDistance",
            ),
        ],
        certificates=[(ANSWER, True, False, 4)],
        features=FEATURES,
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
