"""Adaptive composition: maps, laws of whole interactions, and names of before."""

from __future__ import annotations

import inspect
import math
import pickle
import warnings
from fractions import Fraction
from typing import Any

import opendp.prelude as oracle
import pytest

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.sessions.session import Session
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
BOOLS = dp.atom_domain(T=bool), dp.discrete_distance()
PURE = dp.max_divergence()
APPROXIMATE = dp.approximate(PURE)


def coin(prob: Any) -> dp.Measurement:
    return dp.m.make_randomized_response_bool(prob)


def limited(limit: Any, measure: Any = PURE, space: Any = BOOLS) -> dp.Measurement:
    odometer = dp.c.make_fully_adaptive_composition(*space, measure)
    return dp.c.make_privacy_filter(odometer, d_in=1, d_out=limit)


def planned(shares: Any, measure: Any = PURE, space: Any = BOOLS) -> dp.Measurement:
    return dp.c.make_adaptive_composition(*space, measure, 1, shares)


def two(session: Session) -> list[Any]:
    return [session(coin(0.75)), session(coin(0.75))]


def chosen(session: Session) -> list[Any]:
    """The second scale by the first answer: less noise after True."""
    first = session(coin(0.75))
    return [first, session(coin(0.75 if first else 0.625))]


def chosen_loss(session: Session) -> list[Any]:
    """As many coins as fit; after True larger ones."""
    answers: list[Any] = []
    while True:
        prob = 0.75 if answers[-1:] == [True] else 0.625
        if not session.preview(coin(prob)).answered:
            return answers
        answers.append(session(coin(prob)))


def certificate(made: dp.Measurement, strategy: Any) -> Any:
    return verify.privacy(made >> strategy, True, False, depth=16)


@for_each("strategy", [two, chosen])
@for_each("opened", [limited, planned])
def test_whole_interactions_have_certificates(opened: Any, strategy: Any) -> None:
    """Two composed releases, and a second one that the first answer chooses."""
    loss = coin(0.75).map(1, exact=True)
    made = opened(2 * loss) if opened is limited else opened([loss, loss])
    found = certificate(made, strategy)
    assert found.holds
    assert found.unresolved == 0
    assert found.needs_epsilon > Fraction(2197, 1000)  # twice the logarithm of 3
    # The same releases under a limit that is too small are refused, not answered.
    small = opened(loss) if opened is limited else opened([loss])
    with pytest.raises(dp.OpenDPException, match="FailedFunction"):
        (small >> strategy)(True)


def test_a_loss_that_the_answers_choose_keeps_the_limit() -> None:
    for limit in (Fraction(1, 2), Fraction(2), Fraction(3)):
        found = certificate(limited(limit), chosen_loss)
        assert found.holds
        assert found.unresolved == 0


def answering(questions: int) -> dp.Measurement:
    """Releases a queryable that answers so many questions, each as a coin of 3/4."""
    tossed = coin(0.75)

    def function(x: bool) -> dp.Queryable:
        asked: list[Any] = []

        def answer(query: Any, internal: bool) -> Any:
            asked.append(query)
            return tossed.function(x) if len(asked) <= questions else None

        return dp.new_queryable(answer)

    def privacy_map(d_in: Any) -> Any:
        return questions * tossed.map(d_in, exact=True)

    return dp.m.make_user_measurement(*BOOLS, PURE, function, privacy_map, "Queryable")


def test_queryables_that_are_asked_in_turns_have_a_certificate() -> None:
    loss = coin(0.75).map(1, exact=True)
    dp.enable_features("honest-but-curious")
    twice, once = answering(2), answering(1)

    def in_turns(session: Session) -> list[Any]:
        one, two = session(twice), session(once)
        first = one("a")
        later = [two("b"), one("c")] if first else [one("c"), two("b"), one("d")]
        return [first, *later, session(coin(0.75))]

    made = limited(4 * loss) >> in_turns
    found = verify.privacy(made, True, False, depth=16)
    assert found.holds
    assert found.unresolved == 0
    assert found.needs_epsilon > Fraction(4394, 1000)  # four times the logarithm of 3
    with pytest.raises(dp.OpenDPException, match="Nothing was spent"):
        (limited(3 * loss) >> in_turns)(True)


