"""What measurements tell of their releases holds of the exact law, grid included.

The laws are added up here by ball arithmetic, which shares no code with the package,
and the releases of the shipped code are enumerated by the bit tree.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import attrs
import flint
import pytest
from flint import arb
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import testing
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.measurement import AUTHORS_NOISE
from opendp_lite.core.registry import constructor
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.canonical.canonical_sampler import (
    ApproximateTradeoff,
    CanonicalRV,
)
from opendp_lite.verify import enumerate_tree
from tests.rows import for_each

INTS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
MAPS = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
LEVELS: list[Any] = ["0.001", 0.05, "0.05", Fraction(1, 3), Decimal("0.9"), 1]
SCALES: list[Any] = ["0.1", 0.5, 1, Fraction(7, 3), 4.0]


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = 400
    yield
    flint.ctx.prec = before


def exact(x: Any) -> arb:
    x = Fraction(x)
    return arb(x.numerator) / arb(x.denominator)


@cache
def tails(power: int, scale: Fraction) -> dict[int, arb]:
    """P(Z >= z) of the discrete law, where more than e^-250 of the largest is left."""
    reach = math.ceil((250 if power == 1 else 23) * scale) + 2
    summed, found = arb(0), {}
    for z in range(reach, -reach - 1, -1):
        summed += (-exact(abs(Fraction(z) / scale) ** power / power)).exp()
        found[z] = summed
    return {z: each / summed for z, each in found.items()}


def at_least(z: int, law: dict[int, arb]) -> arb:
    """P(Z >= z), which is 0 behind the law and 1 before it."""
    return law.get(z, arb(0 if z > 0 else 1))


@cache
def chance_beyond(power: int, scale: Any, k: int, x: Fraction, a: Fraction) -> arb:
    """The probability that x, on the grid and with noise, is farther off than a."""
    g = Fraction(2) ** k
    middle = math.floor(x / g + Fraction(1, 2))
    law = tails(power, Fraction(scale) / g)
    # (middle + z) g - x > a, or < -a, where Z and -Z have one law.
    above = math.floor((x + a) / g) + 1 - middle
    below = math.ceil((x - a) / g) - 1 - middle
    assert below < above
    return at_least(above, law) + at_least(-below, law)


LAWS = [("laplace", 1), ("gaussian", 2)]
laws = pytest.mark.parametrize(("name", "power"), LAWS)


@laws
def test_integers_the_accuracy_holds_and_no_smaller_one_does(
    name: str, power: int
) -> None:
    for scale, alpha in itertools.product(SCALES, LEVELS):
        noisy = INTS >> getattr(dp.m, f"then_{name}")(scale=scale)
        a = Fraction(noisy.accuracy(alpha))
        assert a.denominator == 1
        tail = chance_beyond(power, scale, 0, Fraction(5), a)
        assert tail <= exact(alpha) + arb("1e-100"), (scale, alpha)
        if a > 0:
            assert chance_beyond(power, scale, 0, Fraction(5), a - 1) > exact(alpha)


@laws
def test_on_a_grid_the_accuracy_holds_for_every_place_between_two_steps(
    name: str, power: int
) -> None:
    needed = 0
    for scale, alpha, k in itertools.product([0.5, "2.5"], LEVELS[1:], [-2, 0, 1]):
        g = Fraction(2) ** k
        for space in (FLOATS, FRACTIONS):
            a = Fraction(
                (space >> getattr(dp.m, f"then_{name}")(scale=scale, k=k)).accuracy(
                    alpha
                )
            )
            for eighth in range(-5, 6):
                x = 3 * g + g * Fraction(eighth, 8)
                tail = chance_beyond(power, scale, k, x, a)
                assert tail <= exact(alpha) + arb("1e-100"), (scale, alpha, k, x)
            # A planted fault: the half step that rounding adds is left out.
            halfway = chance_beyond(power, scale, k, 3 * g + g / 2, a - g / 2)
            needed += halfway > exact(alpha)
    assert needed > 0


@laws
def test_integers_on_a_grid_are_rounded_only_above_one(name: str, power: int) -> None:
    then = getattr(dp.m, f"then_{name}")
    for k in (0, 3):
        noisy = INTS >> then(scale=3, k=k)
        a = Fraction(noisy.accuracy("0.1"))
        assert (a % 2**k == 0) is (k == 0)
        for x in range(9):
            assert chance_beyond(power, 3, k, Fraction(x), a) <= exact("0.1")


@for_each("x", [0, 0.25, 0.375, -1.5, 2.0**60])
def test_the_release_that_ships_has_the_accuracy_by_its_tree(x: float) -> None:
    noisy = FLOATS >> dp.m.then_laplace(scale=0.5, k=-1)
    tree = enumerate_tree(lambda: noisy(float(x)), depth=24, runs=4000)
    for alpha in ("0.5", "0.2"):
        a = Fraction(noisy.accuracy(alpha))
        beyond = sum(
            (
                mass
                for key, mass in tree.masses.items()
                if abs(Fraction(tree.outcomes[key]) - Fraction(x))
                > a + Fraction(math.ulp(tree.outcomes[key])) / 2
            ),
            mpq(0),
        )
        assert tree.unresolved < mpq(1, 50)
        assert beyond <= mpq(alpha)


def test_a_float_release_may_be_off_by_its_last_place_more() -> None:
    # At 2^53 doubles are 2 apart: noise of less than 1.5 can move a release by 2.
    noisy = FLOATS >> dp.m.then_laplace(scale=1)
    level = Fraction(1, 4)
    a = Fraction(noisy.accuracy(level))
    assert 1 < a < Fraction(3, 2)
    x, r = Fraction(2) ** 53, Fraction(2) ** 53 + 2
    # r is released for noise from 1 on, and 1.0 is below a.
    assert abs(r - x) > a
    assert abs(r - x) <= a + Fraction(math.ulp(float(r))) / 2


@pytest.mark.parametrize("space", [FLOATS, FRACTIONS])
def test_without_a_grid_it_is_the_accuracy_of_the_law(space: Any) -> None:
    for scale, alpha in itertools.product(SCALES, LEVELS):
        for name, law in (("laplace", "laplacian"), ("gaussian", "gaussian")):
            noisy = space >> getattr(dp.m, f"then_{name}")(scale=scale)
            of_law = getattr(dp, f"{law}_scale_to_accuracy")(scale, alpha)
            assert noisy.accuracy(alpha) == of_law


def _converted(laplace: float, gaussian: float) -> list[tuple[Any, float]]:
    """Measurements of scale 3 under measures to which they were converted."""
    noisy = dp.m.make_laplace(*INTS, 3)
    dp.enable_features("contrib")
    profiled = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*INTS, 3))
    made = [
        (dp.c.make_pureDP_to_zCDP(noisy), laplace),
        (dp.c.make_fixed_approxDP_to_approxDP(dp.c.make_approximate(noisy)), laplace),
        (profiled, gaussian),
        (dp.c.make_fix_delta(profiled, 1e-6), gaussian),
    ]
    dp.disable_features("contrib")
    return made


def test_the_forms_agree() -> None:
    laplace, gaussian = (
        (INTS >> then(scale=3)).accuracy("0.05")
        for then in (dp.m.then_laplace, dp.m.then_gaussian)
    )
    pure, concentrated = dp.max_divergence(), dp.zero_concentrated_divergence()
    l1 = dp.l01inf_distance(dp.absolute_distance(T=int))
    l2 = dp.l02inf_distance(dp.absolute_distance(T=int))
    vector = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    same: list[tuple[Any, float]] = [
        (INTS >> dp.m.then_noise(pure, 3), laplace),
        (INTS >> dp.m.then_noise(concentrated, 3), gaussian),
        (INTS >> dp.m.then_geometric(scale=3), laplace),
        (INTS >> dp.m.then_geometric(scale=3, bounds=(0, 1000)), laplace),
        (INTS >> dp.m.then_geometric(scale=3, bounds=[0, 2]), 2.0),
        (vector >> dp.m.then_laplace(scale=3), laplace),
        (dp.m.make_laplace_threshold(MAPS, l1, 3, 30), laplace),
        (dp.m.make_gaussian_threshold(MAPS, l2, 3, 30), gaussian),
        (dp.m.make_noise_threshold(MAPS, l1, dp.approximate(pure), 3, 30), laplace),
        (
            dp.m.make_noise_threshold(MAPS, l2, dp.approximate(concentrated), 3, 30),
            gaussian,
        ),
        (ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=3), laplace),
        (dp.c.make_approximate(dp.m.make_laplace(*INTS, 3)), laplace),
        *_converted(laplace, gaussian),
    ]
    for noisy, a in same:
        assert noisy.accuracy("0.05") == a, noisy
        assert noisy.scale == 3


@for_each("x", range(-1, 5))
def test_geometric_noise_within_bounds_by_its_tree(x: int) -> None:
    noisy = INTS >> dp.m.then_geometric(scale=1, bounds=(0, 3))
    tree = enumerate_tree(lambda: noisy(x), depth=30, runs=3000)
    clamped = min(max(x, 0), 3)
    for alpha in ("0.5", "0.2", "0.01"):
        a = noisy.accuracy(alpha)
        beyond = sum(
            (
                mass
                for key, mass in tree.masses.items()
                if abs(tree.outcomes[key] - clamped) > a
            ),
            mpq(0),
        )
        assert beyond <= mpq(alpha)
    assert tree.unresolved < mpq(1, 50)


def test_snapping_is_said_by_its_own_function() -> None:
    noisy = FLOATS >> dp.m.then_snapping(scale=1, bounds=(-100, 100))
    assert noisy.accuracy("0.05") == dp.snapping_scale_to_accuracy(
        1, (-100, 100), "0.05"
    )
    finite = FLOATS >> dp.m.then_snapping(scale=1, bounds=(-100, 100), precision=128)
    a, wide = noisy.accuracy("0.05"), finite.accuracy("0.05")
    assert a <= wide <= math.nextafter(a, math.inf)
    assert finite.scale == 1


def test_a_composition_tells_a_list_and_a_scale_is_exact() -> None:
    one, two = (ROWS >> dp.t.then_count() >> dp.m.then_laplace(s) for s in (1, "0.1"))
    both = dp.c.make_composition([one, two])
    assert both.accuracy("0.05") == [one.accuracy("0.05"), two.accuracy("0.05")]
    assert both.scale == [1, Fraction(1, 10)]
    assert type((INTS >> dp.m.then_laplace(0.5)).scale) is float
    nested = dp.c.make_composition([both, one])
    assert nested.accuracy(1) == [[0.0, 0.0], 0.0]


@laws
def test_on_a_grid_finer_than_doubles_count_it_is_that_of_the_law(
    name: str, power: int
) -> None:
    for k in (-1074, -3000):
        for space in (FLOATS, FRACTIONS):
            then = getattr(dp.m, f"then_{name}")
            fine = (space >> then(scale=1.5, k=k)).accuracy("0.05")
            assert fine == math.nextafter((space >> then(1.5)).accuracy("0.05"), 9)


@laws
def test_a_step_more_than_the_real_law_is_enough_on_every_grid(
    name: str, power: int
) -> None:
    """What is used where steps cannot be counted, on grids where they can."""
    tail = {"laplace": "laplacian", "gaussian": "gaussian"}[name]
    for scale, alpha in itertools.product(SCALES, LEVELS):
        real = Fraction(getattr(dp, f"{tail}_scale_to_accuracy")(scale, alpha))
        beyond = chance_beyond(power, scale, 0, Fraction(0), real + 1)
        assert beyond <= exact(alpha) + arb("1e-100")


def test_no_noise_and_noise_beyond_all_doubles() -> None:
    for then in (dp.m.then_laplace, dp.m.then_gaussian):
        assert (INTS >> then(scale=0)).accuracy("0.01") == 0
        assert (FLOATS >> then(scale=0)).accuracy("0.01") == 0
        assert (FLOATS >> then(scale=0, k=-3)).accuracy("0.01") == 1 / 16
        assert (FLOATS >> then(scale=0, k=-1074)).accuracy("0.01") == 0
        assert (INTS >> then(scale=Fraction(10) ** 400)).accuracy("0.01") == math.inf


CANONICAL = [(1, (1, 0)), (10.0, (0.5, "1e-6")), ("1/3", (0, "1/20")), (7, (2, 1))]


@pytest.mark.parametrize(("d_in", "d_out"), CANONICAL)
@pytest.mark.parametrize("alpha", ["0.05", "1e-9", "1/2"])
def test_canonical_noise_tells_its_quantile(d_in: Any, d_out: Any, alpha: str) -> None:
    """Of integers it is that of the rounded noise, the least that will do."""
    tradeoff = ApproximateTradeoff(*map(to_mpq, d_out))
    law = CanonicalRV(mpq(0), to_mpq(d_in), tradeoff, tradeoff.fixed_point)

    def beyond(distance: mpq) -> Any:
        return (1 - law.cdf(distance, 300)) * 2

    real = (FLOATS >> dp.m.then_canonical_noise(d_in, d_out)).accuracy(alpha)
    assert real == testing.canonical_tolerance(d_in, d_out, alpha)
    assert beyond(to_mpq(real)).lo <= to_mpq(alpha)
    assert beyond(to_mpq(real) * (1 - mpq(1, 2**40))).hi > to_mpq(alpha)
    given = d_in, tradeoff
    assert (FRACTIONS >> dp.m.then_tradeoff_noise(*given)).accuracy(alpha) == real
    whole = (INTS >> dp.m.then_canonical_noise(d_in, d_out)).accuracy(alpha)
    assert (INTS >> dp.m.then_tradeoff_noise(*given)).accuracy(alpha) == whole
    assert whole.is_integer()
    assert beyond(to_mpq(whole) + mpq(1, 2)).lo <= to_mpq(alpha)
    assert whole == 0 or beyond(to_mpq(whole) - mpq(1, 2)).hi > to_mpq(alpha)


def test_canonical_noise_without_noise_and_at_level_one() -> None:
    for space in (INTS, FLOATS):
        assert (space >> dp.m.then_canonical_noise(0, (1, 0))).accuracy("0.1") == 0
        assert (space >> dp.m.then_canonical_noise(5, (1, 0))).accuracy(1) == 0
    wide = INTS >> dp.m.then_canonical_noise(10**400, (1, 0))
    assert wide.accuracy("0.1") == math.inf
    with pytest.raises(OpenDPException, match="alpha=0"):
        wide.accuracy(0)


def test_canonical_noise_has_no_scale() -> None:
    noisy = ROWS >> dp.t.then_count() >> dp.m.then_canonical_noise(1, (1, 0))
    assert noisy.accuracy("0.05") == 3.0
    with pytest.raises(
        OpenDPException, match=r"canonical noise at .*, which has no scale"
    ):
        _ = noisy.scale


UNSTATED = "does not say which noise is added to its releases. Ask .* argument noise"
REFUSED: list[Callable[[], Any]] = [
    lambda: dp.m.make_randomized_response_bool(0.75),
    lambda: dp.m.make_noisy_max(
        dp.vector_domain(dp.atom_domain(T=int)),
        dp.linf_distance(T=int),
        dp.max_divergence(),
        scale=1,
    ),
]


@pytest.mark.parametrize("make", REFUSED)
def test_what_has_no_noise_says_what_to_ask(make: Callable[[], Any]) -> None:
    with pytest.raises(OpenDPException, match=f"measurement=make_.*{UNSTATED}"):
        make().accuracy(0.05)
    with pytest.raises(OpenDPException, match=UNSTATED):
        _ = make().scale


def test_functions_of_a_release_and_code_of_the_users_tell_nothing() -> None:
    counts = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    noisy = counts >> dp.m.then_laplace(scale=1)
    dp.enable_features("honest-but-curious", "contrib")
    try:
        shares = dp.c.make_chain_proved(dp.t.make_cdf(), noisy)
        after = INTS >> dp.m.then_laplace(scale=1) >> float
        own = dp.m.make_user_measurement(
            *INTS, dp.max_divergence(), lambda x: 0, lambda d: 0.0
        )
    finally:
        dp.disable_features("honest-but-curious", "contrib")
    for silent in (after, shares, own):
        assert silent.noise is None
        with pytest.raises(OpenDPException, match=UNSTATED):
            silent.accuracy(0.05)


def test_an_object_without_a_record_has_the_noise_that_its_author_leaves() -> None:
    noisy = INTS >> dp.m.then_laplace(scale=1)
    changed = attrs.evolve(noisy, function=lambda x: 1)
    assert changed.accuracy(0.05) == noisy.accuracy(0.05)
    silent = attrs.evolve(noisy, noise=None)
    with pytest.raises(OpenDPException, match=UNSTATED):
        silent.accuracy(0.05)


def test_a_constructor_of_the_same_name_is_not_taken_for_ours() -> None:
    """Its argument `scale` says nothing: the noise is that of what it returns."""

    @constructor()
    def make_laplace(scale: int) -> Any:
        return dp.m.make_geometric(*INTS, scale=1000)

    dp.enable_features("contrib")
    try:
        forged = make_laplace(1)
    finally:
        dp.disable_features("contrib")
    assert forged.scale == 1000
    assert forged.accuracy(0.05) == dp.m.make_geometric(*INTS, 1000).accuracy(0.05)
    assert forged.explain().steps[0].notes == (AUTHORS_NOISE,)


@for_each("alpha", [0, -1, 1.5, math.nan, "x", None, [0.05]])
def test_a_level_that_is_none_is_refused(alpha: Any) -> None:
    for space, then in (
        (INTS, dp.m.then_laplace(scale=1)),
        (FLOATS, dp.m.then_gaussian(scale=1)),
        (FLOATS, dp.m.then_snapping(scale=1, bounds=(0, 1))),
    ):
        with pytest.raises(OpenDPException, match="alpha="):
            (space >> then).accuracy(alpha)


def test_a_report_takes_a_line() -> None:
    count = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
    line = f"{count([1, 2, 3])} ± {count.accuracy(0.05)}"
    assert line.endswith("± 6.0")
    assert "accuracy(0.05)" in count._repr_html_()
