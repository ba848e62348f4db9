"""Units and losses: as OpenDP writes them, and refused where they make no sense."""

from __future__ import annotations

import logging
from fractions import Fraction
from typing import Any

import numpy as np
import opendp.prelude as theirs
import pytest

import opendp_lite.prelude as dp
from tests.rows import for_each

DISTANCES = ("contributions", "changes", "absolute", "l1", "l2")
UNITS: list[dict[str, Any]] = [
    {"contributions": 3},
    {"contributions": 3, "ordered": True},
    {"changes": 2},
    {"changes": 2, "ordered": True},
    {"absolute": 1},
    {"absolute": 0.5},
    {"l1": 2.0},
    {"l2": 2},
    {"l2": 2.0, "U": float},
    {"local": True},
]


@for_each("given", UNITS, ids=str)
def test_units_are_those_of_opendp(given: dict[str, Any]) -> None:
    metric, distance = dp.unit_of(**given)
    other, same = theirs.unit_of(**given)
    assert distance == same
    assert type(metric).__name__ == str(other).partition("(")[0]


@for_each(
    "given",
    [{"epsilon": 1.0}, {"rho": 0.1}, {"epsilon": 1.0, "delta": 1e-9}, {"rho": 1 / 8}],
    ids=str,
)
def test_losses_are_those_of_opendp(given: dict[str, Any]) -> None:
    measure, loss = dp.loss_of(**given)
    other, same = theirs.loss_of(**given)
    assert loss == same
    assert repr(measure).replace("()", "") == str(other)


def test_exact_numbers_are_taken() -> None:
    assert dp.loss_of(epsilon="0.1")[1] == "0.1"
    assert dp.loss_of(rho=Fraction(1, 3))[1] == Fraction(1, 3)
    assert dp.unit_of(contributions=np.int64(2))[1] == 2
    assert dp.unit_of(absolute=Fraction(1, 2))[0] == dp.absolute_distance(T=float)


NOBODY, NO_NOISE = "nobody is protected", "no noise is enough"
INFINITE, CERTAIN = "an infinite loss allows every", "a delta of 1 allows every"

WRONG_UNITS: list[tuple[dict[str, Any], str]] = [
    *(({name: 0}, f"{name}=0: data at distance 0") for name in DISTANCES),
    *(({name: 0.0}, NOBODY) for name in DISTANCES),
    *(({name: "0"}, NOBODY) for name in DISTANCES),
    *(({name: float("inf")}, f"{name}=inf: {NO_NOISE}") for name in DISTANCES),
    *(({name: "inf"}, NO_NOISE) for name in DISTANCES),
    ({"contributions": 0, "ordered": True}, NOBODY),
    ({"contributions": 0, "identifier": "id"}, NOBODY),
    ({"contributions": float("inf"), "identifier": "id"}, NO_NOISE),
    ({"l2": 0, "U": float}, NOBODY),
    ({}, "exactly one distance is needed, and none came"),
    ({"contributions": 1, "changes": 1}, "contributions and changes came"),
    ({"changes": 1, "identifier": "id"}, "of whom contributions may come or go"),
    ({"contributions": 1, "identifier": "id", "ordered": True}, "may come or go"),
    ({"contributions": 1, "identifier": 3}, "must be the name of a column"),
    ({"contributions": -1, "identifier": "id"}, "contributions=-1: must be at least"),
    ({"contributions": [1, 2]}, "Pass rows= and groups= to Context.table"),
    ({"contributions": -1}, "contributions=-1: must be at least 0"),
    ({"contributions": 1.5}, "contributions=1.5: must be an integer"),
    ({"contributions": True}, "contributions=True: must be a number"),
    ({"absolute": float("nan")}, "absolute=nan"),
    ({"absolute": 1, "ordered": True}, "ordered=True: rows are ordered"),
    ({"contributions": 1, "U": int}, "U=<class 'int'>"),
    ({"local": False}, "local=False"),
    ({"local": True, "ordered": True}, "ordered=True"),
    ({"local": True, "U": int}, "U=<class 'int'>"),
]