def test_a_claim_that_is_too_small_is_refuted() -> None:
    """A certificate sees it if a session charges half of what is lost."""
    loss = coin(0.75).map(1, exact=True)
    honest = limited(2 * loss)
    lying = dp.Measurement(
        honest.input_domain,
        lambda x: two(honest.function(x)),
        honest.input_metric,
        PURE,
        lambda d: loss,
    )
    assert verify.privacy(lying, True, False, depth=16).refuted


def test_the_map_is_constant_up_to_its_distance() -> None:
    made = dp.c.make_adaptive_composition(*INTEGERS, PURE, d_in=3, d_mids=["0.1"] * 10)
    assert [made.map(d, exact=True) for d in (0, 1, 3)] == [1, 1, 1]
    with pytest.raises(dp.OpenDPException, match="distances up to 3"):
        made.map(4)
    filtering = limited((1.0, 1e-6), APPROXIMATE, INTEGERS)
    assert filtering.map(1, exact=True) == (1, Fraction(1, 10**6))
    with pytest.raises(dp.OpenDPException, match="FailedMap"):
        filtering.map(math.inf)


def test_the_map_is_never_above_opendps() -> None:
    oracle.enable_features("contrib")
    space = oracle.atom_domain(T=int), oracle.absolute_distance(T=int)
    for shares in ([1.0], [0.5, 0.25], [0.1] * 10, [0.3, 0.7]):
        ours = dp.c.make_adaptive_composition(*INTEGERS, PURE, 1, shares).map(1)
        theirs = oracle.c.make_adaptive_composition(
            *space, oracle.max_divergence(), 1, shares
        ).map(1)
        assert ours <= theirs
        assert theirs - ours < 1e-12


def test_compositors_follow_transformations_and_nest() -> None:
    rows = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    count = rows >> dp.t.then_count()
    session = (count >> dp.c.then_adaptive_composition(PURE, 2, [1, 1]))([1, 2, 3])
    assert isinstance(session(count.output_space >> dp.m.then_laplace(scale=2)), int)
    nested = dp.c.make_adaptive_composition(*INTEGERS, PURE, 1, ["0.5"])
    session = planned([1], space=INTEGERS)(0)
    inner = session(nested)
    assert inner.remaining() == [0.5]
    made = INTEGERS >> dp.c.then_fully_adaptive_composition(PURE)
    assert made == dp.c.make_fully_adaptive_composition(*INTEGERS, PURE)


def test_every_link_says_whether_its_release_goes_on_answering() -> None:
    identity = dp.t.make_identity(*INTEGERS)
    opened = limited(1, space=INTEGERS)
    session = planned([1], PURE, INTEGERS)
    plain = dp.m.make_laplace(*INTEGERS, scale=1)
    dp.enable_features("honest-but-curious")
    own = [
        dp.m.make_user_measurement(*INTEGERS, PURE, abs, lambda d: 1, TO)
        for TO in ("Queryable", dp.Queryable, dp.Session, "ExtrinsicObject", int)
    ]
    renyi = dp.m.make_user_measurement(
        *INTEGERS, dp.renyi_divergence(), abs, lambda d: lambda a: a, "Queryable"
    )
    profiled = dp.c.make_zCDP_to_approxDP(dp.c.make_pureDP_to_zCDP(session))
    pairs = dp.c.make_fixed_approxDP_to_approxDP(dp.c.make_approximate(session))
    told = [
        (opened, True, True),
        (session, True, True),
        (identity >> opened, True, True),
        (identity >> identity >> session, True, True),
        (opened >> (lambda release: release), True, False),
        (identity >> (opened >> len), True, False),
        (opened >> dp.t.make_cdf(), True, False),
        (dp.c.make_approximate(opened), True, False),
        (dp.c.make_pureDP_to_zCDP(session), True, False),
        (profiled, True, False),
        (dp.c.make_fix_delta(profiled, 1e-6), True, False),
        (pairs, True, False),
        (dp.c.make_RDP_to_approxDP(renyi), True, False),
        (plain, False, False),
        (identity >> plain >> float, False, False),
        (dp.c.make_composition([plain, plain]), False, False),
        *((each, i < 3, False) for i, each in enumerate(own)),
    ]
    dp.disable_features("honest-but-curious")
    for made, interactive, opens in told:
        assert (made.interactive, made.opens_session) == (interactive, opens), made


