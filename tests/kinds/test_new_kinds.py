"""A new kind of domain, metric, law or measure is one file, and all checks know it.

The files beside this one define a kind each, and change nothing else. Contracts draw
its members and neighbours, try its extremes and outsiders, measure by it and certify
its noise; each check is shown a planted fault.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import plots
from opendp_lite.core.spaces import metric_of, space_of
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.randomness.discrete import discrete_noise
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.testing import assert_close, assert_noisy, tolerance
from opendp_lite.verify import Contract, ContractBroken, contract, privacy
from opendp_lite.verify.contracts.examples import members, neighbours, outsiders
from opendp_lite.verify.divergences import divergence
from tests.kinds.clock_distance import ClockDistance
from tests.kinds.clock_domain import ClockDomain
from tests.kinds.steep_law import STEEP, make_steep, make_too_steep
from tests.kinds.total_variation import TotalVariation

FEATURES = ("honest-but-curious",)
CLOCK = ClockDomain(12), ClockDistance()
COUNT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
SEARCH = settings(
    derandomize=True,
    database=None,
    max_examples=500,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def trusting() -> Iterator[None]:
    """The features that classes and constructors of one's own need."""
    dp.enable_features("honest-but-curious", "contrib")
    yield
    dp.disable_features("honest-but-curious", "contrib")


def later(x: int) -> int:
    """Five hours later."""
    return (x + 5) % 12


def doubled(x: int) -> int:
    """Twice the hour: neighbours move apart."""
    return 2 * x % 12


def late(x: int) -> int:
    """No hour for the last one, which only the domain knows to be an extreme."""
    return 12 if x == 11 else x


def same(d_in: Any) -> Any:
    """The distance that comes in."""
    return d_in


def all_later(rows: list[int]) -> list[int]:
    """Each row five hours later."""
    return [later(row) for row in rows]


def noisy(x: int) -> int:
    """The hour after Laplace noise of scale 2 has moved the hand."""
    return (x + discrete_noise(LAPLACE, mpq(2)).sample()) % 12


def half(d_in: Any) -> Any:
    """The epsilon of scale 2."""
    return d_in if d_in == math.inf else mpq(d_in) / 2


def too_small(d_in: Any) -> Any:
    """A third of what is lost."""
    return d_in if d_in == math.inf else mpq(d_in) / 6


def make_turn(domain: Any, metric: Any, function: Any, stability_map: Any) -> Any:
    """A transformation of the space into itself, of the user's own."""
    return dp.t.make_user_transformation(
        domain, metric, domain, metric, function, stability_map
    )


def make_hand(domain: Any, metric: Any, function: Any, privacy_map: Any) -> Any:
    """A measurement of the user's own."""
    return dp.m.make_user_measurement(
        domain, metric, dp.max_divergence(), function, privacy_map
    )


def turn(space: Any, function: Any) -> dict[str, Any]:
    return {
        "domain": space[0],
        "metric": space[1],
        "function": function,
        "stability_map": same,
    }


def hand(privacy_map: Any) -> dict[str, Any]:
    domain, metric = CLOCK
    return {
        "domain": domain,
        "metric": metric,
        "function": noisy,
        "privacy_map": privacy_map,
    }


def check(space: Any, function: Any) -> None:
    arguments = st.just(turn(space, function))
    contract(make_turn, arguments=arguments, features=FEATURES, examples=10)


def test_a_contract_over_a_new_domain_and_metric_is_kept() -> None:
    check(CLOCK, later)


def test_rows_of_a_new_domain_are_data_sets() -> None:
    for metric in (dp.symmetric_distance(), dp.hamming_distance()):
        check((dp.vector_domain(CLOCK[0]), metric), all_later)


@pytest.mark.parametrize(
    ("function", "rule"), [(doubled, "stability"), (late, "stability")]
)
def test_faults_over_a_new_domain_and_metric_are_found(
    function: Any, rule: str
) -> None:
    with pytest.raises(ContractBroken, match=rule):
        check(CLOCK, function)