@for_each(("given", "said"), WRONG_UNITS, ids=str)
def test_a_wrong_unit_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        dp.unit_of(**given)
    assert said in str(caught.value)


WRONG_LOSSES: list[tuple[dict[str, Any], str]] = [
    ({"epsilon": float("inf")}, f"epsilon=inf: {INFINITE}"),
    ({"epsilon": "inf"}, INFINITE),
    ({"rho": float("inf")}, f"rho=inf: {INFINITE}"),
    ({"epsilon": float("inf"), "delta": 1e-9}, f"epsilon=inf: {INFINITE}"),
    ({"epsilon": float("inf"), "delta": 1}, f"epsilon=inf: {INFINITE}"),
    ({"rho": float("inf"), "delta": 0}, f"rho=inf: {INFINITE}"),
    ({"epsilon": 1, "delta": 1}, f"delta=1: {CERTAIN}"),
    ({"epsilon": 0, "delta": 1.0}, f"delta=1.0: {CERTAIN}"),
    ({"epsilon": 1, "delta": "1"}, CERTAIN),
    ({"rho": 1, "delta": 1}, CERTAIN),
    ({"epsilon": 1, "delta": float("inf")}, "delta=inf: must be at most 1"),
    ({}, "neither came"),
    ({"epsilon": 1, "rho": 1}, "both came"),
    ({"delta": 1e-6}, "neither came"),
    ({"epsilon": -1}, "epsilon=-1: must be at least 0"),
    ({"epsilon": float("nan")}, "epsilon=nan"),
    ({"epsilon": True}, "epsilon=True"),
    ({"epsilon": 1, "delta": 2}, "delta=2: must be at most 1"),
    ({"epsilon": 1, "delta": -1}, "delta=-1: must be at least 0"),
    ({"rho": [0.1]}, "rho=<sequence>"),
]


def test_what_is_refused_is_not_advised_on(caplog: pytest.LogCaptureFixture) -> None:
    for given in ({"epsilon": 9, "delta": 1}, {"rho": float("inf")}):
        with caplog.at_level(logging.INFO), pytest.raises(dp.OpenDPException):
            dp.loss_of(**given)
    assert caplog.records == []


def test_a_loss_of_0_is_a_promise() -> None:
    for given in ({"epsilon": 0}, {"rho": 0.0}, {"epsilon": 0, "delta": 0}):
        assert dp.loss_of(**given)[1] in (0, (0, 0))


@for_each(("given", "said"), WRONG_LOSSES, ids=str)
def test_a_wrong_loss_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        dp.loss_of(**given)
    assert said in str(caught.value)


def test_which_numbers_came_is_a_value_error_as_in_opendp() -> None:
    for call in (dp.unit_of, dp.loss_of, theirs.unit_of, theirs.loss_of):
        with pytest.raises(ValueError):  # noqa: PT011
            call()


@pytest.mark.parametrize(
    ("given", "level", "said"),
    [
        ({"epsilon": 1.0}, None, ""),
        ({"epsilon": 1.1}, logging.INFO, "typically less than or equal to 1"),
        ({"epsilon": 5.0}, logging.INFO, "typically"),
        ({"epsilon": 5.1}, logging.WARNING, "should be less than or equal to 5"),
        ({"rho": 0.25}, None, ""),
        ({"rho": 0.3}, logging.INFO, "typically less than or equal to 0.25"),
        ({"rho": 0.6}, logging.WARNING, "should be less than or equal to 0.5"),
        ({"epsilon": 1.0, "delta": 1e-6}, None, ""),
        ({"epsilon": 1.0, "delta": 1e-5}, logging.WARNING, "delta should be less"),
    ],
    ids=str,
)
def test_advice_is_given_where_opendp_gives_it(
    given: dict[str, Any],
    level: int | None,
    said: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for library in (dp, theirs):
        caplog.clear()
        with caplog.at_level(logging.INFO):
            library.loss_of(**given)
        levels = [record.levelno for record in caplog.records]
        assert levels == ([] if level is None else [level])
        assert said in caplog.text
