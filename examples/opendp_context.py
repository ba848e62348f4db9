"""Forty lines of OpenDP's Context, and what they do in either library.

They were written for OpenDP 0.16, and run here after one import is changed. To see both
side by side, where OpenDP is installed (it takes half a minute for its searches), run

    python examples/opendp_context.py opendp_lite.prelude opendp.prelude
"""

from __future__ import annotations

import importlib
import sys
from typing import Any


def script(dp: Any) -> dict[str, Any]:
    """Run the lines, and return some of what was seen."""
    dp.enable_features("contrib")
    seen: dict[str, Any] = {}
    data = [23, 25, 31, 40, 44, 52, 61, 70]
    context = dp.Context.compositor(
        data=data,
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=3.0),
        split_evenly_over=3,
        domain=dp.vector_domain(dp.atom_domain(T=int)),
    )
    assert context.remaining_privacy_loss() == [1.0, 1.0, 1.0]
    assert context.current_privacy_loss() == []
    count = context.query().count().laplace()
    seen["scale of a count, epsilon 1"] = count.param()
    assert abs(count.param() - 1.0) < 1e-9
    assert isinstance(count.release(), int)
    total = context.query().clamp((0, 100)).sum().laplace()
    seen["scale of a sum, epsilon 1"] = total.param()
    assert abs(total.param() - 100.0) < 1e-6
    assert total.resolve().map(1) <= 1.0
    assert isinstance(total.release(), int)
    sub = context.query().compositor(split_by_weights=[1, 3]).release()
    seen["shares of 1, by weights 1 and 3"] = sub.remaining_privacy_loss()
    assert isinstance(sub.query().count().laplace().release(), int)
    assert isinstance(sub.query().clamp((0, 100)).sum().laplace(200.0).release(), int)
    assert len(context.remaining_privacy_loss()) == 0
    try:
        context.query()
    except ValueError:
        pass
    else:
        raise AssertionError("the allowance is exhausted")

    filtered = dp.Context.compositor(
        data=data,
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0, delta=1e-6),
        domain=dp.vector_domain(dp.atom_domain(T=int)),
    )
    assert filtered.current_privacy_loss() == (0.0, 0.0)
    half = filtered.query(epsilon=0.5, delta=0.0).count().laplace()
    assert isinstance(half.release(), int)
    assert filtered.remaining_privacy_loss() == (0.5, 1e-6)
    gauss = filtered.query(epsilon=0.25, delta=5e-7).count().gaussian()
    scale = gauss.param()
    seen["scale of a cast to (1/4, 5e-7)"] = scale  # OpenDP loses it
    assert scale is None or 15 < scale < 25
    assert isinstance(gauss.release(), int)

    rho = dp.Context.compositor(
        data=data,
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(rho=0.1),
        split_by_weights=[1, 1],
        domain=dp.vector_domain(dp.atom_domain(T=int)),
    )
    gauss = rho.query().clamp((0, 100)).sum().gaussian()
    seen["scale of a sum, rho 1/20"] = gauss.param()
    assert isinstance(gauss.release(), int)
    assert isinstance(rho.query().clamp((0, 100)).sum().laplace().release(), int)

    local = dp.Context.compositor(
        data=True,
        privacy_unit=dp.unit_of(local=True),
        privacy_loss=dp.loss_of(epsilon=1.0),
        split_evenly_over=2,
    )
    response = local.query().randomized_response_bool()
    seen["truth in a response, epsilon 1/2"] = response.param()
    assert response.param() == 0.6224593312018545
    # A Context has a budget in this library; without one, an odometer counts in both.
    rows = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    free = dp.c.make_fully_adaptive_composition(*rows, dp.max_divergence())(data)
    noisy = rows >> dp.t.then_count() >> dp.m.then_laplace(2.0)
    assert isinstance(free(noisy), int)
    assert free.privacy_loss(1) == 0.5

    tenths = dp.Context.compositor(
        data=data,
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
        domain=dp.vector_domain(dp.atom_domain(T=int)),
    )
    answered = 0
    try:
        for _ in range(11):
            tenths.query(epsilon=0.1).count().laplace().release()
            answered += 1
    except dp.OpenDPException:
        seen["queries of 0.1 within 1"] = answered  # OpenDP refuses the tenth
    return seen


def main() -> None:
    """Run the lines with the modules that are named."""
    found: dict[str, dict[str, Any]] = {}
    for name in sys.argv[1:] or ["opendp_lite.prelude"]:
        found[name] = script(importlib.import_module(name))
    print(f"{'':34}" + "".join(f"{name:26}" for name in found))
    for each in next(iter(found.values())):
        print(f"{each:34}" + "".join(f"{seen[each]!s:26}" for seen in found.values()))


if __name__ == "__main__":
    main()
