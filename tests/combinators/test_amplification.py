"""Amplification: samples as data, maps, what is refused and what is passed on."""

from __future__ import annotations

import inspect
import math
from fractions import Fraction
from typing import Any

import numpy
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.randomness.bulk_draws import sample_bernoullis
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.contracts.checks import HashedBits

PURE, SYMMETRIC = dp.max_divergence(), dp.symmetric_distance()
APPROXIMATE = dp.approximate(PURE)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), SYMMETRIC


def sized(size: int, metric: Any = SYMMETRIC) -> Any:
    return dp.vector_domain(dp.atom_domain(T=int), size=size), metric


def user(space: Any, measure: Any, function: Any, privacy_map: Any) -> dp.Measurement:
    return dp.m.make_user_measurement(*space, measure, function, privacy_map)


def noisy_count(scale: Any = 1) -> dp.Measurement:
    return ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale)


# --- samples as data ------------------------------------------------------------------


def seen(rate: Any, element: Any = None) -> dp.Measurement:
    """Releases the sample itself, which loses everything."""
    domain = dp.vector_domain(element or dp.atom_domain(T=int))
    space = domain, dp.insert_delete_distance()
    inner = user(space, PURE, lambda rows: rows, lambda d: math.inf if d else 0)
    return dp.c.make_poisson_subsample(inner, rate)


def test_the_order_and_the_kind_of_the_data_are_kept() -> None:
    for count in (0, 1, 5, 8, 100, 5000):
        numbers = list(range(count))
        sample = seen("1/3")(numbers)
        assert type(sample) is list
        assert sample == sorted(set(sample) & set(numbers))
        for dtype in (numpy.int64, numpy.int8, numpy.uint16):
            array = numpy.array([each % 100 for each in numbers], dtype=dtype)
            before = array.copy()
            sample = seen(0.5)(array)
            assert type(sample) is numpy.ndarray
            assert sample.dtype == dtype
            assert not numpy.shares_memory(sample, array)
            assert (array == before).all()
        assert seen(1)(numbers) == numbers
        assert seen(0)(numbers) == []
        assert seen(1)(numpy.arange(count)).tolist() == numbers
        assert seen(0)(numpy.arange(count)).tolist() == []


def test_text_without_characters_is_sampled() -> None:
    """Numpy makes U1 of U0: samples have one dtype, whatever the coins say."""
    for rate in (0, "1/2", 1):
        for count in (0, 3, 300):
            none = numpy.zeros(count, dtype=[("text", "U0")])["text"]
            assert none.dtype == numpy.dtype("U0")
            sample = seen(rate, dp.atom_domain(T=str))(none)
            assert sample.dtype == numpy.dtype("U1")
            assert set(sample.tolist()) <= {""}


def test_rows_of_a_matrix_are_kept_whole() -> None:
    element = dp.vector_domain(dp.atom_domain(T=float), size=2)
    matrix = numpy.arange(600.0).reshape(300, 2)
    sample = seen("1/2", element)(matrix)
    assert sample.shape[1] == 2
    assert 0 < len(sample) < 300
    assert (sample[:, 0] + 1 == sample[:, 1]).all()
    rows = matrix.tolist()
    assert all(row in rows for row in seen("1/2", element)(rows))


@pytest.mark.parametrize("rate", ["1/3", "0.01", "7/8"])
def test_many_rows_are_those_of_the_coins(rate: str) -> None:
    numbers = list(range(5000))
    for seed in range(3):
        with use_source(HashedBits(seed, granularity=64)):
            coins = sample_bernoullis(mpq(Fraction(rate)), 5000)
        for data in (numbers, numpy.array(numbers)):
            with use_source(HashedBits(seed, granularity=64)):
                sample = list(seen(rate)(data))
            assert sample == [n for n in numbers if coins[n]]


def test_the_sample_is_drawn_anew() -> None:
    """The chance that two of sixteen samples of 500 rows are equal is below 2^-492."""
    made = seen("1/2")
    samples = {tuple(made(list(range(500)))) for _ in range(16)}
    assert len(samples) == 16
    again = dp.c.make_composition([made, made])(list(range(500)))
    assert again[0] != again[1]


# --- maps -----------------------------------------------------------------------------


