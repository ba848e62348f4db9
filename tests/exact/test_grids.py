from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.grids import (
    ceil_multiple,
    exponent_at_least,
    floor_multiple,
    nearest_multiple,
    power_of_two,
)
from tests.rows import for_each

VECTORS = json.loads(
    (Path(__file__).parent.parent / "data" / "exact_vectors.json").read_text()
)
EXPONENTS = [v for v in VECTORS if v["function"] == "Lambda_exponent"]
MULTIPLES = [v for v in VECTORS if v["function"] == "round_to_multiple"]

# Where the documents' own algorithms, run as printed, give another value.
DOCUMENTS_DIFFER = {
    "Lambda_exponent-001",
    "Lambda_exponent-004",
    "Lambda_exponent-018",
    "round_to_multiple-001",
    "round_to_multiple-005",
    "round_to_multiple-007",
    "round_to_multiple-009",
    "round_to_multiple-015",
}

rationals = st.builds(
    mpq, st.integers(-(2**80), 2**80), st.integers(1, 2**80)
) | st.builds(
    lambda n, k: mpq(n, 2) * power_of_two(k), st.integers(), st.integers(-90, 90)
)


def number(text: str) -> mpq:
    """A hexadecimal float, or an integer, or a quotient."""
    if "x" in text:
        return mpq(*float.fromhex(text).as_integer_ratio())
    return mpq(text)


def ours(vector: dict[str, Any]) -> mpq:
    inputs = vector["inputs"]
    assert isinstance(inputs, dict)
    if vector["function"] == "Lambda_exponent":
        return power_of_two(exponent_at_least(number(inputs["lambda"])))
    k = int(inputs["k"])
    return nearest_multiple(number(inputs["x"]), k) * power_of_two(k)


def documented(vector: dict[str, Any]) -> mpq | float | None:
    """The value that the document's algorithm gives; None if it gives none."""
    text = vector.get("doc_value", vector.get("doc_integer"))
    if text in (None, "n/a"):
        return None
    assert isinstance(text, str)
    if text == "inf":
        return math.inf
    if vector["function"] == "Lambda_exponent":
        return number(text)
    inputs = vector["inputs"]
    assert isinstance(inputs, dict)
    return number(text) * power_of_two(int(inputs["k"]))


def test_the_vectors_are_there() -> None:
    assert len(EXPONENTS) == 12
    assert len(MULTIPLES) == 18
    assert {v["id"] for v in VECTORS} >= DOCUMENTS_DIFFER


@for_each("vector", EXPONENTS, ids=lambda v: v["id"])
def test_vectors_of_exponents(vector: dict[str, str]) -> None:
    assert ours(vector) == power_of_two(int(vector["expected"]))


@for_each("vector", MULTIPLES, ids=lambda v: v["id"])
def test_vectors_of_multiples(vector: dict[str, str]) -> None:
    assert ours(vector) == mpq(vector["expected"])


@for_each("vector", VECTORS, ids=lambda v: v["id"])
def test_the_documents_value_is_ours_except_where_it_is_wrong(
    vector: dict[str, str],
) -> None:
    value = documented(vector)
    if vector["id"] in DOCUMENTS_DIFFER:
        assert value is not None
        assert value != ours(vector)
    else:
        assert value is None or value == ours(vector)


@given(st.integers(-300, 300))
def test_power_of_two(k: int) -> None:
    power = power_of_two(k)
    assert power == Fraction(2) ** k
    assert isinstance(power, mpq)


@given(rationals.filter(lambda x: x != 0))
def test_exponent_at_least_is_the_least(x: mpq) -> None:
    k = exponent_at_least(abs(x))
    assert power_of_two(k - 1) < abs(x) <= power_of_two(k)


@given(st.integers(-2000, 2000), st.integers(1, 300))
def test_exponent_at_least_next_to_a_power(k: int, bits: int) -> None:
    nudge = power_of_two(k - bits)
    assert exponent_at_least(power_of_two(k)) == k
    assert exponent_at_least(power_of_two(k) + nudge) == k + 1
    assert exponent_at_least(power_of_two(k + 1) - nudge) == k + 1


@pytest.mark.parametrize("x", [mpq(0), mpq(-1)])
def test_exponent_at_least_needs_a_positive_number(x: mpq) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        exponent_at_least(x)


@given(rationals, st.integers(-90, 90))
def test_multiples(x: mpq, k: int) -> None:
    exact = Fraction(int(x.numerator), int(x.denominator)) / Fraction(2) ** k
    assert floor_multiple(x, k) == math.floor(exact)
    assert ceil_multiple(x, k) == math.ceil(exact)
    assert nearest_multiple(x, k) == math.floor(exact + Fraction(1, 2))
    assert type(nearest_multiple(x, k)) is int


@given(rationals, st.integers(-90, 90), st.integers(-1000, 1000))
def test_rounding_commutes_with_shifts_along_the_grid(x: mpq, k: int, m: int) -> None:
    shifted = x + m * power_of_two(k)
    assert nearest_multiple(shifted, k) == nearest_multiple(x, k) + m
