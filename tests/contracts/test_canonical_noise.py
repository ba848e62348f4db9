"""The contract of make_canonical_noise."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
INTS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
DOMAINS = [
    FLOATS[0],
    dp.atom_domain(T="f32", nan=False),
    dp.atom_domain(bounds=(-1.0, 9.0)),
    dp.atom_domain(T=Fraction),
    dp.atom_domain(bounds=(Fraction(-1), Fraction(9))),
]
INTEGERS = [INTS[0], dp.atom_domain(T="u8"), dp.atom_domain(bounds=(-3, 10**30))]
LARGEST = 1.7976931348623157e308
EPSILONS = st.one_of(
    st.sampled_from([0, 0.1, "1/3", Decimal("2.5"), 1e-9, 50, np.float32(0.3), 10**9]),
    st.fractions(0, 5),
    st.floats(0, 5),
)
DELTAS = st.one_of(
    st.sampled_from([1e-9, "1e-6", 1, 0.5, Fraction(1, 7), np.float64(0.1), "1e-400"]),
    st.fractions(Fraction(1, 10**9), 1),
)


@st.composite
def arguments(
    draw: st.DrawFn, d_in: Any, domains: Any = DOMAINS, metric: Any = FLOATS[1]
) -> dict[str, Any]:
    epsilon, delta = draw(EPSILONS), draw(DELTAS)
    if epsilon != 0 and draw(st.booleans()):
        delta = 0
    pair = draw(st.sampled_from([tuple, list]))((epsilon, delta))
    return on(draw(st.sampled_from(domains)), metric, draw(d_in), pair)


def on(domain: Any, metric: Any, d_in: Any = 1, d_out: Any = (1, 0)) -> dict[str, Any]:
    space = {"input_domain": domain, "input_metric": metric}
    return {**space, "d_in": d_in, "d_out": d_out}


def refused(words: list[str], **changed: Any) -> tuple[dict[str, Any], str, list[str]]:
    return on(*FLOATS) | changed, "MakeMeasurement", words


REFUSALS = [
    refused(["d_in", "-1", "at least 0", "such as"], d_in=-1),
    refused(["d_in", "nan", "finite"], d_in=math.nan),
    refused(["d_in", "inf", "finite"], d_in=math.inf),
    refused(["d_in", "None", "number"], d_in=None),
    refused(["d_in", "True", "number"], d_in=True),
    refused(["d_out=1.0", "pair (epsilon, delta)", "(1.0, 1e-9)"], d_out=1.0),
    refused(["d_out", "pair"], d_out=(1.0,)),
    refused(["d_out", "pair"], d_out=(1.0, 0.1, 0)),
    refused(["d_out", "pair"], d_out="10"),
    refused(["d_out", "pair"], d_out=None),
    refused(["d_out=<sequence>", "must not be (0, 0)"], d_out=(0, 0)),
    refused(["d_out=<sequence>", "must not be (0, 0)"], d_out=(0.0, 0.0)),
    refused(["d_out[0]=-1", "at least 0"], d_out=(-1, 0.1)),
    refused(["d_out[0]=inf", "finite"], d_out=(math.inf, 0.1)),
    refused(["d_out[0]=nan", "finite"], d_out=(math.nan, 0.1)),
    refused(["d_out[0]='a'", "number"], d_out=("a", 0.1)),
    refused(["d_out[1]=-0.1", "at least 0"], d_out=(1, -0.1)),
    refused(["d_out[1]=1.5", "at most 1"], d_out=(1, 1.5)),
    refused(["d_out[1]=nan", "finite"], d_out=(1, math.nan)),
    refused(["d_out[1]=None", "number"], d_out=(1, None)),
    refused(["input_domain=None", "of int, float or Fraction"], input_domain=None),
    refused(["input_domain", "of int, float"], input_domain=dp.atom_domain(T=str)),
    refused(["input_domain", "of int, float"], input_domain=dp.atom_domain(T=bool)),
    refused(
        ["input_domain", "of int, float", "then_laplace"],
        input_domain=dp.vector_domain(FLOATS[0]),
    ),
    refused(
        ["input_domain", "of int, float", "then_laplace_threshold"],
        input_domain=dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)),
    ),
    refused(["input_domain", "NaN", "nan=False"], input_domain=dp.atom_domain(T=float)),
    refused(["input_metric=None", "AbsoluteDistance"], input_metric=None),
    refused(["input_metric", "AbsoluteDistance"], input_metric=dp.l1_distance(T=float)),
]

HUGE = 10**320
LIMITS: list[Any] = [
    (on(*FLOATS, d_in=0), 0.1, 0.1),
    (on(*FLOATS, d_in=0), -0.0, 0.0),
    (on(*FLOATS, d_in=0), 7, 7.0),
    (on(*FLOATS, d_in=0), math.inf, LARGEST),
    (on(*FLOATS, d_in=0), -math.inf, -LARGEST),
    (on(*FLOATS, d_in=1), math.inf, LARGEST),
    (on(*FLOATS, d_in=1, d_out=(0, 0.1)), -math.inf, -LARGEST),
    (on(*FLOATS, d_in=1e-9, d_out=(1, 0.5)), 1e9, 1e9),
]
INTEGER_LIMITS: list[Any] = [
    (on(*INTS, d_in=0), 10**400 + 1, 10**400 + 1),
    (on(*INTS, d_in=0), -(10**400) - 1, -(10**400) - 1),
    (on(*INTS, d_in=0), np.int64(-(2**63)), -(2**63)),
    (on(*INTS, d_in=0), np.uint64(2**64 - 1), 2**64 - 1),
    # Of noise that is never as large as 1/2.
    (on(*INTS, d_in="1e-9", d_out=(1, 0.5)), 10**400 + 1, 10**400 + 1),
    (on(*INTS, d_in="1e-9", d_out=(1, 0.5)), np.uint64(2**64 - 1), 2**64 - 1),
]
MAP_VALUES: list[Any] = [
    (on(*FLOATS, d_in=2, d_out=("0.1", "1e-6")), 0, (0, 0)),
    (on(*FLOATS, d_in=2, d_out=("0.1", "1e-6")), 2, (mpq(1, 10), mpq(1, 10**6))),
    (on(*FLOATS, d_in=2, d_out=(0.1, 0.3)), 1e-300, (mpq(1, 10), mpq(0.3))),
    (on(*FLOATS, d_in=0, d_out=(1, 0)), 0, (0, 0)),
]
# Almost every sum of these saturates, so that doubles can be enumerated. The others
# are in tests/measurements/canonical/test_canonical_noise.py, with floats of few bits.
CERTIFICATES: list[Any] = [
    (on(*FLOATS, d_in=HUGE, d_out=(2, 0)), -1e308, 1e308, 22),
    (on(*FLOATS, d_in=HUGE, d_out=(3, "1/2")), LARGEST, -LARGEST, 22),
]

# At the distance 1 an integer comes with an integer K, of weight b^|k|. At 5/2 what
# lies between two integers may be rounded to either.
INTEGER_CERTIFICATES: list[Any] = [
    (on(*INTS, d_in=1, d_out=(1, 0)), 0, 1, 20),
    (on(*INTS, d_in=1, d_out=(0, 1)), -1, 0, 12),
    (on(*INTS, d_in="5/2", d_out=(2, "1/2")), 10**400, 10**400 + 2, 14),
    (on(*INTS, d_in=0), 7, 7, 1),
]

CONTRACTS = [
    Contract(
        dp.m.make_canonical_noise,
        arguments(st.sampled_from([1, 0.5, "2/3", 10**6, 1e300])),
        REFUSALS,
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=MAP_VALUES,
        distances=[0, Fraction(1, 10**30), 0.1, Fraction(1, 3), 0.5],
        examples=60,
    ),
    Contract(
        dp.m.make_canonical_noise,
        arguments(st.just(0)),
        REFUSALS,
        certificates=[(on(*FLOATS, d_in=0), 0.0, -0.0, 1)],
        distances=[0],
        examples=20,
    ),
    Contract(
        dp.m.make_canonical_noise,
        arguments(st.sampled_from([1, 2.0, "5/2", 10**40]), INTEGERS, INTS[1]),
        REFUSALS,
        certificates=INTEGER_CERTIFICATES,
        limits=INTEGER_LIMITS,
        map_values=[
            (on(*INTS, d_in=10.0, d_out=("0.1", 0)), 10, (mpq(1, 10), 0)),
            (on(*INTS, d_in="5/2", d_out=("0.1", 0)), 0, (0, 0)),
        ],
        distances=[0, 1],
        examples=40,
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=["noise", "none", "integers"])
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
