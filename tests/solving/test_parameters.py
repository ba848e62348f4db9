"""Free parameters and casts: the tightest number, whatever the measures are."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import opendp.prelude as theirs
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.laws.conversions import concentrated_epsilon, pure_to_concentrated
from opendp_lite.solving import casts
from opendp_lite.solving import parameters as solving
from opendp_lite.solving.casts import cast, casts_to, translated
from tests.context.opened import (
    BOTH,
    CONCENTRATED,
    INTEGERS,
    LOSSES,
    PAIR,
    PURE,
    opened,
)
from tests.longer import shortened
from tests.rows import for_each

pytestmark = pytest.mark.usefixtures("honest")

SPACE = INTEGERS, dp.symmetric_distance()
ALMOST = 1 + 2**-40


def queried(d_out: Any, measure: Any = PURE, d_in: Any = 1) -> dp.Query:
    return dp.Query(SPACE, measure, d_in, d_out)


# --- the scale ------------------------------------------------------------------------

NOISES: list[tuple[Any, Any]] = [
    (lambda q, *s: q.count().laplace(*s), PURE),
    (lambda q, *s: q.clamp((-7, 3)).sum().laplace(*s), PURE),
    (lambda q, *s: q.count().geometric(*s), PURE),
    (lambda q, *s: q.count().gaussian(*s), CONCENTRATED),
    (lambda q, *s: q.clamp((0, 30)).sum().gaussian(*s), CONCENTRATED),
    (lambda q, *s: q.private_quantile(PURE, [0, 9, 99], 0.5, *s), PURE),
]


TRIED = [0.1, 0.3, 1.0, 1 / 3, "1/7", 17.25, 1e-9, 1e9]


# A map of a larger distance is the same map: three losses stay.
@pytest.mark.parametrize(
    ("loss", "d_in"),
    shortened(
        product(TRIED, [1, 3]), *product({*TRIED} - {0.3, "1/7", 1e-9}, [3]), parts=2
    ),
)
@pytest.mark.parametrize(("noise", "measure"), NOISES)
def test_the_scale_is_what_the_search_finds(
    noise: Any, measure: Any, loss: Any, d_in: int
) -> None:
    query = noise(queried(loss, measure, d_in))
    allowed = query._d_out
    found = dp.binary_search_param(
        lambda s: noise(queried(loss, measure, d_in), s)._chain,
        d_in,
        to_fraction(allowed),
    )
    assert query.param() == found
    assert query.resolve().check(d_in, to_fraction(allowed))


def test_a_closed_form_that_is_wrong_is_found_out(monkeypatch: Any) -> None:
    """The map confirms the scale: a guess that does not fit, or could be less, is not
    taken."""
    right = queried(0.3).count().laplace().param()
    for factor in (0.5, 2.0, 1 - 2**-50, 1 + 2**-50):
        true = solving._root_up
        with monkeypatch.context() as patched:
            patched.setattr(
                solving, "_root_up", lambda x, n, f=factor, t=true: t(x, n) * f
            )
            assert queried(0.3).count().laplace().param() == right


@given(st.fractions(min_value="1e-30", max_value=10**30))
def test_roots_are_the_least_doubles(number: Any) -> None:
    exact = mpq(number.numerator, number.denominator)
    for power in (1, 2):
        found = solving._root_up(exact, power)
        assert mpq(found) ** power >= exact > mpq(math.nextafter(found, 0)) ** power


def test_roots_of_extreme_numbers_are_doubles_or_infinite() -> None:
    assert solving._root_up(mpq(10) ** 700, 2) == math.inf
    assert solving._root_up(mpq(10) ** 400, 1) == math.inf
    assert solving._root_up(mpq(1, mpq(10) ** 700), 2) > 0


def test_bounds_and_types_are_kept_to() -> None:
    query = queried(0.5).count().laplace()
    assert query.param(bounds=(0.0, 100.0)) == 2.0
    assert query.param(T=int) == 2
    assert type(query.param(T=int)) is int
    with pytest.raises(ValueError, match="passes at every value"):
        query.param(bounds=(3.0, 100.0))
    assert query.resolve(T=int).scale == 2


def test_other_parameters_are_solved_for() -> None:
    local = dp.unit_of(local=True)
    one = opened(data=True, unit=local, domain=None, epsilon=1.0, evenly=2)
    assert one.query().randomized_response_bool().param() == 0.6224593312018545
    pair = queried((0.1, 1e-7), PAIR).count_by()
    threshold = pair.laplace_threshold(scale=10.0)
    assert 154 < threshold.param() < 156
    assert threshold.resolve().check(1, (0.1, 1e-7))
    scale = pair.laplace_threshold(threshold=250)
    assert scale.param() == 10.0
    with pytest.raises(ValueError, match="would lose"):  # by its delta
        pair.laplace_threshold(threshold=100).resolve()


def test_thresholds_with_gaussian_noise_share_delta_with_the_conversion() -> None:
    metric = dp.l02inf_distance(dp.absolute_distance(T=int))
    pair = queried((0.1, 1e-7), PAIR).count_by(MO=metric)
    far, near = (pair.gaussian_threshold(threshold=t) for t in (1000, 255))
    assert far.param() < near.param() < 1.1 * far.param()
    for query, threshold in ((far, 1000), (near, 255)):
        assert query.resolve().check(1, (0.1, 1e-7))
        less = math.nextafter(query.param() * (1 - 2**-40), 0)
        tighter = pair.gaussian_threshold(less, threshold)
        with pytest.raises(ValueError, match="would lose"):
            tighter.resolve()


def test_what_cannot_be_solved_says_so() -> None:
    with pytest.raises(ValueError, match="more than it may, whatever scale is"):
        queried(0).count().laplace().param()
    sized = dp.vector_domain(dp.atom_domain(T=int), size=4)
    known = dp.Query((sized, dp.change_one_distance()), PURE, 1, 1).count()
    with pytest.raises(ValueError, match="whatever scale is, so that no value is the"):
        known.laplace().param()
    sized = dp.vector_domain(dp.atom_domain(bounds=(0, 9)), size=4)
    rows = dp.Query((sized, dp.symmetric_distance()), PURE, 1, 1)
    with pytest.raises(ValueError, match="count changes, not contributions"):
        rows.mean().laplace().param()
    with pytest.raises(ValueError, match="the query is not a measurement yet"):
        dp.Query(SPACE, PURE, 1, 1).resize(constant=0).resolve()
    with pytest.raises(dp.OpenDPException, match="rows must have finite bounds"):
        queried(1).sum().laplace().resolve()


# --- casts ----------------------------------------------------------------------------


@for_each(("measure", "budget", "part"), LOSSES, ids=str)
@for_each("noise", ["laplace", "gaussian"])
def test_noise_is_cast_and_its_scale_told(
    measure: Any, budget: Any, part: Any, noise: str
) -> None:
    """OpenDP's param() is None where a measure is cast."""
    context = opened(**budget)
    query = getattr(context.query(**part).count(), noise)()
    if (measure, noise) == (PURE, "gaussian"):
        with pytest.raises(ValueError, match="no conversion"):
            query.param()
        return
    scale = query.param()
    assert type(scale) is float
    assert query.resolve().output_measure == measure
    assert query.preview().param == scale
    assert isinstance(query.release(), int)
    spent = context.queryable.privacy_loss(1, exact=True)
    allowed = query._d_out
    assert measure.at_most(spent, allowed)
    first = (spent[0], allowed[0]) if isinstance(spent, tuple) else (spent, allowed)
    assert first[0] * ALMOST > first[1]  # and nothing is wasted
    less = getattr(context.query(**part).count(), noise)(scale / ALMOST)
    with pytest.raises(ValueError, match="would lose"):
        less.resolve()


