"""The contract of make_randomized_response_bitvec."""

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
from opendp_lite.exact.enclosures import ln
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

DISCRETE = dp.discrete_distance()
FLOATS = st.sampled_from([1.0, 0.5, 0.95, 0.1, 1e-300]) | st.floats(2**-20, 1.0)
EXACT = st.sampled_from(["1/3", Decimal("0.9"), 1, "1e-400"]) | st.fractions("1/9", 1)


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.integers(0, 20))
    weight = draw(st.none() | st.integers(0, 24))
    space = {
        "input_domain": dp.bitvector_domain(max_weight=weight, size=size),
        "input_metric": DISCRETE,
    }
    if draw(st.booleans()):
        return {**space, "f": draw(FLOATS), "constant_time": draw(st.booleans())}
    return {**space, "f": draw(EXACT)}


def on(size: Any, f: Any = 0.5, max_weight: Any = None, **more: Any) -> dict[str, Any]:
    domain = dp.bitvector_domain(max_weight=max_weight, size=size)
    return {"input_domain": domain, "input_metric": DISCRETE, "f": f, **more}


def outsiders(made: Any) -> list[Any]:
    """Vectors of another length, with padding that is not zero, or too heavy."""
    length = -(-made.input_domain.size // 8)
    strangers: list[Any] = [bytes(length + 1), bytearray(length), [0] * length]
    strangers += [bytes(length - 1)] if length else []
    if made.input_domain.size % 8:
        strangers += [bytes(length - 1) + b"\x01"]
    return strangers


INTEGERS = dp.atom_domain(T=int)
REFUSALS: list[Any] = [
    (given, "MakeMeasurement", words)
    for given, words in [
        (on(8, 0), ["f=0", "above 0", "such as f=0.5"]),
        (on(8, 0.0), ["f=0.0", "above 0"]),
        (on(8, -0.5), ["f=-0.5", "at least 0"]),
        (on(8, 1.5), ["f=1.5", "at most 1"]),
        (on(8, math.nan), ["f=nan", "finite"]),
        (on(8, math.inf), ["f=inf", "finite"]),
        (on(8, "half"), ["f='half'", "such as"]),
        (on(8, None), ["f=None", "must be a number"]),
        (on(8, True), ["f=True", "must be a number"]),
        (on(8, 0.5, constant_time=1), ["constant_time=1", "bool", "True or"]),
        (on(8, "0.5", constant_time=True), ["f='0.5'", "float", "such as 0.5"]),
        (on(8, Fraction(1, 2), constant_time=True), ["f=", "float"]),
        # Half of the least double is none.
        (on(8, 5e-324, constant_time=True), ["f=5e-324", "twice a float"]),
        (on(None, max_weight=4), ["input_domain", "size", "bitvector_domain(max_w"]),
        (on(None), ["input_domain", "must have a size"]),
        ({**on(8), "input_domain": INTEGERS}, ["input_domain", "bitvector_domain"]),
        ({**on(8), "input_domain": None}, ["input_domain=None", "bitvector_domain"]),
        ({**on(8), "input_metric": None}, ["input_metric=None", "discrete_distance"]),
        (
            {**on(8), "input_metric": dp.absolute_distance(T=int)},
            ["input_metric", "discrete_distance()"],
        ),
    ]
]

A, B = bytes([0b10100000]), bytes([0b01000000])
CERTIFICATES: list[Any] = [
    (on(3, 0.5), A, B, 6),
    (on(3, 0.5, constant_time=True), A, B, 6),
    # Of weight 1 the vectors differ in two bits of three.
    (on(3, 0.5, 1), bytes([0b10000000]), bytes([0b00100000]), 6),
    (on(1, 0.75), bytes([0]), bytes([128]), 4),
    (on(2, "2/3"), bytes([0b11000000]), bytes([0]), 16),
    (on(3, 1.0), A, B, 3),
    (on(3, 0.5), A, A, 6),
    (on(10, 1, 3), bytes([7, 0]), bytes([0, 0b11000000]), 10),
]
LIMITS: list[Any] = [
    (on(0), b"", b""),
    (on(0, 1.0, constant_time=True), b"", b""),
]
MAP_VALUES: list[Any] = [
    (on(24, 0.5, 1), 1, lambda bits: 2 * ln(mpq(3), bits)),
    (on(24, 0.5, 12), 1, lambda bits: 24 * ln(mpq(3), bits)),
    (on(24, 0.5, 13), 1, lambda bits: 24 * ln(mpq(3), bits)),
    (on(24, 0.5), 2, lambda bits: 24 * ln(mpq(3), bits)),
    (on(24, "1/3", 2), math.inf, lambda bits: 4 * ln(mpq(5), bits)),
    (on(24, 1, 2), 1, 0),
    (on(24, 0.5, 0), 1, 0),
    (on(0, 0.5), 1, 0),
]

CONTRACTS = [
    Contract(
        dp.m.make_randomized_response_bitvec,
        arguments(),
        REFUSALS,
        outsiders=outsiders,
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=MAP_VALUES,
        examples=60,
    )
]


# What stays: either way to draw, few ones, a flip of no binary digits, wide vectors.
LONG = [CERTIFICATES[i] for i in (3, 5, 6)]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG))
