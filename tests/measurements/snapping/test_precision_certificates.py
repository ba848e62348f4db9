"""Bit-tree certificates of the snapping mechanism in finite arithmetic.

With precisions of a few bits the tree is complete: the arithmetic knows a number of w
bits and no more, and beyond the clamp nothing is left to decide. So these losses are
those of the mechanism, nothing is left open (the cap is 0), and what the arithmetic
adds to d_in/scale is in plain sight. There is no flakiness.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.measurements.snapping.finite_logarithm import FiniteLogarithm
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.precision import finite_loss
from opendp_lite.measurements.snapping.sampler import Snapping
from opendp_lite.verify import PrivacyCertificate
from tests.longer import shortened
from tests.randomness.finite_laws import finite_law, logarithm
from tests.rows import for_each

FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
DEPTH = 200


def snapping(lattice: Lattice, precision: int) -> Snapping:
    return Snapping(lattice, FiniteLogarithm(lattice.scale, precision))


def mechanism(
    lattice: Lattice, precision: int, claimed_precision: int | None = None
) -> Measurement:
    """The mechanism at a precision that the constructor refuses.

    It claims the loss of `claimed_precision`, by default its own; 0 stands for the map
    of the exact arithmetic.
    """
    claimed = precision if claimed_precision is None else claimed_precision

    def privacy_map(d_in: Any) -> Any:
        if claimed == 0:
            return min(d_in, 2 * lattice.half) / lattice.scale
        return finite_loss(lattice, claimed, 1, d_in)

    return Measurement(
        FLOATS[0],
        snapping(lattice, precision).release,
        FLOATS[1],
        dp.max_divergence(),
        privacy_map,
    )


def certify(measurement: Measurement, x: float, y: float) -> PrivacyCertificate:
    certificate = verify.privacy(measurement, x, y, depth=DEPTH, cap=0)
    assert certificate.unresolved == 0
    assert certificate.paths < 2000
    return certificate


LATTICES = {
    "symmetric": Lattice(mpq(-2), mpq(2), mpq(1)),
    "asymmetric": Lattice(mpq(-1), mpq(2), mpq(3, 4)),
    "off the doubles": Lattice(mpq(-1, 3), mpq(7, 5), mpq(9, 10)),
    "narrow": Lattice(mpq(0), mpq(1, 4), mpq(1)),
    "away from 0": Lattice(mpq(1000), mpq(1002), mpq(5, 8)),
}


def places(lattice: Lattice) -> list[float]:
    """Doubles at the bounds, between them, and beyond."""
    low, high = lattice.least, lattice.greatest
    middle = (low + high) / 2
    return [-math.inf, low, (3 * low + high) / 4, middle, high, high + 1]


@pytest.mark.parametrize("name", LATTICES)
# The coarsest and the finest stay.
@pytest.mark.parametrize("precision", shortened([4, 5, 6, 10], 5, 6))
def test_pairs_are_as_private_as_claimed(precision: int, name: str) -> None:
    lattice = LATTICES[name]
    measurement = mechanism(lattice, precision)
    for x, y in [*pairwise(places(lattice)), (lattice.least, lattice.greatest)]:
        certificate = certify(measurement, x, y)
        certificate.assert_holds()
        # What the arithmetic adds is at most 0.28 eta (h/scale + 1), says the proof.
        moved = abs(
            lattice.offset(_real(x, lattice)) - lattice.offset(_real(y, lattice))
        )
        added = mpq("0.28") * mpq(1, 2**precision) * (lattice.half / lattice.scale + 1)
        assert certificate.needs_epsilon <= moved / lattice.scale + added


def _real(x: float, lattice: Lattice) -> mpq:
    return to_mpq(x) if math.isfinite(x) else lattice.lower


# The terms in eta are needed


TIGHT = {
    "inside": (LATTICES["symmetric"], 0.0, 2.0),
    "from end to end": (Lattice(mpq(-5, 4), mpq(5, 4), mpq(1)), -1.25, 1.25),
    "beyond the ends": (Lattice(mpq(-5, 4), mpq(5, 4), mpq(1)), -10.0, math.inf),
    "asymmetric": (Lattice(mpq(1000), mpq(1002), mpq(5, 4)), 1000.0, 1002.0),
    "narrow": (Lattice(mpq(0), mpq(1, 4), mpq(1)), 0.0, 0.25),
}


@for_each("name", TIGHT)
@for_each("precision", [4, 5, 6])
def test_the_map_of_the_exact_arithmetic_would_be_false(
    precision: int, name: str
) -> None:
    """More than d_in/scale is lost, at and beyond the clamp too."""
    lattice, x, y = TIGHT[name]
    certify(mechanism(lattice, precision), x, y).assert_holds()
    certificate = certify(mechanism(lattice, precision, claimed_precision=0), x, y)
    assert certificate.refuted
    assert certificate.needs_epsilon > certificate.claimed_loss + mpq(1, 50_000)


def test_neighbouring_doubles_lose_what_one_bit_of_the_word_weighs() -> None:
    """However small d_in is, the loss does not tend to 0: the constant is needed."""
    lattice = Lattice(mpq(-9, 4), mpq(9, 4), mpq(3, 2))
    x = 1.015625
    y = math.nextafter(x, 0)
    certificate = certify(mechanism(lattice, 4), x, y)
    certificate.assert_holds()
    assert certificate.needs_epsilon > mpq(1, 250)  # d_in is 2^-52
    exact = certify(mechanism(lattice, 4, claimed_precision=0), x, y)
    assert exact.refuted


def test_a_finer_precision_than_there_is_would_be_claimed_in_vain() -> None:
    """The arithmetic of 4 bits does not have the loss of 13 bits."""
    lattice = Lattice(mpq(-9, 4), mpq(9, 4), mpq(3, 2))
    x, y = 1.015625, math.nextafter(1.015625, 0)
    assert certify(mechanism(lattice, 4, claimed_precision=8), x, y).holds
    assert certify(mechanism(lattice, 4, claimed_precision=13), x, y).refuted
    assert certify(mechanism(lattice, 13), x, y).holds


# Vectors


def test_the_entries_of_a_vector_each_add_their_share() -> None:
    """Two entries that differ lose twice what one of them loses alone."""
    lattice = Lattice(mpq(0), mpq(1, 4), mpq(1))
    sampler = snapping(lattice, 4)
    space = dp.vector_domain(FLOATS[0], size=2), dp.l1_distance(T=float)
    measurement = Measurement(
        *(space[0], lambda arg: [sampler.release(x) for x in arg], space[1]),
        *(dp.max_divergence(), lambda d_in: finite_loss(lattice, 4, 2, d_in)),
    )
    one = certify(mechanism(lattice, 4), 0.0, 0.25).needs_epsilon
    both = verify.privacy(measurement, [0.0, -9.0], [0.25, 9.0], depth=DEPTH)
    apart = verify.privacy(measurement, [0.0, 9.0], [0.25, 9.0], depth=DEPTH)
    for certificate, times in ((both, 2), (apart, 1)):
        certificate.assert_holds()
        assert certificate.unresolved == 0
        assert certificate.paths < 4000
        assert abs(certificate.needs_epsilon - times * one) < mpq(1, 10**20)  # type: ignore[operator]
    # The exact arithmetic would lose 1/4 for each entry.
    assert both.needs_epsilon > mpq(1, 2) + mpq(1, 1000)


# The tree and the enumeration agree


@pytest.mark.parametrize("scale", [mpq(1), mpq(101, 100), mpq(1, 3)])
@pytest.mark.parametrize("place", shortened([mpq(0), mpq(1, 3), mpq(2), mpq(-2)], 2))
def test_the_tree_has_the_law_of_the_slow_arithmetic(scale: mpq, place: mpq) -> None:
    """Exactly: every index has the mass that all mantissas and exponents add up to."""
    lattice = Lattice(-2 * scale, 2 * scale, scale)
    law = finite_law(to_fraction(scale), 10, 10)
    v, step = to_fraction(place * scale), to_fraction(lattice.step)
    made, at = snapping(lattice, 4), place * scale
    tree = verify.enumerate_tree(lambda: made.sample(at), depth=DEPTH)
    assert tree.unresolved == 0
    masses = [tree.mass(j) for j in range(-lattice.last, lattice.last + 1)]
    assert [to_fraction(m) for m in masses] == law.cells(v, step, lattice.last)


# Every edge of a cell, at, just below and just above a value of the noise


def greatest_excess(scale: Fraction, half: Fraction, word: int, every: int) -> float:
    """The greatest loss above d/scale, in units of eta (h/scale + 1), over many pairs.

    The places v are such that a value of the noise takes v to an edge of a cell, or
    just short of it, or just beyond it; there the errors are extreme.
    """
    binades = math.ceil((2 * half / scale + 2) * 3 / 2) + 1
    law = finite_law(scale, word, binades)
    lattice = Lattice(to_mpq(-half), to_mpq(half), to_mpq(scale))
    step, last = to_fraction(lattice.step), lattice.last
    edge = step * (last - Fraction(1, 2))
    tiny = Fraction(1, 10**9)
    reached = [value for value in law.values if value < 2 * half + edge][::every]
    wanted = {
        v + shift
        for value in reached
        for v in (edge - value, value - edge, step / 2 - value, value - step / 2)
        for shift in (-tiny, 0, tiny)
        if abs(v + shift) <= half
    } | {-half, half, Fraction(0)}
    laws = [(v, law.cells(v, step, last)) for v in sorted(wanted)]
    unit = (half / scale + 1) * 64 / 2**word
    worst = Fraction(0)
    # For v < v' the losses beyond (v' - v)/scale are, with f = ln P - v/scale and
    # g = ln P + v/scale, f(v') - f(v) and g(v) - g(v').
    for j in range(2 * last + 1):
        for sign in (-1, 1):
            shifted = [
                [end + sign * v / scale for end in logarithm(masses[j], 64)]
                for v, masses in laws
            ][::-sign]
            least = shifted[0][0]
            for low, high in shifted:
                worst = max(worst, high - least)
                least = min(least, low)
    return float(worst / unit)


@pytest.mark.parametrize("scale", [Fraction(3, 2), Fraction(101, 100)])
def test_no_pair_of_places_loses_more_than_is_proved(scale: Fraction) -> None:
    excess = greatest_excess(scale, 2 * scale, 10, every=60)
    assert 0.03 < excess < 0.28


@pytest.mark.audit
@pytest.mark.parametrize("word", [10, 11])
@pytest.mark.parametrize(
    "scale", [Fraction(1), Fraction(3, 2), Fraction(101, 100), Fraction(1, 3)]
)
def test_no_place_among_many_loses_more_than_is_proved(
    scale: Fraction, word: int
) -> None:
    for half in (scale / 2, scale, 2 * scale):
        assert 0.02 < greatest_excess(scale, half, word, every=3) < 0.28