def test_maps_at_the_ends_of_the_rate() -> None:
    inner = noisy_count()
    for d_in in (0, 1, 7, 10**30, math.inf):
        assert dp.c.make_poisson_subsample(inner, 0).map(d_in) == 0
        assert dp.c.make_poisson_subsample(inner, 1).map(d_in) == inner.map(d_in)
    exact = ROWS >> dp.t.then_count() >> dp.m.then_laplace(0)
    assert dp.c.make_poisson_subsample(exact, "1/2").map(1) == math.inf
    assert dp.c.make_poisson_subsample(exact, 0).map(1) == 0
    pairs = dp.c.make_poisson_subsample(dp.c.make_approximate(exact), 0)
    assert pairs.map(3) == (0, 0)


def test_a_delta_shrinks_with_the_share() -> None:
    inner = user(ROWS, APPROXIMATE, len, lambda d: (d, Fraction(d, 5)))
    made = dp.c.make_poisson_subsample(inner, "1/10")
    assert made.map(1, exact=True)[1] == Fraction(1, 50)
    assert made.map(2, exact=True)[1] == Fraction(19, 100) * Fraction(2, 5)
    # Where nothing is claimed any more, the share is what is left of it.
    never = user(ROWS, APPROXIMATE, len, lambda d: (0, min(d, 1)))
    assert dp.c.make_poisson_subsample(never, "1/10").map(1) == (0, 0.1)


def test_gaussian_noise_is_amplified_at_a_fixed_delta() -> None:
    gaussian = ROWS >> dp.t.then_count() >> dp.m.then_gaussian(scale=4.0)
    with pytest.raises(dp.OpenDPException, match="What sampling saves"):
        dp.c.make_poisson_subsample(gaussian, "1/100")
    profile = dp.c.make_zCDP_to_approxDP(gaussian)
    with pytest.raises(dp.OpenDPException, match="make_fix_delta"):
        dp.c.make_poisson_subsample(profile, "1/100")
    fixed = dp.c.make_fix_delta(profile, 1e-6)
    assert fixed.map(0) == (0, 0)
    made = dp.c.make_poisson_subsample(fixed, "1/100")
    epsilon, delta = made.map(1)
    inner = fixed.map(1)[0]
    assert math.isclose(epsilon, math.log1p(0.01 * math.expm1(inner)))
    assert delta == 1e-8


def test_opendp_takes_one_share_for_every_group() -> None:
    """A map that is 1 at every distance, 10 of 100 rows, and all of them change."""
    inner = user(sized(10), PURE, len, lambda d: 1 if d else 0)
    made = dp.c.make_population_amplification(inner, 100)
    assert made.map(2) == dp.c.make_poisson_subsample(
        user(ROWS, PURE, len, lambda d: 1 if d else 0), "1/10"
    ).map(1)
    assert made.map(200) == 1
    assert made.map(182) == 1  # 91 rows: one of them is among any ten
    assert made.map(180) < 1
    losses = [made.map(d_in) for d_in in range(0, 202, 2)]
    assert losses == sorted(losses)


def test_rows_in_an_order_are_put_into_a_random_one_first() -> None:
    """As the refusal says: the order of a sample is not known."""
    domain = dp.vector_domain(dp.atom_domain(T=str), size=3)
    answers = dp.m.then_randomized_response_column(["a", "b"], "3/4")
    with pytest.raises(dp.OpenDPException, match="put make_ordered_random in front"):
        dp.c.make_population_amplification(
            (domain, dp.hamming_distance()) >> answers, 30
        )
    shuffled = (domain, dp.change_one_distance()) >> dp.t.then_ordered_random()
    made = dp.c.make_population_amplification(shuffled >> answers, 30)
    assert math.isclose(made.map(1), math.log(1 + 0.1 * 2))
    assert made.map(31) == (shuffled >> answers).map(3)


def test_no_more_rows_of_a_sample_change_than_it_has() -> None:
    """The loss is asked at m changes where more rows of the population change."""
    inner = user(sized(2), PURE, len, lambda d: d)
    made = dp.c.make_population_amplification(inner, 10)
    assert made.map(20) == inner.map(4) == 4
    assert made.map(math.inf) == 4


