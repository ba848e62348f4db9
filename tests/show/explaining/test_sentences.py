"""The plain sentences are true, and say rows, people and answers where these are."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import attrs

import opendp_lite.prelude as dp
from opendp_lite.exact.enclosures import exp
from opendp_lite.show.explaining.sentences import guarantee
from opendp_lite.show.explaining.steps import told
from tests.kinds.clock_distance import ClockDistance
from tests.kinds.total_variation import TotalVariation
from tests.rows import for_each

ROWS = dp.symmetric_distance()
PEOPLE = dp.symmetric_id_distance("id")
PURE, RHO = dp.max_divergence(), dp.zero_concentrated_divergence()


def sentence(metric: Any, d_in: Any, measure: Any, loss: Any, **options: bool) -> str:
    at = told(metric.parse(d_in), metric)
    return guarantee(metric, at, measure, told(measure.parse(loss), measure), **options)


def test_the_sentence_of_pure_privacy() -> None:
    assert sentence(PEOPLE, 1, PURE, 0.5) == (
        "If one person with all rows is added or removed, no answer becomes more than "
        "1.65 times as likely: pure differential privacy with epsilon = 1/2 = 0.5."
    )


@for_each(
    ("metric", "d_in", "said"),
    [
        (ROWS, 1, "one row is added or removed"),
        (ROWS, 3, "at most 3 rows are added or removed"),
        (PEOPLE, 3, "at most 3 people with all their rows are added or removed"),
        (dp.change_one_distance(), 1, "one row is changed"),
        (dp.hamming_distance(), 2, "at most 2 rows are changed"),
        (dp.insert_delete_distance(), 1, "one row is inserted or deleted"),
        (dp.absolute_distance(T=int), 7, "the input changes by at most 7"),
        (
            dp.linf_distance(T=int, monotonic=True),
            1,
            "each entry of the input changes by at most 1, all in one direction",
        ),
    ],
)
def test_neighbours_are_said_in_words(metric: Any, d_in: Any, said: str) -> None:
    assert sentence(metric, d_in, PURE, 1).startswith(f"If {said}, no answer becomes ")


@for_each(
    ("measure", "loss", "said"),
    [
        (
            dp.approximate(PURE),
            ("1/2", "1/1000"),
            "the new probability of any set of answers is at most 1.65 times the old "
            "one plus 1/1000: approximate differential privacy with epsilon = 1/2 = "
            "0.5 and delta = 1/1000 <= 0.001.",
        ),
        (
            dp.approximate(PURE),
            ("1/2", 0),
            "no answer becomes more than 1.65 times as likely: pure differential "
            "privacy with epsilon = 1/2 = 0.5 and delta = 0.",
        ),
        (
            RHO,
            "1/8",
            "for every alpha above 1 the Renyi divergence of order alpha between the "
            "old and the new distribution of the answers, in either direction, is at "
            "most rho times alpha: zero-concentrated differential privacy with rho = "
            "1/8 = 0.125.",
        ),
        (
            dp.approximate(RHO),
            ("1/8", "1/4"),
            "outside of events of probability 1/4, for every alpha above 1 the Renyi "
            "divergence of order alpha between the old and the new distribution of the "
            "answers, in either direction, is at most rho times alpha: approximate "
            "zero-concentrated differential privacy with rho = 1/8 = 0.125 and delta = "
            "1/4 = 0.25.",
        ),
        (
            PURE,
            0,
            "no answer becomes more or less likely: pure differential privacy with "
            "epsilon = 0.",
        ),
        (
            PURE,
            math.inf,
            "nothing is promised: pure differential privacy with epsilon = inf, which "
            "is no guarantee at all.",
        ),
        (
            dp.approximate(PURE),
            (1, 1),
            "nothing is promised: approximate differential privacy with epsilon = 1 "
            "and delta = 1, which is no guarantee at all.",
        ),
    ],
)
def test_losses_are_said_in_words(measure: Any, loss: Any, said: str) -> None:
    assert sentence(ROWS, 1, measure, loss) == f"If one row is added or removed, {said}"


def test_curves_are_said_to_be_such() -> None:
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    profile = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=2))
    assert str(profile.explain(1)).startswith(
        "If the input changes by at most 1, for every epsilon of at least 0 the new "
        "probability of any set of answers is at most e^epsilon times the old one plus "
        "delta(epsilon): approximate differential privacy with a profile "
        "delta(epsilon).\nMeasurement: "
    )


@for_each("epsilon", ["1/1000000", "1/999", "1/30", "1/10", "ln", 1, "7/3", 20])
def test_the_factor_is_never_too_small_and_near(epsilon: Any) -> None:
    exact = Fraction("0.693147180559945309417232") if epsilon == "ln" else epsilon
    said = sentence(ROWS, 1, PURE, exact).partition("more than ")[2].partition(" ")[0]
    factor = Fraction(Decimal(said))
    enclosed = exp(PURE.parse(exact), 200)
    assert enclosed.hi <= factor
    assert (factor - 1) <= (enclosed.lo - 1) * Fraction(11, 10)


@for_each(
    ("epsilon", "said"),
    [(25, "e^25"), ("1/10000000", "e^(1/10000000)"), (300, "e^300")],
)
def test_an_extreme_factor_stays_a_power(epsilon: Any, said: str) -> None:
    assert f" more than {said} times as likely" in sentence(ROWS, 1, PURE, epsilon)


def test_kinds_of_users_are_named_and_nothing_is_said_of_them() -> None:
    metric = ClockDistance()
    assert sentence(metric, 1, PURE, 1).startswith(
        f"If the input is replaced by one at distance at most 1 under {metric!r}, "
    )
    measure = TotalVariation()
    assert sentence(ROWS, 1, measure, "1/4") == (
        "If one row is added or removed, the distributions of the answers are within "
        f"1/4 = 0.25 of each other: a loss under {measure!r} with 1/4 = 0.25."
    )

    # A class of the same name as one of the library's may mean anything.
    named = attrs.make_class("SymmetricDistance", [], bases=(type(ROWS),))()
    assert "rows" not in sentence(named, 2, PURE, 1)
    assert "one row" not in sentence(named, 1, PURE, 1)


def test_transformations_sessions_and_contexts_begin_with_a_sentence() -> None:
    space = dp.vector_domain(dp.atom_domain(bounds=(0, 9))), ROWS
    total = space >> dp.t.then_sum()
    assert total.explain(2).sentence == (
        "If at most 2 rows are added or removed, the outputs are at distance at most "
        "18 under AbsoluteDistance(T=int). Nothing is released."
    )
    assert total.explain().sentence is None
    context = dp.Context.compositor(
        data=[1, 2, 3],
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    context.query(epsilon=0.5).count().laplace().release()
    told = context.explain()
    said = (
        "So far: if one row is added or removed, no series of answers becomes more "
        "than 1.65 times as likely: pure differential privacy with epsilon = 1/2 = 0.5."
    )
    assert told.sentence == said
    assert str(told).splitlines()[0] == said
    assert f"<p>{said}</p><b>Context: " in told._repr_html_()
    assert told.to_dict()["sentence"] == said
    assert context.queryable.explain().sentence == said