# What stays: Laplace noise where it is not converted and where it is, and Gaussian
# noise likewise. Where OpenDP converts Laplace noise to rho, its search is long.
@pytest.mark.parametrize(
    ("budget", "noise"),
    shortened(
        [
            ({"epsilon": 1.0}, "laplace"),
            ({"rho": 0.1}, "gaussian"),
            ({"rho": 0.1}, "laplace"),
            ({"epsilon": 1.0, "delta": 1e-6}, "gaussian"),
            ({"epsilon": 1.0, "delta": 1e-6}, "laplace"),
        ],
        ({"rho": 0.1}, "laplace"),
        parts=2,
    ),
    ids=str,
)
def test_never_more_noise_than_opendp(budget: dict[str, float], noise: str) -> None:
    theirs.enable_features("contrib")
    domain = theirs.vector_domain(theirs.atom_domain(T=int))
    scales = []
    for library, described in ((dp, INTEGERS), (theirs, domain)):
        context = library.Context.compositor(
            data=[1, 2],
            privacy_unit=library.unit_of(contributions=1),
            privacy_loss=library.loss_of(**budget),
            split_evenly_over=1,
            domain=described,
        )
        query: Any = getattr(context.query().count(), noise)()
        scale = query.param()
        if library is theirs and scale is None:  # lost where a measure is cast
            asked = query._d_in, query._d_out, query._output_measure
            scale = query._chain.fix(*asked).param
        scales.append(scale)
    assert 0 < scales[0] <= scales[1] * ALMOST


