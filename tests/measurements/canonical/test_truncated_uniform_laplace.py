"""Sampler B of canonical noise: its law, by both proposals, its ends, and its cost.

The certificates are exact and have no flakiness. What a trial proposes, and whether it
is in the support, has a thin tree; the loop over the trials would make it thick. So the
law is certified of one trial, and a draw is shown to be the first that is not refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest
from gmpy2 import mpq

from opendp_lite import verify
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import FloatFormat, round_nearest, to_double
from opendp_lite.measurements.canonical.canonical_sampler import (
    CanonicalRV,
    PartialSample,
)
from opendp_lite.measurements.canonical.truncated_uniform_laplace import (
    TruncatedUniformLaplace,
    truncated_uniform_laplace,
)
from opendp_lite.randomness.discrete import DiscreteNoise
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits
from tests.longer import shortened
from tests.randomness.canonical_laws import Remembered, cell_law
from tests.randomness.laws import DRAWS, FLAKINESS, tolerance
from tests.randomness.real_laws import values
from tests.rows import for_each

TOY = FloatFormat(3, -1, 0)
LAPLACE = [("1", "0"), ("2", "0"), ("1", "1/16"), ("3", "1/2"), ("2", "1")]
UNIFORM = [("0", "1/4"), ("0", "1"), ("1/100", "1/8"), ("1/4", "1/4"), ("1/9", "9/10")]
ONE = mpq(1)
RUNS = 3000  # of a certificate that finds the mutants


def made(epsilon: str, delta: str, scale: mpq = ONE) -> TruncatedUniformLaplace:
    return TruncatedUniformLaplace(to_mpq(epsilon), to_mpq(delta), scale)


def is_uniform(noise: TruncatedUniformLaplace) -> bool:
    return not isinstance(getattr(noise.propose, "__self__", None), DiscreteNoise)


def accepted(noise: TruncatedUniformLaplace, precision: int) -> Enclosure:
    """The probability that a trial is in the support, from the weights b^|k|.

    The centre has the density 1 - 2c among what is accepted, and the mass of k = 0
    among all proposals, where all of the centre lies in the support.
    """
    b = exp(-noise.rate, precision)
    density = noise.law.tradeoff.density(precision)
    if is_uniform(noise):
        return Enclosure(1, 1) / (2 * noise.outer + 1) / density
    return (1 - b) / (1 + b) / density


def trial_law(
    noise: TruncatedUniformLaplace, shift: mpq, scale: mpq
) -> Callable[[mpq | None], Callable[[int], Enclosure]]:
    law = CanonicalRV(shift, scale, noise.law.tradeoff, noise.law.fixed_point)
    cells = cell_law(law, TOY)

    def pmf(y: mpq | None) -> Callable[[int], Enclosure]:
        if y is None:
            return lambda precision: 1 - accepted(noise, precision)
        return lambda precision: cells(y)(precision) * accepted(noise, precision)

    return pmf


def rounded_trial(noise: TruncatedUniformLaplace, shift: mpq, scale: mpq) -> mpq | None:
    found = noise.trial()
    if found is None:
        return None
    k, place = found
    at = rounded_at(shift, scale)

    def decide(prefix: int, length: int) -> mpq | None:
        near, far = (at(k, w, length) for w in (prefix, prefix + 1))
        return near if near == far else None

    return place.locate(decide)


@cache
def rounded_at(shift: mpq, scale: mpq) -> Callable[[int, int, int], mpq]:
    """The place w/2^length of k, rounded; a tree asks for the same again and again."""

    @cache
    def at(k: int, w: int, length: int) -> mpq:
        return round_nearest(shift + scale * (k - mpq(1, 2) + mpq(w, 1 << length)), TOY)

    return at


# Of the proposals with weights, 1/4 and 1/9 stay: 1/100 has many integers to propose.
# The widest uniform noise is not decided in fewer runs.
FEW = [(*case, RUNS) for case in LAPLACE + UNIFORM if case != UNIFORM[2]]
MANY = [(*case, 10_000) for case in LAPLACE + UNIFORM]


@pytest.mark.parametrize(
    ("epsilon", "delta", "runs"), shortened([*FEW, *MANY], *MANY, parts=3)
)
def test_the_law_of_one_trial(epsilon: str, delta: str, runs: int) -> None:
    noise, shift, scale = made(epsilon, delta), mpq(1, 3), mpq(3, 4)
    assert is_uniform(noise) == ((epsilon, delta) in UNIFORM)
    certificate = verify.law(
        lambda: rounded_trial(noise, shift, scale),
        trial_law(noise, shift, scale),
        22,
        runs=runs,
    )
    certificate.assert_holds()


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    shortened([("2", "0"), ("3", "1/2"), ("1/9", "1")], ("3", "1/2"), parts=2),
)
def test_a_draw_has_the_law(epsilon: str, delta: str) -> None:
    noise, shift = made(epsilon, delta, mpq(3, 4)), mpq(1, 3)
    law = CanonicalRV(shift, mpq(3, 4), noise.law.tradeoff, noise.law.fixed_point)
    verify.law(lambda: noise.sample(shift, TOY), cell_law(law, TOY), 22).assert_holds()


@for_each(("epsilon", "delta"), LAPLACE + UNIFORM)
@for_each("seed", range(12))
def test_a_draw_is_the_first_trial_within(epsilon: str, delta: str, seed: int) -> None:
    noise, shift, scale = made(epsilon, delta, mpq(3, 4)), mpq(1, 3), mpq(3, 4)
    with use_source(HashedBits(seed)):
        drawn = noise.sample(shift, TOY)
    with use_source(HashedBits(seed)):
        while (expected := rounded_trial(noise, shift, scale)) is None:
            pass
    assert drawn == expected


# Both have a certificate of their own; one of each kind of proposal stays.
@pytest.mark.parametrize(
    ("epsilon", "delta"),
    shortened(
        LAPLACE + UNIFORM,
        *(each for each in LAPLACE + UNIFORM if each not in (LAPLACE[2], UNIFORM[3])),
        parts=2,
    ),
)
def test_both_samplers_have_one_law(epsilon: str, delta: str) -> None:
    """The masses of A lie within what B has left open, and the other way round."""
    noise, shift = made(epsilon, delta), mpq(1, 3)
    law = Remembered(CanonicalRV(shift, ONE, noise.law.tradeoff, noise.law.fixed_point))
    a = verify.enumerate_tree(lambda: PartialSample(law).rounded(TOY), 18)
    b = verify.enumerate_tree(lambda: noise.sample(shift, TOY), 18, runs=2000)
    assert a.unresolved < mpq(1, 2000)
    assert b.unresolved < mpq(2, 3)
    for y in values(TOY):
        assert a.mass(y) <= b.mass(y) + b.unresolved
        assert b.mass(y) <= a.mass(y) + a.unresolved


class TooWide(TruncatedUniformLaplace):
    """Forgets to redraw what is outside."""

    def trial(self) -> tuple[int, LazyUniform] | None:
        k = self.propose()
        return None if k is None else (k, LazyUniform())


class OneSided(TruncatedUniformLaplace):
    """Cuts off below as above, by the same bits."""

    def _within(self, k: int, place: LazyUniform) -> bool:
        return super()._within(abs(k), place)


class Unweighted(TruncatedUniformLaplace):
    """Accepts every integer."""

    def _uniform(self) -> int | None:
        self.rate, rate = mpq(0), self.rate
        try:
            return super()._uniform()
        finally:
            self.rate = rate


@for_each(
    ("mutant", "epsilon", "delta"),
    [
        (TooWide, "1", "1/16"),
        (TooWide, "0", "3/10"),
        (OneSided, "1", "1/16"),
        (Unweighted, "1/4", "1/4"),
    ],
)
def test_the_certificate_detects_mutants(
    mutant: type[TruncatedUniformLaplace], epsilon: str, delta: str
) -> None:
    wrong = mutant(to_mpq(epsilon), to_mpq(delta), ONE)
    right = made(epsilon, delta)
    shift, scale = mpq(1, 3), mpq(3, 4)
    certificate = verify.law(
        lambda: rounded_trial(wrong, shift, scale),
        trial_law(right, shift, scale),
        22,
        runs=RUNS // 10,
    )
    assert certificate.refuted


@for_each("seed", range(24))
@for_each(("epsilon", "delta"), [LAPLACE[0], LAPLACE[2], UNIFORM[2]])
def test_release_and_sample_agree_on_doubles(
    epsilon: str, delta: str, seed: int
) -> None:
    noise = made(epsilon, delta, mpq(1, 10))
    for x in (0.0, -0.0, 0.1, -1e300, 1.7976931348623157e308, 5e-324):
        with use_source(HashedBits(seed)):
            released = noise.release(x)
        with use_source(HashedBits(seed)):
            sampled = noise.sample(to_mpq(x))
        assert type(released) is float
        assert released == to_double(sampled)
        assert math.copysign(1, released) == (1 if sampled >= 0 else -1)


def test_scale_zero_rounds_and_reads_no_bits() -> None:
    class None_:
        granularity = 1

        def bits(self, count: int) -> int:
            raise AssertionError("no bit is needed")

    noise = made("1", "0", mpq(0))
    with use_source(None_()):
        assert noise.release(0.1) == 0.1
        assert str(noise.release(-0.0)) == "0.0"
        assert noise.sample(mpq(1, 10)) == to_mpq(0.1)


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [
        *[("1e-300", "0"), ("1e-300", "1e-300"), ("1e-30", "0.01"), ("1e-30", "1e-40")],
        *[("0", "1e-300"), ("1e300", "0"), ("1e300", "1e-300"), ("1e6", "1")],
        *[("1e-9", "0.999999"), ("700", "1e-300"), ("1e-1000", "1e-1000")],
    ],
)
@pytest.mark.parametrize("seed", shortened(range(8), *range(4, 8)))
def test_parameters_of_any_size(epsilon: str, delta: str, seed: int) -> None:
    noise = truncated_uniform_laplace(to_mpq(epsilon), to_mpq(delta), ONE)
    with use_source(HashedBits(seed)):
        released = noise.release(0.0)
    assert math.isfinite(released)
    if delta != "0":
        assert abs(released) <= to_double(mpq(noise.end(200).hi))


def test_the_support_is_kept_and_its_ends_are_reached() -> None:
    noise = made("0", "2/5")  # uniform on (-5/4, 5/4)
    assert (noise.inner, noise.outer) == (0, 1)
    drawn = sorted(noise.release(0.0) for _ in range(4000))
    # Each of the two tests below fails by chance with probability 0.98^4000 < 1e-35.
    state_flakiness(1e-34)
    assert -1.25 <= drawn[0] < -1.2
    assert 1.2 < drawn[-1] <= 1.25


@pytest.mark.parametrize(
    ("epsilon", "delta"), [("1", "1e-6"), ("1/100", "1/10"), ("1/1000", "1e-9")]
)
def test_draws_from_the_operating_system(epsilon: str, delta: str) -> None:
    """By Massart's inequality; a distance of two tolerances would be found."""
    noise, count = made(epsilon, delta), DRAWS // 4
    drawn = sorted(noise.release(0.0) for _ in range(count))
    state_flakiness(FLAKINESS)
    exact = [float(noise.law.cdf(to_mpq(x), 64).lo) for x in drawn[::50]]
    steps = [(i * 50 / count, (i * 50 + 1) / count) for i in range(len(exact))]
    worst = max(
        max(abs(p - low), abs(p - high))
        for p, (low, high) in zip(exact, steps, strict=True)
    )
    assert worst <= tolerance(count)
    assert all(x <= y for x, y in pairwise(exact))