def test_whatever_takes_a_measurement_tells_whether_it_goes_on_answering() -> None:
    """A new one is added to the test above, and passes `interactive` on.

    Or it refuses it, as amplification does, and another test says so.
    """
    takes = {
        name
        for name in dir(dp.c)
        if name.startswith("make_")
        for each in inspect.signature(getattr(dp.c, name)).parameters.values()
        if "Measurement" in str(each.annotation)
    }
    assert takes == {
        "make_approximate",
        "make_basic_composition",
        "make_chain_mt",
        "make_chain_pm",
        "make_chain_proved",
        "make_composition",
        "make_fix_delta",
        "make_fixed_approxDP_to_approxDP",
        "make_parallel_composition",  # refuses what goes on answering
        "make_poisson_subsample",
        "make_population_amplification",
        "make_product",  # refuses what goes on answering
        "make_pureDP_to_zCDP",
        "make_RDP_to_approxDP",
        "make_select_private_candidate",  # refuses what goes on answering
        "make_zCDP_to_approxDP",
    }


def test_a_session_is_a_node_only_where_transformations_are_deterministic() -> None:
    """What a random one makes is hidden, and queries to a session behind it share it.

    So it counts as stateful, and gives nothing back.
    """
    rows = dp.vector_domain(dp.atom_domain(T=int)), dp.insert_delete_distance()
    ordered = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    shuffled = dp.t.make_ordered_random(*ordered)
    session = limited(1, space=rows)
    assert shuffled.random
    assert session.opens_session
    chain = shuffled >> session
    assert chain.interactive
    assert not chain.opens_session
    outer = limited(2, space=ordered)([1, 2])
    outer(chain).close()
    assert outer.remaining() == 1.0


def test_objects_are_values_and_every_call_opens_a_new_session() -> None:
    odometer = dp.c.make_fully_adaptive_composition(*INTEGERS, PURE)
    for made in (odometer, limited(1), planned([1])):
        again = pickle.loads(pickle.dumps(made))
        assert again == made
        assert hash(again) == hash(made)
        assert repr(again) == repr(made)
    one, two = limited(1)(True), limited(1)(True)
    one(coin(0.625))
    assert two.remaining() == 1.0
    assert odometer.input_space == INTEGERS
    assert odometer.input_carrier_type == "int"
    assert "make_fully_adaptive_composition" in odometer._repr_html_()


def test_outsiders_are_refused_blindly() -> None:
    odometer = dp.c.make_fully_adaptive_composition(*INTEGERS, PURE)
    for made in (odometer, limited(1, space=INTEGERS)):
        for call in (made, made.invoke):
            with pytest.raises(dp.OpenDPException) as caught:
                call("secret")
            assert "secret" not in str(caught.value)


def test_the_older_names_warn() -> None:
    with pytest.warns(DeprecationWarning, match="make_adaptive_composition") as seen:
        old = dp.c.make_sequential_composition(*INTEGERS, PURE, 1, [1])
    assert seen[0].filename == __file__
    assert old == dp.c.make_adaptive_composition(*INTEGERS, PURE, 1, [1])
    with pytest.warns(DeprecationWarning, match="make_adaptive_composition"):
        assert INTEGERS >> dp.c.then_sequential_composition(PURE, 1, [1]) == old
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dp.c.make_adaptive_composition(*INTEGERS, PURE, 1, [1])
