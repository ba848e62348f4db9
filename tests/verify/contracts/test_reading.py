"""A contract finds who falsely claims to read lists of floats as their arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.transformation import Transformation
from opendp_lite.verify.contracts.array_checks import check_arrays
from opendp_lite.verify.contracts.checks import Trial
from opendp_lite.verify.contracts.errors import ContractBroken
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


def release(function: Callable[[Any], Any], reads: bool) -> Measurement:
    return Measurement(
        DATA,
        function,
        SYMMETRIC,
        dp.max_divergence(),
        lambda d_in: d_in,
        reads_floats=reads,
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
