"""Bit-tree certificates of the snapping mechanism in exact arithmetic.

Every certificate is exact and has no flakiness. The tree is thin: some thousand runs
leave less than 1e-9. In the tight range a pair needs the epsilon that is claimed, up to
1/1000; beyond it, the loss that the proof of make_snapping states.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.snapping import snapping as module
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.sampler import ExactLogarithm, Snapping
from opendp_lite.verify import PrivacyCertificate
from tests.rows import for_each

FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
LISTS = dp.vector_domain(FLOATS[0]), dp.l1_distance(T=float)


def exact_loss(scale: Any, bounds: Any, d_in: Any) -> mpq:
    """The loss of the worst pair at distance d_in, to 50 digits; see the proof."""
    lattice = Lattice(to_mpq(bounds[0]), to_mpq(bounds[1]), to_mpq(scale))
    h, width = lattice.half, lattice.scale
    d = min(to_mpq(d_in), 2 * h)
    t0 = lattice.step * (math.floor(-h / lattice.step) + mpq(1, 2))
    if d <= h - t0:
        return d / width
    x0 = (t0 - h + d) / width
    return mpq((d / width - x0 + ln(2 - exp(-x0, 200), 200)).lo)


def certify(
    scale: Any, bounds: Any, x: float, x2: float, depth: int = 40
) -> PrivacyCertificate:
    measurement = dp.m.make_snapping(*FLOATS, scale=scale, bounds=bounds)
    certificate = verify.privacy(measurement, x, x2, depth=depth)
    certificate.assert_holds()
    assert certificate.paths <= 4000
    assert certificate.unresolved <= mpq(1, 10**9)
    assert certificate.certified_delta <= mpq(1, 10**9)
    return certificate


TIGHT: list[Any] = [
    # scale, bounds, x, x'
    (1, (-2, 2), 2.0, 1.0),
    (1, (-2, 2), 2.0, -1.5),
    (1, (-2, 2), -1.5, 2.0),  # d = 2h - Lambda/2
    (1, (-2, 2), 0.3, -0.3),
    ("3/4", (-2, 3), 3.0, 1.0),  # asymmetric
    ("3/4", (1000, 1003), 1003.0, 1001.0),
    ("1/3", ("1/3", 2), 2.0, 0.5),
    (2.5, (0, 1), 0.0, 1.0),  # t0 <= -h: all distances
    (2.5, (0, 1), -7.0, 50.0),  # beyond the clamp
    (1, (0, 3), math.inf, 1.0),
    (4, (0, 3), math.inf, -math.inf),
]


@for_each(("scale", "bounds", "x", "x2"), TIGHT)
def test_pairs_in_the_tight_range(scale: Any, bounds: Any, x: float, x2: float) -> None:
    certificate = certify(scale, bounds, x, x2)
    lower, upper = to_mpq(bounds[0]), to_mpq(bounds[1])
    a, b = (lower if y < lower else upper if y > upper else to_mpq(y) for y in (x, x2))
    distance = abs(a - b)
    assert exact_loss(scale, bounds, distance) == distance / to_mpq(scale)
    needed = certificate.needs_epsilon
    assert distance / to_mpq(scale) - needed <= mpq(1, 1000)
    if distance in (abs(x - x2), upper - lower):
        assert certificate.claimed_loss == distance / to_mpq(scale)


BEYOND: list[Any] = [
    ("1.01", (-2, 2), 4, "3.9604", "3.4579"),
    (1, (-2, 2), 4, "4", "3.8318"),
    (1, (-2, 2), 3.75, "3.75", "3.6998"),
    (3, (0, 8), 8, "2.6667", "2.3965"),
]


@for_each(("scale", "bounds", "distance", "claimed", "exact"), BEYOND)
def test_pairs_beyond_the_tight_range_lose_less(
    scale: Any, bounds: Any, distance: float, claimed: str, exact: str
) -> None:
    """The greatest loss belongs to the pair U, U - d, and is the one of the proof."""
    loss = exact_loss(scale, bounds, distance)
    assert abs(loss - to_mpq(exact)) < mpq(1, 10**4)
    upper = float(bounds[1])
    certificate = certify(scale, bounds, upper, upper - distance)
    assert abs(certificate.claimed_loss - to_mpq(claimed)) < mpq(1, 10**4)
    assert 0 <= loss - certificate.needs_epsilon <= mpq(1, 1000)
    assert certificate.claimed_loss - certificate.needs_epsilon > mpq(1, 40)


def test_no_pair_needs_more_than_the_exact_loss() -> None:
    """All pairs of a mesh at the greatest distances; the worst is at the upper end."""
    scale, bounds = "1.01", (-2, 2)
    measurement = dp.m.make_snapping(*FLOATS, scale=scale, bounds=bounds)
    needed = {}
    for k in range(5):
        x, x2 = 2 - k / 8, -1.5 - k / 8
        certificate = verify.privacy(measurement, x, x2, depth=30)
        needed[k] = certificate.needs_epsilon
        assert needed[k] <= exact_loss(scale, bounds, 3.5)
    assert max(needed, key=lambda k: needed[k]) == 0


def test_two_entries() -> None:
    measurement = dp.m.make_snapping(*LISTS, scale=2, bounds=(0, 1))
    certificate = verify.privacy(measurement, [0.0, 1.0], [1.0, 0.0], depth=24)
    certificate.assert_holds()
    assert certificate.claimed_loss == 1
    assert certificate.claimed_loss - certificate.needs_epsilon <= mpq(1, 100)


# Planted mistakes


class Wrong(Snapping):
    """Another scale of the noise, on the same lattice."""

    def __init__(self, lattice: Lattice, noise: ExactLogarithm) -> None:
        super().__init__(lattice, noise)
        object.__setattr__(self, "noise", ExactLogarithm(noise.scale * mpq(9, 10)))


class Unclamped(Snapping):
    """The input is not clamped."""

    def release(self, x: float) -> float:
        return self.lattice.released(self.sample(to_mpq(x) - self.lattice.middle))


class OneSided(Snapping):
    """The noise is never negative."""

    def finish(self, offset: mpq, negative: int, place: Any) -> int:
        return super().finish(offset, 0, place)


@pytest.mark.parametrize(
    ("mutant", "x", "x2"),
    [(Wrong, 2.0, 0.5), (Unclamped, 9.0, 2.0), (OneSided, 1.0, -1.0)],
)
def test_mutants_are_found(
    mutant: Callable[..., Snapping],
    x: float,
    x2: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "Snapping", mutant)
    measurement = dp.m.make_snapping(*FLOATS, scale=1, bounds=(-2, 2))
    certificate = verify.privacy(measurement, x, x2, depth=30)
    assert certificate.refuted