def test_a_new_metric_says_what_must_be_refused() -> None:
    class Careless(ClockDistance):
        def parse(self, d: Any, name: str = "d_in") -> Any:
            return 0 if d == "far" else super().parse(d, name)

    arguments = st.just(turn((CLOCK[0], Careless()), later))
    with pytest.raises(ContractBroken, match="must refuse d_in='far'"):
        contract(
            make_turn,
            arguments=arguments,
            features=FEATURES,
            examples=2,
            pickles=False,
        )


def test_certificates_over_a_new_domain_and_metric() -> None:
    checked = Contract(
        make_hand,
        st.just(hand(half)),
        certificates=[(hand(half), 11, 0, 20)],
        features=FEATURES,
        examples=5,
        distances=[0, 1, 6],
    )
    contract(checked)


def test_a_false_claim_over_a_new_metric_is_refuted(trusting: None) -> None:
    """11 and 0 are neighbours on a clock, and on no other metric of integers."""
    certificate = privacy(make_hand(**hand(too_small)), 11, 0, depth=20)
    assert certificate.claimed_loss == mpq(1, 6)
    assert certificate.refuted


def test_neighbours_and_outsiders_are_those_of_the_kind() -> None:
    domain, metric = CLOCK
    assert find(members(domain), lambda x: x == 11, settings=SEARCH) == 11
    near = neighbours(domain, metric, 0)
    assert find(near, lambda x: x == 11, settings=SEARCH) == 11
    assert {-1, 12} <= {x for x in outsiders(domain) if type(x) is int}


def test_spaces_of_new_kinds_are_named_by_class(trusting: None) -> None:
    assert space_of(CLOCK[0]) == CLOCK
    assert space_of(CLOCK[0], ClockDistance) == CLOCK
    assert metric_of(ClockDistance) == ClockDistance()


def test_names_are_the_librarys_only(trusting: None) -> None:
    """Whatever classes others define, a name means what it means."""
    forged = type("SymmetricDistance", (ClockDistance,), {})
    assert metric_of("SymmetricDistance") == dp.symmetric_distance()
    assert type(metric_of(forged)) is forged
    with pytest.raises(dp.OpenDPException, match="is not a metric"):
        metric_of("ClockDistance")


@pytest.mark.parametrize("M", ["CountingMetric", "UserDistance", "Metric"])
def test_what_does_not_measure_has_no_name(M: str) -> None:
    for text in (M, f"{M}<int>", "_NumberMetric<int>", "L01InfDistance"):
        with pytest.raises(dp.OpenDPException, match="is not a metric"):
            metric_of(text)


def test_new_kinds_stay_unproved() -> None:
    """To answer every question is not to be one of the library's classes."""
    for domain, metric in (CLOCK, (dp.atom_domain(T=int), ClockDistance())):
        with pytest.raises(dp.OpenDPException, match="can prove nothing"):
            space_of(domain, metric)


def test_an_incomplete_domain_asks_for_data() -> None:
    class Bare(dp.Domain):
        def member(self, value: Any) -> bool:
            return value == 1

        def rule(self) -> str:
            return "1"

    with pytest.raises(TypeError, match="pass data="):
        members(Bare())
    assert Bare().extremes() == Bare().outside() == Bare().forms(1) == []
    assert Bare().row_domain is Bare().usual_metric is None
    assert not Bare().opaque


def answer(x: bool) -> bool:
    """The truth with probability 3/4."""
    return bool(x) == (random_bits(2) != 0)


def a_half(d_in: int) -> mpq:
    """The distance of the two laws of `answer`."""
    return mpq(min(d_in, 1)) / 2


def a_third(d_in: int) -> mpq:
    """Less than that."""
    return mpq(min(d_in, 1)) / 3


def told(privacy_map: Any) -> dict[str, Any]:
    return {
        "input_domain": dp.atom_domain(T=bool),
        "input_metric": dp.discrete_distance(),
        "output_measure": TotalVariation(),
        "function": answer,
        "privacy_map": privacy_map,
    }


