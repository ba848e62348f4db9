"""Contexts for tests, and the number that must never be shown."""

from __future__ import annotations

from typing import Any

import opendp_lite.prelude as dp

SECRET = 987654321
ROWS = [SECRET, 25, 31, 40, 44, 52, 61, 70]
INTEGERS = dp.vector_domain(dp.atom_domain(T=int))
ONE_ROW = dp.unit_of(contributions=1)

PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()
PAIR, BOTH = dp.approximate(PURE), dp.approximate(CONCENTRATED)
# A budget under each measure, and a query that takes a part of it.
LOSSES: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    (PURE, {"epsilon": 1.0}, {"epsilon": 0.1}),
    (CONCENTRATED, {"rho": 0.1}, {"rho": 0.01}),
    (PAIR, {"epsilon": 1.0, "delta": 1e-6}, {"epsilon": 0.1, "delta": 1e-7}),
    (BOTH, {"rho": 0.1, "delta": 1e-6}, {"rho": 0.01, "delta": 1e-7}),
]


def opened(
    *,
    evenly: Any = None,
    weights: Any = None,
    data: Any = ROWS,
    unit: Any = ONE_ROW,
    domain: Any = INTEGERS,
    keep: bool = False,
    **loss: Any,
) -> dp.Context:
    return dp.Context.compositor(
        data=data,
        privacy_unit=unit,
        privacy_loss=dp.loss_of(**loss),
        split_evenly_over=evenly,
        split_by_weights=weights,
        domain=domain,
        keep=keep,
    )
