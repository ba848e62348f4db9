"""Faults of OpenDP that are known by number, each beside what this library does.

The oracle is OpenDP 0.16, run on the example of the issue. Where it is still wrong, the
test says so: should a later version be right, the test shows it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import opendp.prelude as oracle
import pytest

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.core.registry import REGISTRY
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.roots import root


@pytest.fixture(autouse=True)
def _features() -> Iterator[None]:
    oracle.enable_features("contrib")
    dp.enable_features("contrib")
    yield
    dp.disable_features("contrib")
    oracle.disable_features("contrib")


def both(name: str, make: Any) -> tuple[Any, Any]:
    """What a function makes of OpenDP's prelude, and of this one."""
    theirs, ours = make(oracle), make(dp)
    assert type(ours).__module__.startswith("opendp_lite."), name
    assert type(theirs).__module__.startswith("opendp."), name
    return theirs, ours


def apart(left: list[Any], right: list[Any], p: int) -> Any:
    """The p-th power of the Lp distance."""
    return sum(abs(a - b) ** p for a, b in zip(left, right, strict=True))


def test_314_half_of_a_product_is_not_truncated() -> None:
    """Sized sums of integers lost what d_in (U - L) / 2 has after the point; mended.

    The least map is floor(d_in / 2) (U - L), which neighbours reach.
    """
    theirs, ours = both(
        "#314", lambda lib: lib.t.make_sized_bounded_int_checked_sum(4, (0, 3))
    )
    for d_in, changed in [(1, 0), (2, 1), (3, 1), (4, 2), (8, 4)]:
        x, y = [0] * 4, [3] * changed + [0] * (4 - changed)
        assert ours.map(d_in) == theirs.map(d_in) == ours(y) - ours(x) == 3 * changed
    # There are but four rows.
    assert ours.map(100) == 12 < theirs.map(100) == 150


@pytest.mark.parametrize(
    ("make", "divisor"),
    [("make_sum_of_squared_deviations", 1), ("make_variance", 1023)],
)
def test_2923_bounds_far_from_0_keep_their_map(make: str, divisor: int) -> None:
    """Neighbours' sums of squares are farther apart than OpenDP's map: it rounds."""
    low = 2.0**50

    def deviations(lib: Any) -> Any:
        atom = lib.atom_domain(bounds=(low, low + 1), nan=False)
        space = lib.vector_domain(atom, size=1024), lib.symmetric_distance()
        return getattr(lib.t, make)(*space)

    theirs, ours = both("#2923", deviations)
    x = [low + 0.25] * 1024
    y = [low + 0.5, *x[1:]]
    assert abs(theirs(x) - theirs(y)) > 1.5 * theirs.map(2)
    assert abs(ours(x) - ours(y)) == Fraction(1023, 16384 * divisor)
    assert ours.map(2, exact=True) == Fraction(1023, 1024 * divisor)
    # The map is reached: all rows at one end, and one of them at the other.
    ends = [low] * 1024, [low + 1] + [low] * 1023
    assert ours(ends[1]) - ours(ends[0]) == ours.map(2, exact=True)


def tree(lib: Any, metric: str, leaves: int) -> Any:
    domain = lib.vector_domain(lib.atom_domain(T=int), size=leaves)
    return lib.t.make_b_ary_tree(domain, getattr(lib, metric)(T=int), leaves, leaves)


def test_2924_trees_are_as_far_apart_in_l2_as_the_map_says() -> None:
    """Vectors 2 apart whose trees are sqrt(20) apart, where OpenDP claims 4."""
    theirs, ours = both("#2924", lambda lib: tree(lib, "l2_distance", 4))
    x, y = [0] * 4, [1] * 4
    assert list(theirs(x)) == list(ours(x)) == [0] * 5
    assert list(theirs(y)) == list(ours(y)) == [4, 1, 1, 1, 1]
    assert theirs.map(2) == 4 < math.sqrt(apart(theirs(x), theirs(y), 2))
    assert ours.stability_map(2) == root(apart(ours(x), ours(y), 2)) == root(20)
    # One count costs sqrt(h), where OpenDP charges h.
    assert ours.stability_map(1) == root(2)
    assert theirs.map(1) == 2


def test_2925_trees_do_not_wrap() -> None:
    """Sums of OpenDP's tree wrap at 2^31, and neighbours are then 2^32 apart."""
    theirs, ours = both("#2925", lambda lib: tree(lib, "l1_distance", 2))
    x, y = [2**31 - 1, 0], [2**31 - 1, 1]
    assert theirs.map(1) == 2 < apart(theirs(x), theirs(y), 1) == 2**32
    assert ours.map(1) == apart(ours(x), ours(y), 1) == 2
    assert ours(y) == [2**31, 2**31 - 1, 1]


