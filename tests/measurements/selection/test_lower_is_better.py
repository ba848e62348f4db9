"""Scores of which the lowest are the best: chaining refuses to select the highest."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite import certify
from opendp_lite.core.registry import constructor
from tests.rows import for_each

DATA = list(range(100))
CANDIDATES = list(range(100))
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
SCORES = ROWS >> dp.t.then_quantile_score_candidates(CANDIDATES, alpha=0.25)
SPACE = SCORES.output_space
PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()
HIGHEST: list[dict[str, bool]] = [{}, {"negate": False}]

Select = Callable[..., dp.Measurement]


def best(scale: float = 0, measure: Any = PURE, **negate: Any) -> dp.Measurement:
    return dp.m.make_noisy_max(*SPACE, measure, scale, **negate)


def top(scale: float = 0, measure: Any = PURE, **negate: Any) -> dp.Measurement:
    return dp.m.make_noisy_top_k(*SPACE, measure, 3, scale, **negate)


BOTH: list[tuple[Select, str]] = [(best, "make_noisy_max"), (top, "make_noisy_top_k")]


def said(name: str) -> str:
    return (
        rf"(?s)^MakeMeasurement: measurement1=.*: {name} selects the highest scores, "
        r"but the lowest scores of make_quantile_score_candidates are the best\. "
        rf"Pass negate=True to {name}, which then selects the lowest\.$"
    )


def check_refused(scores: Any, after: Any, name: str) -> None:
    with pytest.raises(dp.OpenDPException, match=said(name)):
        _ = scores >> after


@for_each("negate", HIGHEST)
def test_the_highest_of_such_scores_is_refused(negate: Any) -> None:
    """The lower quartile of 0, ..., 99 was 99."""
    for scale in (0, 1.0):
        one = dp.m.then_noisy_max(PURE, scale, **negate)
        several = dp.m.then_noisy_top_k(CONCENTRATED, 3, scale, **negate)
        check_refused(SCORES, one, "make_noisy_max")
        check_refused(SCORES, several, "make_noisy_top_k")
    for select, name in BOTH:
        check_refused(SCORES, select(**negate), name)
        with pytest.raises(dp.OpenDPException, match=said(name)):
            dp.c.make_chain_mt(select(**negate), SCORES)
        with pytest.raises(dp.OpenDPException, match=said(name)):
            dp.c.make_composition([SCORES >> select(**negate)])


def test_the_lowest_is_near_the_quantile() -> None:
    for measure in (PURE, CONCENTRATED):
        one = SCORES >> dp.m.then_noisy_max(measure, 0, negate=True)
        assert CANDIDATES[one(DATA)] == 25
        several = SCORES >> dp.m.then_noisy_top_k(measure, 3, 0, negate=True)
        assert sorted(several(DATA)) == [24, 25, 26]
        assert (SCORES >> best(measure=measure, negate=True))(DATA) == 25


def test_the_fields_are_set_by_constructors() -> None:
    assert SCORES.lower_is_better
    assert not dp.t.make_count(*ROWS).lower_is_better
    for select, _ in BOTH:
        assert [select().selects, select(negate=True).selects] == ["highest", "lowest"]
    assert dp.m.make_laplace(*dp.space_of(int), scale=1).selects is None


def as_profile(measurement: dp.Measurement) -> dp.Measurement:
    return dp.c.make_fixed_approxDP_to_approxDP(dp.c.make_approximate(measurement))


def with_score(release: Any) -> tuple[int, Any]:
    return 1, release


def make_twice(measurement: dp.Measurement) -> dp.Measurement:
    """Stand for a combinator of a user's own, which knows nothing of ends."""
    return dp.Measurement(
        measurement.input_domain,
        lambda arg: [measurement.function(arg), measurement.function(arg)],
        measurement.input_metric,
        measurement.output_measure,
        lambda d_in: 2 * measurement.privacy_map(d_in),
    )