def test_distances_that_do_not_suit_the_sample_are_refused() -> None:
    """The order of a sample is not known, nor how many rows coins will keep."""
    nothing = PURE, len, lambda d: 1 if d else 0
    for metric in (dp.insert_delete_distance(), dp.hamming_distance()):
        with pytest.raises(dp.OpenDPException, match="MetricMismatch"):
            dp.c.make_population_amplification(user(sized(2, metric), *nothing), 9)
    for other in (dp.change_one_distance(), dp.hamming_distance()):
        with pytest.raises(dp.OpenDPException, match="MetricMismatch"):
            dp.c.make_poisson_subsample(user((ROWS[0], other), *nothing), "1/2")


def test_large_populations_cost_no_time() -> None:
    inner = sized(10**6) >> dp.t.then_clamp((0, 1)) >> dp.t.then_sum()
    made = dp.c.make_population_amplification(inner >> dp.m.then_laplace(10.0), 10**9)
    assert 0 < made.map(2) < made.map(2000) < made.map(2 * 10**6) <= 10**5
    assert made.map(10**30) == 10**5


# --- refusals, and what is said of the result -----------------------------------------


def amplified(metric: Any = SYMMETRIC) -> dp.Measurement:
    inner = sized(2, metric) >> dp.t.then_clamp((0, 1)) >> dp.t.then_sum()
    return dp.c.make_population_amplification(inner >> dp.m.then_laplace(1), 4)


def test_what_is_amplified_is_exclusive_and_all_pass_it_on() -> None:
    plain = noisy_count()
    made = amplified()
    profiled = dp.c.make_zCDP_to_approxDP(dp.c.make_pureDP_to_zCDP(made))
    pairs = dp.c.make_fixed_approxDP_to_approxDP(dp.c.make_approximate(made))
    told = [
        (made, True),
        (made >> float, True),
        (made >> float >> str, True),
        (dp.c.make_chain_proved(dp.t.make_cdf(), made), True),
        (dp.c.make_approximate(made), True),
        (dp.c.make_pureDP_to_zCDP(made), True),
        (profiled, True),
        (dp.c.make_fix_delta(profiled, 1e-6), True),
        (pairs, True),
        (plain, False),
        (plain >> float, False),
        (dp.t.make_identity(*ROWS) >> plain, False),
        (dp.c.make_approximate(plain), False),
        (dp.c.make_composition([plain, plain]), False),
        (dp.c.make_poisson_subsample(plain, "1/2"), False),
    ]
    for each, exclusive in told:
        assert each.exclusive is exclusive, each
        assert not each.interactive


def test_whatever_takes_a_measurement_tells_whether_it_is_exclusive() -> None:
    """A new one is added to the test above or below, and passes it on or refuses it."""
    takes = {
        name
        for name in dir(dp.c)
        if name.startswith("make_")
        for each in inspect.signature(getattr(dp.c, name)).parameters.values()
        if "Measurement" in str(each.annotation)
    }
    passes = {
        "make_approximate",
        "make_chain_pm",
        "make_chain_proved",
        "make_fix_delta",
        "make_fixed_approxDP_to_approxDP",
        "make_pureDP_to_zCDP",
        "make_RDP_to_approxDP",
        "make_zCDP_to_approxDP",
    }
    refuses = {
        "make_basic_composition",
        "make_chain_mt",
        "make_composition",
        "make_parallel_composition",
        "make_poisson_subsample",
        "make_population_amplification",
        "make_product",
        "make_select_private_candidate",
    }
    assert takes == passes | refuses


def divided(space: Any, each: dp.Measurement) -> dp.Measurement:
    return dp.c.make_parallel_composition(*space, [0, 1], [each, each])


def test_what_would_release_more_refuses_it() -> None:
    made, space = amplified(), sized(2)
    for each in (made, made >> float):
        for call, words in [
            (lambda each: dp.c.make_composition([each]), "amplify the whole"),
            (lambda each: dp.t.make_identity(*space) >> each, "Chain first"),
            (lambda each: divided(space, each), "amplify the whole"),
            (lambda each: dp.c.make_select_private_candidate(each, 0.5, 1), "Select"),
            (lambda each: dp.c.make_poisson_subsample(each, 1), "amplified already"),
            (lambda each: dp.c.make_population_amplification(each, 9), "already"),
            (lambda each: verify.privacy(each, [0, 1], [1, 1]), "populations"),
        ]:
            with pytest.raises(dp.OpenDPException, match=words):
                call(each)