def test_2926_an_order_is_not_kept_by_counting_changes() -> None:
    """A row taken from the front moves all others: OpenDP claims that one differs."""
    theirs, ours = both(
        "#2926",
        lambda lib: lib.t.make_metric_bounded(
            lib.vector_domain(lib.atom_domain(T=int), size=3),
            lib.insert_delete_distance(),
        ),
    )
    x, y = [0, 1, 2], [1, 2, 3]
    assert dp.insert_delete_distance().distance(x, y) == 2
    assert theirs.output_metric == oracle.hamming_distance()
    assert theirs.map(2) == 1
    assert dp.hamming_distance().distance(theirs(x), theirs(y)) == 3
    assert ours.output_metric == dp.change_one_distance()
    assert ours.output_metric.distance(ours(x), ours(y)) == ours.map(2) == 1


def test_2928_random_transformations_are_stable_by_a_coupling() -> None:
    """OpenDP shuffles, and defines stability for what is not random.

    Images of one data set differ from one another, so no map bounds their distance run
    by run. Here such a transformation says that it is random, and its map bounds a
    coupling, which can be looked for; what follows it must stand mixtures.
    """
    theirs, ours = both(
        "#2928",
        lambda lib: lib.t.make_ordered_random(
            lib.vector_domain(lib.atom_domain(T=int)), lib.symmetric_distance()
        ),
    )
    for shuffle in (theirs, ours):
        images = {tuple(shuffle([1, 2, 3, 4])) for _ in range(200)}
        assert shuffle.map(0) == 0 < len(images) - 1
    assert ours.random
    assert (ours >> dp.t.then_count()).random
    for x, y in [([1, 2], [2, 1]), ([1, 2], [1, 3]), ([1, 2], [3, 4])]:
        d_in = dp.symmetric_distance().distance(x, y)
        found = verify.coupling(ours, x, y, cap=0)
        assert (found.verdict, found.coupled, found.d_out) == ("holds", 1, d_in)
    # A map that promises less than the least coupling needs is refuted.
    less = Transformation(
        *(ours.input_domain, ours.output_domain, ours.function),
        *(ours.input_metric, ours.output_metric, lambda d_in: d_in // 2),
        random=True,
    )
    assert verify.coupling(less, [1, 2], [1, 3], cap=0).refuted


@pytest.fixture
def _curious() -> Iterator[None]:
    oracle.enable_features("honest-but-curious")
    dp.enable_features("honest-but-curious")
    yield
    dp.disable_features("honest-but-curious")
    oracle.disable_features("honest-but-curious")


@pytest.mark.usefixtures("_curious")
def test_2932_groups_have_more_than_the_share_of_one_row() -> None:
    """OpenDP takes m / n for every distance: 0.159 where the loss is 1.

    Ten of a hundred rows were drawn, and all hundred are changed; the loss is 1 at all
    distances. Nor does it say that rows must be drawn without replacement.
    """

    def amplified(lib: Any) -> Any:
        space = lib.vector_domain(lib.atom_domain(T=int), size=10)
        inner = lib.m.make_user_measurement(
            space,
            lib.symmetric_distance(),
            lib.max_divergence(),
            lambda rows: 0,
            lambda d_in: float(d_in > 0),
        )
        return lib.c.make_population_amplification(inner, population_size=100)

    theirs, ours = both("#2932", amplified)
    assert ours.map(2) <= theirs.map(2) < math.nextafter(ours.map(2), 1) + 1e-12
    assert theirs.map(200) < 0.16
    assert ours.map(200) == 1
    name = "opendp_lite.combinators.amplification:make_population_amplification"
    assert "without replacement" in REGISTRY[name].human_verified[0]


@pytest.mark.usefixtures("_curious")
def test_2933_a_sample_is_not_released_from_twice() -> None:
    """OpenDP adds up amplified losses of one sample, as if it were drawn for each."""

    def amplified(lib: Any) -> Any:
        bounded = lib.atom_domain(bounds=(0.0, 10.0), nan=False)
        space = lib.vector_domain(bounded, size=100), lib.symmetric_distance()
        noisy = space >> lib.t.then_mean() >> lib.m.then_laplace(scale=0.1)
        return lib.c.make_population_amplification(noisy, population_size=1000)

    theirs, ours = both("#2933", amplified)
    both_of_theirs = oracle.c.make_composition([theirs, theirs])
    # A tenth of the samples have the row, and then two releases lose 2.
    assert both_of_theirs.map(2) < 0.32 < math.log(1 + 0.1 * math.expm1(2))
    with pytest.raises(dp.OpenDPException, match="Compose first, and amplify"):
        dp.c.make_composition([ours, ours])
