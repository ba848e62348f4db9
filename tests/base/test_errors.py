"""The exception and the sentences about parameters."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.base import arguments
from opendp_lite.base.arguments import (
    check_type,
    distance_argument,
    integer_argument,
    rational_argument,
)
from opendp_lite.base.errors import OpenDPException, SearchError, refusal, shown
from opendp_lite.exact.rationals import to_extended


def test_the_exception_carries_variant_and_message() -> None:
    error = OpenDPException("MakeDomain", "size=-1: must not be negative.")
    assert error.variant == "MakeDomain"
    assert error.message == "size=-1: must not be negative."
    assert str(error) == "MakeDomain: size=-1: must not be negative."
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is OpenDPException
    assert (again.variant, again.message) == (error.variant, error.message)


def test_a_search_error_is_a_value_error() -> None:
    error = SearchError("FailedSearch", "constant")
    assert isinstance(error, ValueError)
    assert isinstance(error, OpenDPException)
    assert type(pickle.loads(pickle.dumps(error))) is SearchError


LONG: list[Any] = [
    10**5000,
    -(10**5000),
    [10**5000],
    "x" * 10**6,
    list(range(10**6)),
    np.arange(10**6),
    {i: i for i in range(1000)},
    Fraction(10**5000),
    object(),
    float("nan"),
]


def test_any_value_can_be_named() -> None:
    for value in LONG:
        error = refusal("MakeDomain", "size", value, "is wrong", "Pass less.")
        assert error.message.startswith("size=")
        assert error.message.endswith(": is wrong. Pass less.")
        assert len(error.message) < 200


def test_an_int_is_shown_whole_when_it_is_short() -> None:
    assert shown(12345) == "12345"
    assert shown(2**127) == str(2**127)
    assert shown((0, 1.5)) == "(0, 1.5)"


def test_arguments_are_named_with_value_rule_and_fix() -> None:
    def refuse(check: Any, *args: Any, **kwargs: Any) -> str:
        with pytest.raises(OpenDPException) as caught:
            check("MakeMeasurement", *args, **kwargs)
        assert caught.value.variant == "MakeMeasurement"
        assert caught.value.__suppress_context__ or caught.value.__context__ is None
        return caught.value.message

    fix = "Pass 1"
    assert refuse(rational_argument, "scale", -1, fix=fix, at_least=0) == (
        "scale=-1: must be at least 0. Pass 1."
    )
    assert refuse(rational_argument, "prob", 2, fix=fix, at_most=1) == (
        "prob=2: must be at most 1. Pass 1."
    )
    assert refuse(rational_argument, "scale", "two", fix=fix).startswith(
        "scale='two': must be a number"
    )
    assert refuse(integer_argument, "k", 0.5, fix=fix) == (
        "k=0.5: must be an integer. Pass 1."
    )
    assert refuse(integer_argument, "k", float("inf"), fix=fix).startswith(
        "k=inf: must be a finite number"
    )
    assert refuse(check_type, "flag", 1, bool, fix) == "flag=1: must be a bool. Pass 1."
    assert integer_argument("MakeMeasurement", "k", 3.0, fix=fix) == 3
    assert type(integer_argument("MakeMeasurement", "k", np.int8(3), fix=fix)) is int
    assert distance_argument("d_in", "inf", fix, whole=True) == float("inf")


@pytest.mark.parametrize("whole", [False, True])
def test_a_distance_is_converted_once(
    whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    def watched(value: object) -> object:
        seen.append(value)
        return to_extended(value)

    monkeypatch.setattr(arguments, "to_extended", watched)
    monkeypatch.setattr(arguments, "to_mpq", watched)
    found = distance_argument("d_in", "7/1", "Pass 1", whole=whole)
    assert (found, type(found)) == (7, int if whole else mpq)
    assert seen == ["7/1"]
    with pytest.raises(OpenDPException, match="d_in='7/2': must be an integer"):
        distance_argument("d_in", "7/2", "Pass 1", whole=True)
    with pytest.raises(OpenDPException, match="must be at least 0"):
        distance_argument("d_in", "-1/2", "Pass 1", whole=whole)