def test_sessions_refuse_it_and_charge_nothing() -> None:
    made, space = amplified(), sized(2)
    odometer = dp.c.make_fully_adaptive_composition(*space, PURE)
    planned = dp.c.make_adaptive_composition(*space, PURE, d_in=2, d_mids=[1, 1])
    limited = dp.c.make_privacy_filter(odometer, d_in=2, d_out=2)
    for opened in (odometer, planned, limited):
        session = opened([0, 1])
        for query in (made, made >> float):
            with pytest.raises(dp.OpenDPException, match="amplify the whole"):
                session(query)
            with pytest.raises(dp.OpenDPException, match="amplify the whole"):
                session.preview(query)
        assert session.privacy_loss(2) == 0
        assert session.journal() == []


def test_a_session_pays_for_each_subsample() -> None:
    odometer = dp.c.make_fully_adaptive_composition(*ROWS, PURE)
    query = dp.c.make_poisson_subsample(noisy_count(), "1/10")
    session = dp.c.make_privacy_filter(odometer, d_in=1, d_out=1)([1, 2, 3])
    for _ in range(6):
        session(query)
    assert session.privacy_loss(1, exact=True) == 6 * query.map(1, exact=True)
    with pytest.raises(dp.OpenDPException, match="of the limit is left"):
        session(query)


def test_what_goes_on_answering_is_refused() -> None:
    odometer = dp.c.make_fully_adaptive_composition(*ROWS, PURE)
    session = dp.c.make_privacy_filter(odometer, d_in=1, d_out=1)
    own = dp.m.make_user_measurement(*ROWS, PURE, len, lambda d: 0, TO="Queryable")
    for inner in (session, own, dp.c.make_approximate(session)):
        with pytest.raises(dp.OpenDPException, match="goes on answering"):
            dp.c.make_poisson_subsample(inner, "1/2")
    whole = dp.c.make_adaptive_composition(*sized(2), PURE, d_in=2, d_mids=[1])
    with pytest.raises(dp.OpenDPException, match="goes on answering"):
        dp.c.make_population_amplification(whole, 4)


def test_the_conditions_can_be_answered() -> None:
    """Each is a sentence about the rows, and shown where the feature is missing."""
    dp.disable_features("honest-but-curious")
    with pytest.raises(dp.OpenDPException) as caught:
        amplified()
    for words in (
        "drawn by lot, without replacement",
        "a population of exactly population_size rows",
        "does not know which rows were drawn",
        "nothing else is released from the rows that were drawn",
        "called once",
    ):
        assert words in str(caught.value)
    # Nobody has to answer for rows that the library draws itself.
    dp.c.make_poisson_subsample(noisy_count(), "1/2")


def test_accuracies_are_of_the_sample() -> None:
    inner = sized(2) >> dp.t.then_clamp((0, 1)) >> dp.t.then_sum()
    noisy = inner >> dp.m.then_laplace(2)
    made = dp.c.make_population_amplification(noisy, 4)
    assert made.accuracy(0.05) == noisy.accuracy(0.05)
    assert made.scale == noisy.scale == 2
    with pytest.raises(dp.OpenDPException, match="does not say which noise"):
        dp.c.make_poisson_subsample(noisy_count(), "1/2").accuracy(0.05)


def test_conditions_of_a_population_stand_in_the_refusal() -> None:
    """Among them that all rows fit: a refusal would tell that one was drawn."""
    domain = dp.vector_domain(dp.atom_domain(bounds=(0, 9)), size=2)
    total = (domain, dp.symmetric_distance()) >> dp.t.then_sum()
    noisy = total >> dp.m.then_laplace(scale=9.0)
    dp.disable_features("honest-but-curious")
    try:
        with pytest.raises(dp.OpenDPException, match="rows of the population fit the"):
            dp.c.make_population_amplification(noisy, population_size=20)
    finally:
        dp.enable_features("honest-but-curious")
