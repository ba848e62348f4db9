"""Products: the release of each part, what they cost together, and what is told."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from typing import Any

import pytest

import opendp_lite.combinators.composition as product
import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.core.domains import AtomDomain
from opendp_lite.core.metrics import AbsoluteDistance
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.sessions.losses import total
from opendp_lite.testing import state_flakiness

COUNT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
VECTOR = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
PAIR = dp.product_domain([COUNT[0]] * 2), dp.product_distance([COUNT[1]] * 2)
MIXED = (
    dp.product_domain([COUNT[0], VECTOR[0]]),
    dp.product_distance([COUNT[1], VECTOR[1]]),
)
BITS = (
    dp.product_domain([dp.atom_domain(T=bool)] * 2),
    dp.product_distance([dp.discrete_distance()] * 2),
)
laplace, gaussian = dp.m.then_laplace, dp.m.then_gaussian


def responses(*probs: str) -> dp.Measurement:
    return dp.c.make_product(
        *BITS, [dp.m.make_randomized_response_bool(prob) for prob in probs]
    )


@pytest.fixture(autouse=True)
def _contrib() -> Any:
    dp.enable_features("contrib")
    yield
    dp.disable_features("contrib")


def test_each_part_is_released_by_its_own_measurement() -> None:
    exact = MIXED >> dp.c.then_product([laplace(0), laplace(0)])
    assert exact((7, [1, 2, 3])) == [7, [1, 2, 3]]
    noisy = MIXED >> dp.c.then_product([laplace(0), laplace(10**6)])
    first, second = noisy((7, [0] * 100))
    assert first == 7
    # Of at most 5 values one would come 20 times, with a chance of at most
    # (100 choose 20) p^19, where p < 1e-6 is that of 0.
    state_flakiness("1e-90")
    assert len(set(second)) > 5


def test_losses_add_up_part_by_part() -> None:
    made = MIXED >> dp.c.then_product([laplace(2), laplace(3)])
    assert made.map((1, 3), exact=True) == Fraction(3, 2)
    assert made.map((1, 0), exact=True) == Fraction(1, 2)
    assert made.map((0, 0)) == 0
    assert made.map((0, math.inf)) == math.inf
    assert made.check((1, 3), 1.5)
    assert not made.check((1, 3), 1.49)
    rho = PAIR >> dp.c.then_product([gaussian(1), gaussian(2)])
    assert rho.map((1, 2), exact=True) == Fraction(1)
    assert rho.output_measure == dp.zero_concentrated_divergence()


def test_deltas_add_up_to_at_most_1() -> None:
    counts = dp.map_domain(dp.atom_domain(T=str), COUNT[0])
    keyed = counts, dp.l01inf_distance(COUNT[1])
    space = dp.product_domain([counts] * 2), dp.product_distance([keyed[1]] * 2)
    for threshold in (2, 10):
        one = dp.m.make_laplace_threshold(*keyed, scale=1, threshold=threshold)
        epsilon, delta = one.map((1, 1, 1), exact=True)
        both = dp.c.make_product(*space, [one, one])
        assert both.map(((1, 1, 1), (1, 1, 1)), exact=True) == (
            2 * epsilon,
            2 * delta,
        )
        far = ((10**9, 10**9, 1),) * 2
        assert both.map(far, exact=True)[1] == 1


def test_a_part_that_is_not_released() -> None:
    made = PAIR >> dp.c.then_product([None, laplace(0)])
    assert made((1, 2)) == [None, 2]
    assert made.map((math.inf, 0)) == 0
    assert (PAIR >> dp.c.then_product([None, laplace(4)])).map((9, 2)) == 0.5
    assert made.scale == [None, 0]


def test_a_transformation_into_a_product_chains() -> None:
    """The distance of each part goes to the measurement of that part."""
    rows = dp.vector_domain(dp.atom_domain(bounds=(0, 9))), dp.symmetric_distance()
    split = dp.t.make_user_transformation(
        *rows,
        *PAIR,
        lambda rows: (len(rows), sum(rows)),
        lambda d_in: (d_in, 9 * d_in),
    )
    chain = split >> dp.c.then_product([laplace(2), laplace(18)])
    assert chain.map(1) == 1.0
    assert chain.map(3, exact=True) == 3
    assert len(chain([1, 2, 3])) == 2
    assert chain.scale == [2, 18]
    with pytest.raises(dp.OpenDPException, match="DomainMismatch"):
        split >> dp.c.make_product(*MIXED, [laplace(1), laplace(1)])


def test_scale_accuracy_and_explanation_are_told_part_by_part() -> None:
    made = MIXED >> dp.c.then_product([laplace(2), laplace("1/3")])
    assert made.scale == [2, Fraction(1, 3)]
    alone = [dp.m.make_laplace(*COUNT, 2), dp.m.make_laplace(*VECTOR, "1/3")]
    assert made.accuracy(0.05) == [each.accuracy(0.05) for each in alone]
    lines = str(made.explain()).splitlines()
    assert lines[0].split() == [
        "then_product(...)",
        "proofs/combinators/make_product.tex",
        "(vetted)",
    ]
    assert [line.split()[0] for line in lines[1:]] == [
        "then_laplace(scale=2)",
        "then_laplace(scale='1/3')",
    ]
    assert all("make_laplace.tex" in line for line in lines[1:])
    html = made._repr_html_()
    assert "accuracy(0.05)" in html


def test_partial_forms_are_recorded_as_what_they_became() -> None:
    waiting = MIXED >> dp.c.then_product([laplace(2), laplace(3)])
    parts = [dp.m.make_laplace(*COUNT, 2), dp.m.make_laplace(*VECTOR, 3)]
    made = dp.c.make_product(*MIXED, parts)
    assert waiting == made
    assert hash(waiting) == hash(made)
    assert pickle.loads(pickle.dumps(waiting)) == made
    assert dp.deserialize(dp.serialize(waiting)) == made
    assert waiting.record is not None
    assert dict(waiting.record.arguments)["parts"] == tuple(parts)


def test_a_list_that_changes_later_changes_nothing() -> None:
    parts: list[Any] = [laplace(0), laplace(0)]
    made = PAIR >> dp.c.then_product(parts)
    parts[0] = laplace(10**9)
    assert made((1, 2)) == [1, 2]


def test_the_bit_tree_of_two_parts() -> None:
    """Every outcome of both parts, exactly: a product of the laws of the parts."""
    made = responses("3/4", "7/8")
    tree = verify.enumerate_tree(lambda: tuple(made.function((True, False))), 8)
    for first in (True, False):
        for second in (True, False):
            mass = Fraction(3 if first else 1, 4) * Fraction(1 if second else 7, 8)
            assert tree.mass((first, second)) == mass
    assert tree.unresolved == 0


@pytest.mark.parametrize(
    "convert", [None, dp.c.make_pureDP_to_zCDP, dp.c.make_approximate]
)
def test_the_loss_of_two_parts_is_certified(convert: Any) -> None:
    made = responses("3/4", "7/8")
    made = made if convert is None else convert(made)
    assert verify.privacy(made, (True, False), (False, True), depth=8).holds


def test_planted_faults_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that is dropped from the sum, and deltas that are not added."""

    def refuted(made: dp.Measurement) -> bool:
        pair = (True, False), (False, True)
        return verify.privacy(made, *pair, depth=8).refuted

    assert not refuted(responses("3/4", "3/4"))
    with monkeypatch.context() as planted:  # the first part is not counted
        planted.setattr(product, "total", lambda losses: total(list(losses)[1:]))
        assert refuted(responses("3/4", "3/4"))
    with monkeypatch.context() as planted:  # the largest of the losses, not the sum
        planted.setattr(product, "total", lambda losses: max(losses))
        assert refuted(responses("3/4", "3/4"))
        assert refuted(dp.c.make_product(*BITS, [leaky(), leaky()]))
    assert not refuted(dp.c.make_product(*BITS, [leaky(), leaky()]))


