"""The check of a contract on maps, where a value is a root."""

from __future__ import annotations

from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.roots import above, root
from opendp_lite.verify.contracts.maps import check_map, check_map_value
from opendp_lite.verify.contracts.terms import ContractBroken


def halves(stability_map: Any) -> Transformation:
    rows = dp.vector_domain(dp.atom_domain(T=int), size=4)
    return Transformation(
        rows,
        dp.vector_domain(dp.atom_domain(T=int), size=2),
        lambda x: [sum(v > 0 for v in x), sum(v <= 0 for v in x)],
        dp.change_one_distance(),
        dp.l2_distance(T=float),
        stability_map,
    )


def exact(d: Any) -> Any:
    return root(2 * min(d, 4) ** 2)


def test_roots_are_exact_values() -> None:
    made = halves(exact)
    check_map(made, [0, 1, 2, 3, 10], zero_at_zero=True)
    check_map_value(made, 1, root(2))
    check_map_value(made, 9, root(32))


@pytest.mark.parametrize("other", [2 + mpq(1, 10**40), 2 - mpq(1, 10**40), 3])
def test_a_root_is_compared_without_tolerance(other: Any) -> None:
    with pytest.raises(ContractBroken, match="exact value"):
        check_map_value(halves(exact), 1, root(other))


def test_a_root_that_was_rounded_on_the_way_is_found() -> None:
    with pytest.raises(ContractBroken, match="exact value"):
        check_map_value(halves(lambda d: above(exact(d), -64)), 1, root(2))


def test_a_map_that_falls_from_root_to_root_is_found() -> None:
    falling = halves(lambda d: root(0 if d == 0 else 10 - mpq(d, 4)))
    with pytest.raises(ContractBroken, match="falls"):
        check_map(falling, [0, 1, 2, 3], zero_at_zero=True)