MADE_FROM: dict[str, Callable[[dp.Measurement], dp.Measurement]] = {
    "make_approximate": dp.c.make_approximate,
    "make_pureDP_to_zCDP": dp.c.make_pureDP_to_zCDP,
    "make_zCDP_to_approxDP": lambda each: dp.c.make_zCDP_to_approxDP(
        dp.c.make_pureDP_to_zCDP(each)
    ),
    "make_fixed_approxDP_to_approxDP": as_profile,
    "make_fix_delta": lambda each: dp.c.make_fix_delta(as_profile(each), 1e-6),
    "make_composition": lambda each: dp.c.make_composition([each, each]),
    "a composition of both ends": lambda each: dp.c.make_composition(
        [best(negate=True), each]
    ),
    "a composition of compositions": lambda each: dp.c.make_composition(
        [
            dp.c.make_composition([best(negate=True)]),
            dp.c.make_composition([best(negate=True), each]),
        ]
    ),
    "make_chain_pm": lambda each: each >> str,
    "make_chain_pm, converted": lambda each: (
        dp.c.make_pureDP_to_zCDP(each >> str) >> len
    ),
    "make_select_private_candidate": lambda each: dp.c.make_select_private_candidate(
        each >> with_score, stop_probability=0.5, threshold=0
    ),
    "a user's own": lambda each: constructor()(make_twice)(each),
}


@for_each("kind", MADE_FROM)
@for_each(("select", "name"), BOTH)
def test_what_is_made_from_a_selection_is_refused_alike(
    kind: str, select: Select, name: str
) -> None:
    dp.enable_features("contrib", "honest-but-curious")
    make = MADE_FROM[kind]
    check_refused(SCORES, make(select(scale=1)), name)
    lowest = make(select(scale=1, negate=True))
    assert (SCORES >> lowest).output_measure == lowest.output_measure
    no_claim = dp.t.make_identity(*SPACE)
    assert (no_claim >> make(select(scale=1))).input_space == SPACE


def test_renyi_curves_are_converted_alike() -> None:
    """No selection of the library has one, so this is made by hand."""

    def own(selects: Any) -> dp.Measurement:
        measure = dp.renyi_divergence()
        return dp.Measurement(
            SPACE[0], min, SPACE[1], measure, lambda d: lambda a: 0, selects=selects
        )

    check_refused(SCORES, dp.c.make_RDP_to_approxDP(own("highest")), "the measurement")
    assert SCORES >> dp.c.make_RDP_to_approxDP(own("lowest"))
    assert SCORES >> dp.c.make_RDP_to_approxDP(own(None))


def test_a_proved_post_processor_keeps_the_end() -> None:
    made = top() >> dp.t.make_cdf()
    assert made.record is not None
    assert made.record.constructor is dp.c.make_chain_proved
    check_refused(SCORES, made, "make_noisy_top_k")
    assert (SCORES >> (top(negate=True) >> dp.t.make_cdf())).map(1) is not None


def negated(space: Any) -> dp.Transformation:
    dp.enable_features("honest-but-curious")
    return dp.t.make_user_transformation(
        *space, *space, lambda scores: [-x for x in scores], lambda d_in: d_in
    )


def test_the_last_link_says_which_scores_are_the_best() -> None:
    clamp = ROWS >> dp.t.then_clamp((0, 99))
    scores = clamp >> dp.t.then_quantile_score_candidates(CANDIDATES, alpha=0.25)
    assert scores.lower_is_better
    check_refused(scores, dp.m.then_noisy_max(PURE, 0), "make_noisy_max")
    opposite = scores >> negated(SPACE)
    assert not opposite.lower_is_better
    assert (opposite >> dp.m.then_noisy_max(PURE, 0))(DATA) == 25


@for_each("negate", [{}, {"negate": True}])
def test_clamped_scores_keep_their_order(negate: Any) -> None:
    clamp, select = dp.t.then_clamp((0, 10**6)), dp.m.then_noisy_max(PURE, 0, **negate)
    scores = SCORES >> clamp
    assert scores.lower_is_better
    converted = dp.c.make_pureDP_to_zCDP(SPACE >> clamp >> select)
    for left, right in [(scores, select), (SCORES, clamp >> select)]:
        if negate:
            assert (left >> right)(DATA) == 25
        else:
            check_refused(left, right, "make_noisy_max")
    if negate:
        assert (SCORES >> converted)(DATA) == 25
    else:
        check_refused(SCORES, converted, "make_noisy_max")
    counts = ROWS >> dp.t.then_histogram([1, 2, 3], MO=dp.linf_distance(T=int))
    assert not (counts >> clamp).lower_is_better


