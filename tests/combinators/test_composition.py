"""Composition: independent releases in order, and exact sums of their losses."""

from __future__ import annotations

import itertools
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.data.identity import visible
from opendp_lite.randomness.entropy import random_bits, use_source
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()


def laplace(scale: Any) -> dp.Measurement:
    return dp.m.make_laplace(*INTEGERS, scale=scale)


def response(prob: Any) -> dp.Measurement:
    return dp.m.make_randomized_response_bool(prob)


def of(*measurements: Any) -> dp.Measurement:
    return dp.c.make_composition(list(measurements))


class Counting:
    """Serve the bits of a script, one at a time, and count them."""

    granularity = 1

    def __init__(self, script: str) -> None:
        self.script, self.served = script, 0

    def bits(self, count: int) -> int:
        chosen = self.script[self.served : self.served + count]
        assert len(chosen) == count, "the script is too short"
        self.served += count
        return int(chosen, 2)


def test_releases_come_as_a_list_in_order() -> None:
    exactly = laplace(0)
    release = of(exactly, exactly >> float, exactly >> str)(7)
    assert visible(release) == visible([7, 7.0, "7"])
    assert of(exactly)(7) == [7]


@pytest.mark.parametrize("x", [True, False])
def test_the_joint_law_is_the_product_of_the_laws(x: bool) -> None:
    """Every mass is dyadic here, so the bit tree resolves it completely."""
    parts = [response(0.75), response(0.625), response(0.75)]
    trees = [verify.enumerate_tree(lambda part=part: part(x), 20) for part in parts]
    joint = verify.enumerate_tree(lambda: of(*parts)(x), 20)
    assert joint.unresolved == 0
    product = {}
    for outcomes in itertools.product((True, False), repeat=3):
        masses = [
            tree.masses[visible(outcome)]
            for tree, outcome in zip(trees, outcomes, strict=True)
        ]
        product[visible(list(outcomes))] = math.prod(masses)
    assert dict(joint.masses) == product


def test_one_measurement_listed_twice_draws_twice() -> None:
    coin = response("1/2")
    tree = verify.enumerate_tree(lambda: of(coin, coin)(True), 8)
    assert set(map(float, tree.masses.values())) == {0.25}
    assert len(tree.masses) == 4
    with use_source(Counting("01")):
        first = of(coin, coin)(True)
    assert first[0] != first[1]
    # The first component reads the first bit, the second the next.
    with use_source(Counting("10")):
        assert of(coin, coin)(True) == first[::-1]


def test_the_bits_read_are_those_of_the_parts_one_after_the_other() -> None:
    parts = [laplace(2), laplace("1/3"), laplace(5)]
    script = "011010011101" * 60
    together = Counting(script)
    with use_source(together):
        release = of(*parts)(4)
    alone = Counting(script)
    with use_source(alone):
        assert [part(4) for part in parts] == release
    assert together.served == alone.served > 0


@for_each(
    ("scales", "epsilon"),
    [
        ([10] * 10, 1),
        ([10.0] * 10, 1),
        ([3] * 3, 1),
        ([3.0] * 3, 1),
        ([1, 2, 3], Fraction(11, 6)),
        (["0.1"] * 7, 70),
        ([49] * 49, 1),
    ],
)
def test_losses_add_up_exactly(scales: list[Any], epsilon: Any) -> None:
    made = of(*map(laplace, scales))
    assert made.map(1, exact=True) == epsilon
    assert made.map(2, exact=True) == 2 * epsilon
    assert made.check(1, epsilon)
    assert not made.check(1, Fraction(epsilon) - Fraction(1, 10**30))


def test_queries_that_were_asked_for_fit_the_budget_whole() -> None:
    tenth = dp.binary_search_param(laplace, d_in=1, d_out=0.1)
    ten = of(*[laplace(tenth)] * 10)
    assert ten.check(1, 1)
    assert not of(ten, laplace(10**9)).check(1, 1)


def test_the_map_is_never_above_opendps() -> None:
    oracle.enable_features("contrib")
    space = oracle.atom_domain(T=int), oracle.absolute_distance(T=int)
    equal = 0
    for scales in ([1.0], [1.0, 2.0, 3.0], [3.0] * 3, [10.0] * 10, [0.7, 0.1]):
        peers = [oracle.m.make_laplace(*space, scale=scale) for scale in scales]
        mine = [laplace(scale) for scale in scales]
        for d_in in (0, 1, 2, 7):
            theirs = oracle.c.make_composition(peers).map(d_in)
            assert of(*mine).map(d_in) <= theirs
            equal += of(*mine).map(d_in) == theirs
            pairs = [
                c.make_composition([*map(c.make_approximate, each)]).map(d_in)
                for c, each in ((dp.c, mine), (oracle.c, peers))
            ]
            assert pairs[0][0] <= pairs[1][0]
            assert pairs[0][1] == pairs[1][1] == 0
    # Where theirs is exact, ours is the same number.
    assert equal >= 12


def test_losses_of_zero_concentrated_privacy_add_up() -> None:
    half, third = (dp.c.make_pureDP_to_zCDP(laplace(scale)) for scale in (1, 3))
    made = of(half, half, third)
    assert made.output_measure == dp.zero_concentrated_divergence()
    parts = [each.map(1, exact=True) for each in (half, half, third)]
    assert made.map(1, exact=True) == sum(parts)
    gauss = dp.m.make_gaussian(*INTEGERS, scale=1)
    assert of(gauss, gauss).map(1, exact=True) == 1


