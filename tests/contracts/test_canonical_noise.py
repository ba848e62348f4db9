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
DOMAINS = st.sampled_from(
    [FLOATS[0], dp.atom_domain(T="f32", nan=False), dp.atom_domain(bounds=(-1.0, 9.0))]
)
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
def arguments(draw: st.DrawFn, d_in: Any) -> dict[str, Any]:
    epsilon, delta = draw(EPSILONS), draw(DELTAS)
    if epsilon != 0 and draw(st.booleans()):
        delta = 0
    pair = draw(st.sampled_from([tuple, list]))((epsilon, delta))
    return on(*FLOATS, draw(d_in), pair) | {"input_domain": draw(DOMAINS)}


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
    refused(["input_domain=None", "atom_domain of float"], input_domain=None),
    refused(["input_domain", "of float"], input_domain=dp.atom_domain(T=int)),
    refused(["input_domain", "of float"], input_domain=dp.vector_domain(FLOATS[0])),
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
MAP_VALUES: list[Any] = [
    (on(*FLOATS, d_in=2, d_out=("0.1", "1e-6")), 0, (0, 0)),
    (on(*FLOATS, d_in=2, d_out=("0.1", "1e-6")), 2, (mpq(1, 10), mpq(1, 10**6))),
    (on(*FLOATS, d_in=2, d_out=(0.1, 0.3)), 1e-300, (mpq(1, 10), mpq(0.3))),
    (on(*FLOATS, d_in=0, d_out=(1, 0)), 0, (0, 0)),
]
# Almost every sum of these saturates, so that doubles can be enumerated. The others
# are in tests/measurements/noise/test_canonical_noise.py, with floats of few bits.
CERTIFICATES: list[Any] = [
    (on(*FLOATS, d_in=HUGE, d_out=(2, 0)), -1e308, 1e308, 22),
    (on(*FLOATS, d_in=HUGE, d_out=(3, "1/2")), LARGEST, -LARGEST, 22),
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
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=["noise", "none"])
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
