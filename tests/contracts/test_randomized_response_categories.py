"""The contract of make_randomized_response."""

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
from opendp_lite.exact.enclosures import ln
from opendp_lite.verify import Contract
from opendp_lite.verify.contracts.examples import members
from tests.contracts.shorter import shorter

LISTS: list[tuple[list[Any], Any]] = [
    (["a", "b"], None),
    (["", "\u0661", "a\x00"], None),
    ([0, 1, 2, 3], None),
    ([-(2**70), 10**40], int),
    ([7, 0, 255], "u8"),
    ([True, False], None),
    (list(range(100)), "i32"),
]


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, Any]:
    categories, T = draw(st.sampled_from(LISTS))
    least = Fraction(1, len(categories))
    exact = st.sampled_from([least, 1, "0.5", Decimal("0.9"), "1.0"])
    prob = draw(exact | st.fractions(least, 1) | st.floats(0.5, 1.0))
    form = draw(st.sampled_from([list, tuple]))
    return {"categories": form(categories), "prob": prob, "T": T}


def data(made: Any) -> Any:
    """Categories, and members of the domain that are none."""
    categories = dict(made.record.arguments)["categories"]
    return st.sampled_from(categories) | members(made.input_domain)


def on(categories: Any, prob: Any = 0.75, **more: Any) -> dict[str, Any]:
    return {"categories": categories, "prob": prob, **more}


ABC = ["a", "b", "c"]
REFUSALS: list[Any] = [
    (given, "MakeMeasurement", words)
    for given, words in [
        (on(ABC, 0.33), ["prob=0.33", "at least 1/3", "Fraction(1, 3) to 1"]),
        # The double nearest to 1/3 is below it.
        (on(ABC, 1 / 3), ["prob=0.333", "at least 1/3", "Fraction(1, 3) to 1"]),
        (on(ABC, 0), ["prob=0", "at least 1/3"]),
        (on(ABC, -1), ["prob=-1", "at least 1/3"]),
        (on(ABC, 1.01), ["prob=1.01", "at most 1", "probability of the truth"]),
        (on(ABC, math.nan), ["prob=nan", "finite"]),
        (on(ABC, math.inf), ["prob=inf", "finite"]),
        (on(ABC, "abc"), ["prob='abc'", "such as"]),
        (on(ABC, None), ["prob=None", "must be a number"]),
        (on(ABC, True), ["prob=True", "must be a number"]),
        (on([]), ["categories", "at least two", "such as"]),
        (on(["a"]), ["categories", "at least two"]),
        (on(["a", "b", "a"]), ["categories", "all different"]),
        (on([np.int64(1), 1]), ["categories", "all different"]),
        (on("abc"), ["categories='abc'", "must be a list"]),
        (on(None), ["categories=None", "must be a list"]),
        (on({"a", "b"}), ["categories", "must be a list"]),
        (on({"a": 1, "b": 2}), ["categories", "must be a list"]),
        (on(["a", 1]), ["categories", "each must be a str"]),
        (on([1, True]), ["categories", "each must be an int"]),
        (on([1, 2.0]), ["categories", "each must be an int"]),
        (on([1.0, 2.0]), ["categories", "bool, int or str"]),
        (on([None, "a"]), ["categories", "bool, int or str"]),
        (on([["a"], ["b"]]), ["categories", "bool, int or str"]),
        (on([1, 256], T="u8"), ["categories", "from 0 to 255"]),
        (on(["a", "b"], T=int), ["categories", "each must be an int"]),
        (on([1.0, 2.0], T=float), ["T=<class 'float'>", "bool, int or str"]),
    ]
]
REFUSALS += [(on(ABC, T="text"), "TypeParse", ["T='text'", "element type"])]

CERTIFICATES: list[Any] = [
    (on(ABC, "1/3"), "a", "b", 16),
    (on(ABC, "2/3"), "a", "b", 16),
    (on(ABC, "2/3"), "c", "a", 16),
    (on(ABC, "9/10"), "b", "outside", 16),
    (on(ABC, "9/10"), "outside", "elsewhere", 16),
    (on([0, 1], 0.75), 0, 1, 8),
    (on([0, 1], 0.75), 1, -5, 8),
    (on([1, 2, 3, 4, 5], 0.5), 5, 1, 14),
    (on([1, 2, 3, 4, 5], 0.5), 3, 9, 14),
    (on([True, False], "3/5"), True, False, 16),
    (on(ABC, "2/3"), "a", "a", 16),
]
LIMITS: list[Any] = [
    (on(ABC, 1), "a", "a"),
    (on(ABC, 1), "c", "c"),
    (on([5, 3], 1.0, T="u8"), 3, 3),
    (on([False, True], "1"), True, True),
]
MAP_VALUES: list[Any] = [
    (on(ABC, "1/3"), 1, 0),
    (on(ABC, "2/3"), 1, lambda bits: ln(mpq(4), bits)),
    (on([0, 1], 0.75), 2, lambda bits: ln(mpq(3), bits)),
    (on(list(range(100)), "1/2"), 1, lambda bits: ln(mpq(99), bits)),
    (on(ABC, 1), 1, math.inf),
]

CONTRACTS = [
    Contract(
        dp.m.make_randomized_response,
        arguments(),
        REFUSALS,
        data=data,
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=MAP_VALUES,
        examples=60,
    )
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