def test_infinite_losses_stay_infinite() -> None:
    made = of(laplace(3), laplace(0))
    assert made.map(1) == math.inf
    assert made.map(0) == 0
    assert of(laplace(3), laplace(3)).map(math.inf) == math.inf
    pair = of(*map(dp.c.make_approximate, (laplace(0), laplace(3))))
    assert pair.map(1) == (math.inf, 0.0)
    assert pair.map(0) == (0.0, 0.0)


def test_delta_stops_at_one() -> None:
    dp.enable_features("honest-but-curious")
    try:
        leak = dp.m.make_user_measurement(
            dp.atom_domain(T=bool),
            dp.discrete_distance(),
            dp.approximate(dp.max_divergence()),
            lambda x: x if random_bits(2) == 0 else None,
            lambda d_in: ("0.1", Fraction(d_in, 4)),
        )
    finally:
        dp.disable_features("honest-but-curious")
    for count, delta in ((1, 0.25), (3, 0.75), (4, 1.0), (5, 1.0)):
        made = of(*[leak] * count)
        assert made.map(1, exact=True) == (Fraction(count, 10), Fraction(delta))
        assert made.check(1, made.map(1))


def test_a_composition_follows_transformations() -> None:
    parts = dp.c.make_composition([laplace(1), laplace("1/2") >> float])
    count = ROWS >> dp.t.then_count()
    made = count >> parts >> tuple
    assert made.map(2) == 6.0
    assert type(made([1, 2, 3])) is tuple
    assert len(made(numpy.arange(5))) == 2


def test_exact_rationals_enter_if_every_component_takes_them() -> None:
    floats = dp.vector_domain(dp.atom_domain(bounds=(0.0, 4.0)), size=3)
    total = dp.t.make_sum(floats, dp.change_one_distance())
    real = dp.m.make_laplace(*FLOATS, scale=4)
    on_grid = dp.m.make_laplace(*FLOATS, scale=4, k=0)
    made = total >> of(real, real)
    assert made.map(1) == 2.0
    assert all(isinstance(each, float) for each in made([1.0, 2.0, 3.0]))
    with pytest.raises(dp.OpenDPException, match="DomainMismatch"):
        total >> of(real, on_grid)


def test_different_queries_on_one_data_set() -> None:
    count = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=0)
    total = (
        ROWS >> dp.t.then_clamp((0, 9)) >> dp.t.then_sum() >> dp.m.then_laplace(scale=0)
    )
    assert of(count, total)([4, 20, 1]) == [3, 14]


def test_compositions_nest() -> None:
    inner = of(laplace(2), laplace(4))
    made = of(inner, laplace(4))
    assert made.map(1) == 1.0
    release = made(0)
    assert len(release) == 2
    assert len(release[0]) == 2


def test_an_error_of_a_post_processor_stops_the_list() -> None:
    made = of(laplace(0), laplace(0) >> (lambda y: 1 // y))
    assert made(2) == [2, 0]
    with pytest.raises(ZeroDivisionError):
        made(0)


def test_the_list_may_change_afterwards() -> None:
    parts = [laplace(1), laplace(1)]
    made = dp.c.make_composition(parts)
    parts.append(laplace("1/1000"))
    assert made.map(1) == 2.0
    assert len(made(0)) == 2
    assert made == dp.c.make_composition((laplace(1), laplace(1)))
    assert made != of(laplace(1), laplace(2))
    assert pickle.loads(pickle.dumps(made)) == made


def test_the_older_name() -> None:
    with pytest.warns(DeprecationWarning, match="make_composition"):
        made = dp.c.make_basic_composition([laplace(1)])
    assert made == of(laplace(1))


def test_who_is_no_member_is_refused_once_and_blindly() -> None:
    made = of(laplace(1), laplace(1))
    for stranger in ("secret", 2.5, None):
        with pytest.raises(dp.OpenDPException) as caught:
            made(stranger)
        assert "secret" not in str(caught.value)


def test_explain_names_the_proofs_of_the_parts() -> None:
    count = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
    by_hand = dp.Measurement(*fields_of(count))
    lines = str(of(count, by_hand).explain()).splitlines()
    assert lines[0].split()[-2] == "proofs/combinators/make_composition.tex"
    assert lines[1].startswith("  then_count()")
    assert lines[2].split()[-2] == "proofs/measurements/make_laplace.tex"
    assert lines[-1].endswith("unproved")
    chained = str((dp.t.make_identity(*ROWS) >> of(count) >> len).explain())
    assert "proofs/measurements/make_laplace.tex" in chained
    assert "proofs/combinators/make_composition.tex" in chained


def fields_of(made: dp.Measurement) -> tuple[Any, ...]:
    """The fields of a measurement, to put one together by hand."""
    return (
        made.input_domain,
        made.function,
        made.input_metric,
        made.output_measure,
        made.privacy_map,
    )


def planted(function: Any, privacy_map: Any) -> dp.Measurement:
    return dp.Measurement(
        dp.atom_domain(T=bool),
        function,
        dp.discrete_distance(),
        dp.max_divergence(),
        privacy_map,
    )


def test_certificates_find_planted_faults() -> None:
    """A loss that is not summed; and what a certificate of the right one says."""
    coin = response(0.75)
    both = of(coin, coin)
    certificate = verify.privacy(both, True, False, depth=8)
    assert certificate.holds
    assert certificate.unresolved == 0
    assert certificate.needs_epsilon > Fraction(2197, 1000)
    not_summed = planted(both.function, coin.privacy_map)
    assert verify.privacy(not_summed, True, False, depth=8).refuted