def test_a_contract_under_a_new_measure_is_kept() -> None:
    contract(
        dp.m.make_user_measurement,
        arguments=st.just(told(a_half)),
        certificates=[(told(a_half), False, True, 8)],
        features=FEATURES,
        examples=3,
    )


def test_a_false_claim_under_a_new_measure_is_refuted(trusting: None) -> None:
    made = dp.m.make_user_measurement(**told(a_third))
    certificate = privacy(made, False, True, depth=8)
    assert certificate.refuted
    assert certificate.needs_loss == mpq(1, 2)
    assert "t         delta" in repr(certificate)
    with pytest.raises(AttributeError, match="ask for needs_loss"):
        _ = certificate.needs_rho
    p, q = {0: mpq(1, 4), 1: mpq(3, 4)}, {0: mpq(3, 4), 1: mpq(1, 4)}
    assert divergence(TotalVariation(), p, q) == mpq(1, 2)


def test_a_measure_without_a_judge_has_no_certificate(trusting: None) -> None:
    class Silent(dp.Measure):
        pass

    made = dp.m.make_user_measurement(**{**told(a_half), "output_measure": Silent()})
    with pytest.raises(dp.OpenDPException, match="no certificate under"):
        privacy(made, False, True, depth=8)


def steep(scale: Any) -> dict[str, Any]:
    return {"input_domain": COUNT[0], "input_metric": COUNT[1], "scale": scale}


def test_a_contract_of_a_new_law_is_kept() -> None:
    contract(
        make_steep,
        arguments=st.sampled_from([steep(scale) for scale in (0, 1, "2.5", 1000)]),
        certificates=[(steep(2), 0, 1, 25)],
        limits=[(steep(0), 7, 7)],
        map_values=[(steep(4), 3, mpq(3, 2))],
        features=("contrib",),
        examples=8,
    )


def test_a_false_claim_of_a_new_law_is_refuted(trusting: None) -> None:
    assert privacy(make_steep(*COUNT, 2), 0, 1, depth=25).holds
    assert privacy(make_too_steep(*COUNT, 2), 0, 1, depth=25).refuted


def test_assertions_know_a_stated_law(trusting: None) -> None:
    measurement = make_steep(*COUNT, 100)
    wide = dp.m.make_laplace(*COUNT, 100)
    flakiness = 1e-12
    assert tolerance(measurement, flakiness) * 1.9 < tolerance(wide, flakiness)
    assert_close(measurement(10**6), 10**6, measurement, flakiness=flakiness)
    with pytest.raises(AssertionError):
        assert_close(10**6 + 2000, 10**6, measurement, flakiness=flakiness)
    vectors = make_steep(dp.vector_domain(COUNT[0], size=8), dp.l1_distance(T=int), 100)
    assert_noisy(vectors([0] * 8), [0] * 8, vectors, flakiness=flakiness)
    with pytest.raises(AssertionError):
        assert_noisy([0] * 8, [0] * 8, vectors, flakiness=flakiness)
    with pytest.raises(dp.OpenDPException, match="does not say which noise"):
        tolerance(make_too_steep(*COUNT, 100), flakiness)


def test_accuracies_and_pictures_follow_from_stated_noise(trusting: None) -> None:
    """They are those of Laplace noise of half the scale, which has the same law."""
    steep, laplace = make_steep(*COUNT, 6), dp.m.make_laplace(*COUNT, 3)
    for alpha in ("0.5", "0.05", "1e-9"):
        assert steep.accuracy(alpha) == laplace.accuracy(alpha)
    assert (steep.scale, laplace.scale) == (6, 3)
    figure, same = plots.noise(steep), plots.noise(laplace)
    assert figure.axes[0].get_title(loc="left") == "Steep noise, scale 6"
    bars, others = (each.axes[0].patches for each in (figure, same))
    assert [bar.get_height() for bar in bars] == [bar.get_height() for bar in others]
    assert len(bars) > 10


def test_the_sampler_asks_a_law_for_its_rate() -> None:
    assert STEEP.rate(mpq(4)) == 2 * LAPLACE.rate(mpq(4))
