"""The law of real noise as it is shipped, certified in parts, and its loss.

A trial proposes a sign, a block and a place, and then accepts the place or not. The
tree of the proposals alone is thin. Given a block and a cell of places, the place is
accepted with the mean of e^(-loss) over the cell, which is an integral that can be
enclosed; that the test accepts with e^(-loss) is certified apart. So the mass of every
release follows, up to what is unresolved among the proposals.

Every certificate is exact and has no flakiness.
"""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from opendp_lite import verify
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erfc
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.real import RealNoise
from tests.randomness.laws import PRECISION, exponential
from tests.randomness.real_laws import (
    ROOT_HALF,
    ROOT_HALF_PI,
    acceptance,
    cells,
    rounder,
)
from tests.rows import for_each

FORMATS = [FloatFormat(2, -1, 1), FloatFormat(4, -2, 1)]
BLOCK_BITS = {LAPLACE: 6, GAUSSIAN: 6}  # what is shipped
# A tree of this depth finds 1 percent less noise; the audit has one of 24 bits too.
DEPTH, MOST_UNRESOLVED = 17, mpq(1, 60)


def integral(law: Law, t: mpq) -> Enclosure:
    """The integral of e^(-r s^power) over s > t, where r is the rate of scale 1."""
    if law is LAPLACE:
        return exponential(-t)
    return ROOT_HALF_PI * erfc(t * ROOT_HALF, PRECISION)


def weight(law: Law, t: mpq) -> Enclosure:
    return exponential(-t if law is LAPLACE else -t * t / 2)


def mean_acceptance(law: Law, y: int, prefix: int, length: int) -> Enclosure:
    """The mean of e^(-loss) over the places of a cell of block y."""
    unit = mpq(1, 1 << BLOCK_BITS[law])
    cell = mpq(1, 1 << length)
    start = (y + prefix * cell) * unit
    over = integral(law, start) - integral(law, start + cell * unit)
    return over / (cell * unit) / weight(law, y * unit)


def release_masses(
    noise: RealNoise, shift: mpq, fmt: FloatFormat, depth: int = DEPTH
) -> tuple[dict[mpq, Enclosure], mpq]:
    """The mass of each release of an accepted trial, and what is unresolved."""

    def propose() -> tuple[mpq, int, int, int]:
        y = noise.blocks.table.sample()
        negative, place = random_bits(1), LazyUniform()
        n, d = int(shift.numerator), int(shift.denominator)
        released = noise.finish(n, d, negative, y, place, rounder(fmt))
        return released, y, place.prefix, place.length

    tree = verify.enumerate_tree(propose, depth)
    means: dict[tuple[int, int, int], Enclosure] = {}
    masses: dict[mpq, Enclosure] = {}
    for key, (released, *cell) in tree.outcomes.items():
        at = (cell[0], cell[1], cell[2])
        if at not in means:
            means[at] = mean_acceptance(noise.law, *at)
        mass = tree.masses[key] * means[at]
        masses[released] = masses.get(released, Enclosure(0, 0)) + mass
    return masses, tree.unresolved


def law_fault(
    noise: RealNoise,
    shift: mpq,
    fmt: FloatFormat,
    *,
    scale: mpq,
    depth: int = DEPTH,
    most_unresolved: mpq = MOST_UNRESOLVED,
) -> str | None:
    """What contradicts the law of noise of this scale, or None."""
    masses, open_mass = release_masses(noise, shift, fmt, depth)
    assert open_mass < most_unresolved
    accepted = acceptance(noise.law, BLOCK_BITS[noise.law])
    stated = cells(noise.law, shift, scale, fmt)
    if not set(masses) <= set(stated):
        return "a value that the format does not have"
    for value, probability in stated.items():
        found = masses.get(value, Enclosure(0, 0))  # type: ignore[arg-type]
        joint = probability * accepted
        if found.lo > joint.hi:
            return f"too much mass on {value}"
        if joint.lo > found.hi + open_mass:
            return f"too little mass on {value}"
    return None