def leaky() -> dp.Measurement:
    """The truth with probability 1/4, and nothing otherwise: (0, 1/4)-private."""
    return dp.m.make_user_measurement(
        dp.atom_domain(T=bool),
        dp.discrete_distance(),
        dp.approximate(dp.max_divergence()),
        lambda x: bool(x) if random_bits(2) == 0 else None,
        lambda d_in: (0, "1/4" if d_in else 0),
    )


def test_a_foreign_part_is_seen_inside() -> None:
    """A class of somebody's own, derived from the library's, is unproved in a tuple."""

    class Wider(AtomDomain):
        def member(self, value: Any) -> bool:
            return True

    class Nearer(AbsoluteDistance):
        def distance(self, x: Any, y: Any) -> Any:
            return 0

    dp.disable_features("honest-but-curious")
    for space in (
        (dp.product_domain([COUNT[0], Wider(T=int)]), PAIR[1]),
        (PAIR[0], dp.product_distance([COUNT[1], Nearer(T=int)])),
    ):
        with pytest.raises(dp.OpenDPException, match="FeatureRequired"):
            dp.c.make_product(*space, [dp.m.make_laplace(*COUNT, 1), None])


def test_a_session_and_a_sample_are_no_parts() -> None:
    session = dp.c.make_adaptive_composition(*COUNT, dp.max_divergence(), 1, [1])
    with pytest.raises(dp.OpenDPException, match=r"parts\[1\].*goes on answering"):
        dp.c.make_product(*PAIR, [laplace(1), session])
