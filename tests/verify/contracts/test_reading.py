"""A contract finds who falsely claims to read lists of floats as their arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.transformation import Transformation
from opendp_lite.verify.contracts.array_checks import check_arrays
from opendp_lite.verify.contracts.checks import Trial
from opendp_lite.verify.contracts.terms import ContractBroken
from tests.rows import for_each

DATA = dp.vector_domain(dp.atom_domain(T=float, nan=False))
SYMMETRIC = dp.symmetric_distance()


def rows(function: Callable[[Any], Any], reads: bool) -> Transformation:
    return Transformation(
        DATA,
        DATA,
        function,
        SYMMETRIC,
        SYMMETRIC,
        lambda d_in: d_in,
        reads_floats=reads,
    )


def release(
    function: Callable[[Any], Any], reads: bool, lists: int | None = None
) -> Measurement:
    return Measurement(
        DATA,
        function,
        SYMMETRIC,
        dp.max_divergence(),
        lambda d_in: d_in,
        reads_floats=reads,
        lists_floats=lists,
    )


def is_list(arg: Any) -> bool:
    return type(arg) is list


# What goes in comes out; only long lists are told; what is released tells it.
FAULTS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "kind": (rows, lambda arg: arg[:0]),
    "long": (rows, lambda arg: [0.5] * (len(arg) >= 256 and is_list(arg))),
    "release": (release, is_list),
}


@for_each("name", FAULTS)
@for_each("x", [[0.5], [0.5, -0.0, 1.0]])
def test_a_false_claim_to_read_floats_is_found(name: str, x: list[float]) -> None:
    make, function = FAULTS[name]
    check_arrays(Trial(make(function, False), x, x, 1))
    with pytest.raises(ContractBroken, match="claims reads_floats"):
        check_arrays(Trial(make(function, True), x, x, 1))


def test_a_true_claim_to_read_floats_is_kept() -> None:
    for x in ([], [0.5], [0.5, 1]):
        check_arrays(Trial(rows(lambda arg: [0.25] * len(arg), True), x, x, 1))
        check_arrays(Trial(release(len, True), x, x, 1))


def listing(of_list: Callable[[Any], Any], shape: Any = None) -> Callable[[Any], Any]:
    """What makes zeros of an array, and of a list something else."""

    def function(arg: Any) -> Any:
        if is_list(arg):
            return of_list(arg)
        return np.zeros(len(arg) if shape is None else (len(arg), *shape))

    return function


def zeros(arg: Any) -> list[float]:
    return [0.0] * len(arg)


def at(length: int) -> Callable[[Any], Any]:
    return lambda arg: [1.0 * (len(arg) == length)] * len(arg)


def written(arg: Any) -> Any:
    """Writes to a long array that it was given."""
    if is_list(arg):
        return zeros(arg)
    if len(arg) >= 200:
        arg[:] = 0.0
    return np.zeros(len(arg))


# An array of a list; a list of an array; other numbers; no array of one dimension.
FALSE_LISTS: dict[str, Callable[[Any], Any]] = {
    "array": lambda arg: np.zeros(len(arg)),
    "list": zeros,
    "none": lambda _: None,
    "number": listing(lambda arg: [1.0] * len(arg)),
    "sign": listing(lambda arg: [-0.0] * len(arg)),
    "least": listing(at(48)),
    "short": listing(at(255)),
    "long": listing(at(256)),
    "matrix": listing(lambda arg: [[0.0]] * len(arg), [1]),
}


@for_each("name", FALSE_LISTS)
@for_each("x", [[0.5], [0.5, -0.0, 1.0]])
def test_a_false_claim_to_list_floats_is_found(name: str, x: list[float]) -> None:
    function = FALSE_LISTS[name]
    check_arrays(Trial(release(function, False), x, x, 1))
    with pytest.raises(ContractBroken, match="claims lists_floats"):
        check_arrays(Trial(release(function, False, 48), x, x, 1))


def test_who_writes_to_what_the_door_read_is_found() -> None:
    check_arrays(Trial(release(written, False), [0.5], [0.5], 1))
    with pytest.raises(ValueError, match="read-only"):
        check_arrays(Trial(release(written, False, 48), [0.5], [0.5], 1))


def test_a_true_claim_to_list_floats_is_kept() -> None:
    def doubled(arg: Any) -> Any:
        return [2 * x for x in arg] if is_list(arg) else 2 * arg

    for x in ([], [0.5], [0.5, 1]):
        check_arrays(Trial(release(doubled, False, 1), x, x, 1))
        check_arrays(Trial(release(listing(at(47)), False, 48), x, x, 1))
