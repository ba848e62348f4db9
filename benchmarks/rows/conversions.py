"""Conversions of losses: the delta of an epsilon, and the epsilon of a delta."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load

__all__ = ["TIMES", "rows"]

TIMES = 20
_MADE = "make_zCDP_to_approxDP, one map for all"
_ACCOUNTANT = "an RdpAccountant with its own orders, composed once"


def profile(name: str) -> Any:
    """The profile of Gaussian noise, through the same lines of either library."""
    dp = load(name)
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    noisy = dp.m.make_gaussian(*space, scale=1.0)
    return dp.c.make_zCDP_to_approxDP(noisy).map(1)


def accountant() -> Any:
    """Google's accountant of Renyi privacy, after one Gaussian release."""
    peer = load("dp-accounting")
    made = load("dp-accounting", submodule="rdp").RdpAccountant()
    return made.compose(peer.GaussianDpEvent(1.0))


def deltas(name: str) -> Call:
    """Ask for deltas at epsilons that differ."""
    if name == "dp-accounting":
        made = accountant()
        return lambda: [made.get_delta(1 + i / TIMES) for i in range(TIMES)]
    made = profile(name)
    return lambda: [made.delta(epsilon=1 + i / TIMES) for i in range(TIMES)]


def epsilons(name: str) -> Call:
    """Ask for epsilons at deltas that differ."""
    if name == "dp-accounting":
        made = accountant()
        return lambda: [made.get_epsilon(1e-6 / (1 + i)) for i in range(TIMES)]
    made = profile(name)
    return lambda: [made.epsilon(delta=1e-6 / (1 + i)) for i in range(TIMES)]


def rows() -> list[Row]:
    """Two rows: times are for one value."""
    return [
        Row(
            key,
            title,
            "value",
            tuple(
                Contender(name, partial(ask, name), TIMES, note=note)
                for name, note in (
                    (OURS, _MADE),
                    ("OpenDP", _MADE),
                    ("dp-accounting", _ACCOUNTANT),
                )
            ),
            (Goal(("OpenDP",), times), Goal(("dp-accounting",), 1)),
            "Gaussian 1, int",
        )
        for key, title, ask, times in (
            ("profile-delta", "the delta of an epsilon, by zCDP", deltas, 2),
            ("profile-epsilon", "the epsilon of a delta, by zCDP", epsilons, 30),
        )
    ]