def test_noise_is_made_once() -> None:
    one = truncated_uniform_laplace(mpq(1), mpq(0), mpq(1))
    assert one is truncated_uniform_laplace(mpq(1), mpq(0), mpq(1))


@for_each(
    ("arguments", "words"),
    [
        ((mpq(1), mpq(0), mpq(-1)), "scale must be non-negative"),
        ((mpq(-1), mpq(0), mpq(1)), "epsilon must be at least 0"),
        ((mpq(0), mpq(0), mpq(1)), "must not both be 0"),
        ((mpq(1), mpq(2), mpq(1)), "delta must be from 0 to 1"),
    ],
)
def test_what_is_refused(arguments: tuple[mpq, mpq, mpq], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TruncatedUniformLaplace(*arguments)


@for_each(
    ("epsilon", "delta"),
    [
        ("1/1000", "1e-9"),
        ("1e-6", "1e-3"),
        ("0", "1/100"),
        ("1e-6", "0"),
        ("50", "1/2"),
    ],
)
def test_the_cost_is_flat(epsilon: str, delta: str) -> None:
    """A draw takes few trials: at least every twelfth is accepted, on average.

    1000 draws take more than 20 trials each with probability below 1e-100.
    """
    noise = made(epsilon, delta)
    count = 0

    def counted() -> tuple[int, LazyUniform] | None:
        nonlocal count
        count += 1
        return noise.trial()

    state_flakiness(1e-100)
    for _ in range(1000):
        while counted() is None:
            pass
    assert count <= 20_000
    assert accepted(noise, 64).lo >= mpq(1, 12)
