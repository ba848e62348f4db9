"""Expected values of transformations whose results are rows, from tests/data."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite import transformations

DATA = Path(__file__).resolve().parent.parent / "data" / "row_vectors.json"
VECTORS: list[dict[str, Any]] = json.loads(DATA.read_text())["vectors"]
TYPES: dict[str, Any] = {"int": int, "float": float, "str": str}
METRICS = {
    "symmetric_distance": dp.symmetric_distance(),
    "insert_delete_distance": dp.insert_delete_distance(),
    "change_one_distance": dp.change_one_distance(),
    "hamming_distance": dp.hamming_distance(),
}


@pytest.fixture(autouse=True)
def _draft() -> None:
    dp.enable_features("contrib")


def value(data: Any) -> Any:
    """A value of the data or of an argument."""
    if isinstance(data, dict):
        return float.fromhex(data["float"])
    return list(map(value, data)) if isinstance(data, list) else data


def made(vector: dict[str, Any]) -> Any:
    space = vector["space"]
    row: Any = dp.atom_domain(T=TYPES[space["rows"]])
    row = dp.option_domain(row) if space.get("option") else row
    domain: Any = dp.vector_domain(row, space.get("size"))
    metric: Any = METRICS[space["metric"]]
    ((name, arguments),) = vector["chain"]
    given = {each: value(argument) for each, argument in arguments.items()}
    return getattr(transformations, name)(domain, metric, **given)


def same(found: Any, expected: Any) -> bool:
    """Whether a value is the one that is written: a number, NaN, text, None."""
    if expected is None or isinstance(expected, bool) or isinstance(found, str):
        return type(found) is type(expected) and bool(found == expected)
    if expected in ("nan", "inf", "-inf"):
        return repr(found) == expected
    return (
        type(found) is not bool and math.isfinite(found) and found == Fraction(expected)
    )


def of_kind(kind: str) -> Any:
    chosen = [each for each in VECTORS if each["kind"] == kind]
    assert chosen
    return pytest.mark.parametrize("vector", chosen, ids=lambda each: each["id"])


def test_every_vector_is_of_a_kind_that_is_tested() -> None:
    assert {each["kind"] for each in VECTORS} <= {"function", "map", "refused"}


@of_kind("function")
def test_functions(vector: dict[str, Any]) -> None:
    found = made(vector)(value(vector["data"]))
    assert len(found) == len(vector["expected"])
    assert all(map(same, found, vector["expected"]))


@of_kind("map")
def test_maps(vector: dict[str, Any]) -> None:
    assert made(vector).map(int(vector["d_in"])) == int(vector["expected"])


@of_kind("refused")
def test_refusals(vector: dict[str, Any]) -> None:
    expected = vector["expected"]
    with pytest.raises(dp.OpenDPException) as caught:
        made(vector)
    assert caught.value.variant == expected["refused"]
    assert caught.value.message.startswith(f"{expected['names']}=")