def test_behind_a_transformation_a_selection_takes_other_scores() -> None:
    turned = negated(SPACE) >> best()
    assert turned.selects is None
    assert (SCORES >> turned)(DATA) == 25
    several = dp.c.make_composition([turned, best(negate=True)])
    assert (SCORES >> several)(DATA) == [25, 25]
    assert (SCORES >> (turned >> str))(DATA) == "25"


def test_all_other_chains_are_as_they_were() -> None:
    counts = ROWS >> dp.t.then_histogram([1, 2, 3], MO=dp.linf_distance(T=int))
    for negate in (False, True):
        assert (counts >> dp.m.then_noisy_max(PURE, 1, negate=negate)).map(1) == 2
        assert (counts >> dp.m.then_noisy_top_k(PURE, 2, 1, negate=negate)).map(1) == 4
    assert best()([2, 3, *[1] * 98]) == 1
    assert top()([2, 3, 4, *[1] * 97]) == [2, 1, 0]
    dp.enable_features("honest-but-curious")
    own = dp.m.make_user_measurement(*SPACE, PURE, lambda x: 7, lambda d_in: 0.0)
    assert (SCORES >> own)(DATA) == 7


def test_each_block_of_a_parallel_composition_is_chained_alike() -> None:
    def released(negate: bool) -> dp.Measurement:
        chain = SCORES >> dp.m.then_noisy_max(PURE, 0, negate=negate)
        parts = dp.c.then_parallel_composition(lambda row: row // 50, [chain] * 2)
        return ROWS >> parts

    dp.enable_features("honest-but-curious")
    with pytest.raises(dp.OpenDPException, match=said("make_noisy_max")):
        released(negate=False)
    assert released(negate=True)(DATA) == [12, 62]


@for_each("name", ["noisy_max", "noisy_top_k"])
@for_each("negate", HIGHEST)
@for_each("scale", [{}, {"scale": 100.0}])
def test_a_context_refuses_before_it_charges(
    name: str, negate: Any, scale: Any
) -> None:
    context = dp.Context.compositor(
        data=DATA,
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=4.0),
        domain=ROWS[0],
    )
    given = {**({"k": 3} if name == "noisy_top_k" else {}), **scale}

    def ask(do: str, **negate: bool) -> Any:
        scores = context.query(epsilon=3.0).quantile_score_candidates(CANDIDATES, 0.25)
        return getattr(getattr(scores, name)(**given, **negate), do)()

    for do in ("param", "resolve", "preview", "release"):
        with pytest.raises(dp.OpenDPException, match=said(f"make_{name}")):
            ask(do, **negate)
    assert context.remaining_privacy_loss() == 4.0
    assert ask("preview", negate=True).answered
    assert ask("release", negate=True) is not None
    assert context.remaining_privacy_loss() < 4.0


def test_copies_are_refused_alike() -> None:
    for read in (
        lambda made: pickle.loads(pickle.dumps(made)),
        lambda made: dp.deserialize(dp.serialize(made)),
    ):
        assert read(SCORES) == SCORES
        assert read(best()) == best() != best(negate=True)
        converted = dp.c.make_pureDP_to_zCDP(best())
        assert read(converted) == converted
        for made in (best(), converted):
            check_refused(read(SCORES), made, "make_noisy_max")
            check_refused(SCORES, read(made), "make_noisy_max")
        chain = SCORES >> best(scale=1, negate=True)
        assert read(chain) == chain
        assert read(chain).map(1) == chain.map(1)


def test_certificates_hold_and_cannot_carry_the_refused_chain() -> None:
    rows = ROWS >> dp.t.then_quantile_score_candidates([0, 1], alpha=0.5)
    chain = rows >> dp.m.then_noisy_max(PURE, 4, negate=True)
    text = certify.certificate(chain, 1).to_json()
    assert certify.check(text).same
    written = dp.serialize(chain)
    assert written.count('"negate": true') == 1
    with pytest.raises(dp.OpenDPException, match=said("make_noisy_max")):
        dp.deserialize(written.replace('"negate": true', '"negate": false'))


def test_help_says_it() -> None:
    for make in (dp.m.make_noisy_max, dp.m.make_noisy_top_k):
        assert "`make_quantile_score_candidates`" in str(inspect.getdoc(make))
    assert "`negate=True`" in str(inspect.getdoc(dp.t.make_quantile_score_candidates))
