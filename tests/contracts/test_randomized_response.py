"""The contract of make_randomized_response_bool."""

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

FLOATS = st.sampled_from([0.5, 0.6, 0.75, 0.99, 1.0]) | st.floats(0.5, 1.0)
EXACT = st.sampled_from(["2/3", "0.5", Decimal("0.9"), 1]) | st.fractions("1/2", 1)
ARGUMENTS = st.one_of(
    st.fixed_dictionaries({"prob": FLOATS, "constant_time": st.booleans()}),
    st.fixed_dictionaries({"prob": EXACT}),
)

REFUSALS: list[Any] = [
    (arguments, "MakeMeasurement", words)
    for arguments, words in [
        ({"prob": 0.49}, ["prob=0.49", "at least 1/2", "probability of the truth"]),
        ({"prob": -1}, ["prob=-1", "at least 1/2", "probability of the truth"]),
        ({"prob": 1.01}, ["prob=1.01", "at most 1", "probability of the truth"]),
        ({"prob": math.nan}, ["prob=nan", "finite", "probability of the truth"]),
        ({"prob": math.inf}, ["prob=inf", "finite", "probability of the truth"]),
        ({"prob": "abc"}, ["prob='abc'", "such as", "probability of the truth"]),
        ({"prob": None}, ["prob=None", "must be a number"]),
        ({"prob": True}, ["prob=True", "must be a number"]),
        ({"prob": 0.75, "constant_time": 1}, ["constant_time=1", "bool", "True or"]),
        ({"prob": "0.75", "constant_time": True}, ["prob='0.75'", "float", "0.75."]),
    ]
]
CERTIFICATES: list[Any] = [
    ({"prob": 0.5}, True, False, 4),
    ({"prob": 0.75}, True, False, 4),
    ({"prob": 0.75, "constant_time": True}, False, True, 4),
    ({"prob": "2/3"}, True, False, 40),
    ({"prob": 0.6}, True, False, 40),
    ({"prob": Fraction(99, 100)}, False, True, 40),
    ({"prob": 0.6}, True, True, 40),
]
LIMITS: list[Any] = [
    ({"prob": 1}, True, True),
    ({"prob": 1}, False, False),
    ({"prob": 1.0, "constant_time": True}, False, False),
]

CONTRACTS = [
    Contract(
        dp.m.make_randomized_response_bool,
        ARGUMENTS,
        REFUSALS,
        certificates=CERTIFICATES,
        limits=LIMITS,
        cap=mpq(1, 10**9),
    )
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