def test_what_has_no_conversion_is_refused() -> None:
    assert casts_to(PURE, PAIR)
    assert casts_to(CONCENTRATED, PAIR)
    assert not casts_to(CONCENTRATED, PAIR, delta=False)
    assert not casts_to(PAIR, PURE)
    assert casts_to(PAIR, BOTH)
    assert not casts_to(BOTH, CONCENTRATED)
    gaussian = dp.m.make_gaussian(dp.atom_domain(T=int), dp.absolute_distance(T=int), 1)
    with pytest.raises(ValueError, match="delta=None: is needed"):
        cast(gaussian, PAIR, None)
    with pytest.raises(ValueError, match="no epsilon is known"):
        cast(gaussian, PAIR, (mpq(1), mpq(0)))
    with pytest.raises(ValueError, match="no epsilon is known"):
        opened(epsilon=1, delta=1e-6).query(
            epsilon=1, delta=0
        ).count().gaussian().param()
    own = dp.user_divergence("mine")
    user = dp.m.make_user_measurement(*SPACE, own, lambda x: 0, lambda d: 0)
    with pytest.raises(ValueError, match="Use a measurement under max_divergence"):
        cast(user, PURE, None)


def test_every_arrow_leads_where_it_says() -> None:
    """Each conversion of the library is an arrow, and makes what the table says."""
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    laplace = dp.m.make_laplace(*space, 1.0)
    starts = {
        PURE: laplace,
        CONCENTRATED: dp.m.make_gaussian(*space, 1.0),
        PAIR: dp.c.make_approximate(laplace),
        BOTH: dp.c.make_approximate(dp.m.make_gaussian(*space, 1.0)),
        casts.PROFILE: dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, 1.0)),
        casts.RENYI: dp.m.make_user_measurement(
            *space, casts.RENYI, lambda x: 0, lambda d: lambda order: order * d
        ),
    }
    for source, target, _ in casts._ARROWS:
        made = cast(starts[source], target, (mpq(1), mpq(1, 10**6)))
        assert made.output_measure == target
        made.map(1)
    used = {make.__name__ for _, _, make in casts._ARROWS}
    named = {n for n in dir(dp.c) if "approx" in n or "zCDP" in n or "fix_delta" in n}
    assert {n for n in named if n.startswith("make_")} == used


# --- budgets translated ---------------------------------------------------------------

positive = st.fractions(min_value="1e-9", max_value=1000)
deltas = st.fractions(min_value="1e-30", max_value="0.99")


@given(positive)
def test_a_pure_budget_of_rho_is_the_largest(rho: Any) -> None:
    exact = mpq(rho.numerator, rho.denominator)
    epsilon = translated(exact, CONCENTRATED, PURE)
    assert pure_to_concentrated(epsilon) <= exact
    assert pure_to_concentrated(epsilon * (1 + mpq(1, 2**48))) > exact


@given(positive, deltas)
def test_a_concentrated_budget_of_a_pair_is_the_largest(e: Any, d: Any) -> None:
    epsilon, delta = mpq(e.numerator, e.denominator), mpq(d.numerator, d.denominator)
    rho = translated((epsilon, delta), PAIR, CONCENTRATED)
    assert concentrated_epsilon(rho, delta) <= epsilon
    assert concentrated_epsilon(rho * (1 + mpq(1, 2**44)), delta) > epsilon


def test_a_translation_that_is_wrong_is_lowered() -> None:
    goal = mpq(1)
    for factor in (mpq(1), 1 + mpq(1, 2**60), 1 + mpq(1, 2**30), mpq(17, 16)):
        found = casts._lowered(goal * factor, lambda x: x <= goal)
        assert mpq(3, 4) < found <= goal
    assert casts._lowered(mpq(100), lambda x: x <= goal) == 0


def test_translations_of_nothing_and_of_everything() -> None:
    assert translated(mpq(0), CONCENTRATED, PURE) == 0
    assert translated(math.inf, CONCENTRATED, PURE) == math.inf
    assert translated((math.inf, mpq(1, 2)), PAIR, CONCENTRATED) == math.inf
    assert translated((mpq(1), mpq(1)), PAIR, CONCENTRATED) == math.inf
    assert translated((mpq(1), mpq(0)), PAIR, PURE) == 1
    assert translated((mpq(1), mpq(0)), BOTH, CONCENTRATED) == 1
    assert translated((mpq(1), mpq(0)), BOTH, PURE) < 2


def test_alpha_parts_delta() -> None:
    d_out = mpq(1), mpq(1, 10**6)
    rho, own = translated(d_out, PAIR, BOTH, mpq(1, 4))
    assert own == mpq(1, 4 * 10**6)
    all_of_it = translated(d_out, PAIR, CONCENTRATED)
    assert 0.9 * all_of_it < rho < all_of_it
    assert translated(d_out, PAIR, BOTH, mpq(0)) == (all_of_it, 0)
    for alpha in (None, mpq(-1, 2), mpq(1), mpq(2)):
        with pytest.raises(ValueError, match="alpha="):
            translated(d_out, PAIR, BOTH, alpha)
    with pytest.raises(ValueError, match="alpha="):
        translated(d_out, PAIR, CONCENTRATED, mpq(1, 2))
    with pytest.raises(ValueError, match="there is no conversion"):
        translated(mpq(1), PURE, CONCENTRATED)