@pytest.mark.parametrize(
    ("fmt", "depth", "most_unresolved"),
    [
        (FORMATS[0], DEPTH, MOST_UNRESOLVED),
        *(
            pytest.param(fmt, 24, mpq(1, 5000), marks=pytest.mark.audit)
            for fmt in FORMATS
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("law", [LAPLACE, GAUSSIAN], ids=lambda law: law.name)
def test_the_law_of_a_release(
    law: Law, fmt: FloatFormat, depth: int, most_unresolved: mpq
) -> None:
    scale = mpq(3, 2)
    fault = law_fault(
        RealNoise(law, scale),
        mpq(1, 3),
        fmt,
        scale=scale,
        depth=depth,
        most_unresolved=most_unresolved,
    )
    assert fault is None


@pytest.mark.parametrize("law", [LAPLACE, GAUSSIAN], ids=lambda law: law.name)
def test_one_percent_less_noise_is_found(law: Law) -> None:
    scale = mpq(3, 2)
    noise = RealNoise(law, scale * mpq(99, 100))
    assert law_fault(noise, mpq(1, 3), FORMATS[0], scale=scale) is not None


@pytest.mark.parametrize(
    ("scale", "depth", "within"),
    [
        (mpq(1, 2), 18, mpq(1, 10)),
        pytest.param(mpq(1, 2), 26, mpq(1, 1000), marks=pytest.mark.audit),
        pytest.param(mpq(5, 2), 26, mpq(1, 1000), marks=pytest.mark.audit),
    ],
    ids=str,
)
def test_laplace_noise_loses_the_distance_over_the_scale(
    scale: mpq, depth: int, within: mpq
) -> None:
    # Given that a trial is accepted, the release has the mass found over that of all.
    noise, fmt = RealNoise(LAPLACE, scale), FORMATS[0]
    left, open_left = release_masses(noise, mpq(-1, 4), fmt, depth)
    right, open_right = release_masses(noise, mpq(3, 4), fmt, depth)
    claimed = 1 / scale
    factor = exponential(claimed)
    ratios = []
    for value in left:
        p, q = left[value], right.get(value, Enclosure(0, 0))
        # Neither order passes the claim, by more than what is unresolved.
        assert p.lo <= ((q + open_right) * factor).hi
        assert q.lo <= ((p + open_left) * factor).hi
        ratios.append(mpq(p.lo) / mpq((q + open_right).hi))
    # And it is needed, up to what the depth leaves open.
    needed = ln(max(ratios), PRECISION).lo
    assert claimed - within <= needed <= claimed


# The test accepts a place with probability e^(-loss)


PLACES = [0, 1, 2**63 - 1, 2**63, 3 * 2**62 + 12345, 2**64 - 1]


@for_each("y", [0, 1, 7, 40, 150])
@for_each("law", [LAPLACE, GAUSSIAN], ids=lambda law: law.name)
def test_a_place_is_accepted_with_the_ratio_of_its_weight(law: Law, y: int) -> None:
    blocks = RealNoise(law, mpq(1)).blocks
    unit = mpq(1, 1 << BLOCK_BITS[law])
    for place in PLACES:

        def accepts(v: int = place) -> bool:
            return LazyUniform().locate(
                lambda w, n: blocks.decide(y, v, v + 1, 64, w, n)
            )

        tree = verify.enumerate_tree(accepts, 40)
        assert tree.unresolved < mpq(1, 2**38)
        start = weight(law, y * unit)
        most = weight(law, (y + mpq(place, 2**64)) * unit) / start
        least = weight(law, (y + mpq(place + 1, 2**64)) * unit) / start
        assert tree.mass(True) <= most.hi
        assert tree.mass(True) + tree.unresolved >= least.lo
        assert blocks.accepts_quickly(y, 0)
        quick = blocks.quick[y]
        assert mpq(quick, 2**15) <= weight(law, (y + 1) * unit).hi / start.lo
