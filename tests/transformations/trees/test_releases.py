"""Functions of a release: consistent trees, cumulative shares, quantiles; branching."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.base.ownership import is_own_function
from opendp_lite.core.measurement import proved_function
from opendp_lite.exact.rounding import to_double
from tests.longer import shortened
from tests.rows import for_each

VECTORS = [
    vector
    for vector in json.loads(
        (Path(__file__).parents[2] / "data" / "tree_vectors.json").read_text()
    )["vectors"]
    if not vector["id"].startswith("tree")
]
MAKERS: dict[str, Any] = {
    "make_consistent_b_ary_tree": dp.t.make_consistent_b_ary_tree,
    "make_cdf": dp.t.make_cdf,
    "make_quantiles_from_counts": dp.t.make_quantiles_from_counts,
}
COUNTS = st.lists(st.integers(-20, 60), min_size=1, max_size=9)


def value(x: Any) -> Any:
    return [Fraction(each["fraction"]) for each in x] if isinstance(x, list) else x


@for_each("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vectors(vector: dict[str, Any]) -> None:
    ((name, arguments),) = vector["chain"]
    if vector["kind"] == "value":
        assert dp.t.choose_branching_factor(**arguments) == int(vector["expected"])
        return
    function = MAKERS[name](**{key: value(each) for key, each in arguments.items()})
    wanted = list(map(Fraction, vector["expected"]))
    for data in (vector["data"], tuple(vector["data"]), np.array(vector["data"])):
        assert function(data) == wanted
    assert {type(each) for each in function(vector["data"])} == {Fraction}


# Consistent trees


def tree(leaves: list[Fraction], n: int, b: int) -> list[Fraction]:
    """The full tree over the leaves, without those beyond n."""
    width = 1
    while width < n:
        width *= b
    layer = leaves + [Fraction(0)] * (width - n)
    nodes = layer
    while len(layer) > 1:
        layer = [sum(layer[i : i + b], Fraction(0)) for i in range(0, len(layer), b)]
        nodes = layer + nodes
    return nodes[: len(nodes) - (width - n)]


@given(st.integers(2, 4), st.integers(1, 14), st.data())
def test_the_residual_is_orthogonal_to_consistent_trees(
    b: int, n: int, data: Any
) -> None:
    """That is what makes it the nearest: nodes without a leaf are 0 in all of these."""
    size = len(tree([Fraction(0)] * n, n, b))
    noisy = data.draw(st.lists(st.integers(-9, 50), min_size=size, max_size=size))
    leaves = dp.t.make_consistent_b_ary_tree(b, TOA=Fraction)(noisy)
    assert len(leaves) == n
    nearest = tree(leaves, n, b)
    for leaf in range(n):
        unit = tree([Fraction(i == leaf) for i in range(n)], n, b)
        gaps = zip(noisy, nearest, unit, strict=True)
        assert sum((y - z) * u for y, z, u in gaps) == 0


@given(st.integers(2, 5), st.lists(st.integers(-5, 90), min_size=1, max_size=30))
def test_a_consistent_tree_keeps_its_leaves(b: int, leaves: list[int]) -> None:
    nodes = tree(list(map(Fraction, leaves)), len(leaves), b)
    assert dp.t.make_consistent_b_ary_tree(b)(nodes) == leaves


def test_odd_trees() -> None:
    make = dp.t.make_consistent_b_ary_tree
    assert make(2)([]) == make(2)(np.array([])) == []
    assert make(2)([7]) == [7.0]
    assert make(10**40)([6, 1, 2, 3]) == [1.0, 2.0, 3.0]  # in no time
    assert make(2)([1, 1]) == [1.0]  # a second layer with one leaf
    assert make(2)([2**70, 2**70]) == [2.0**70]


@for_each("b", [2, 3, 5])
@for_each("n", [1, 2, 3, 7, 9, 12, 27])
def test_opendps_trees_are_near(b: int, n: int) -> None:
    oracle.enable_features("contrib")
    noisy = [13 * i % 29 for i in range(len(tree([Fraction(0)] * n, n, b)))]
    theirs = oracle.t.make_consistent_b_ary_tree(branching_factor=b)(noisy)
    assert dp.t.make_consistent_b_ary_tree(b)(noisy) == pytest.approx(theirs, abs=1e-9)


# Shares and quantiles


@given(COUNTS)
def test_shares_never_decrease_and_end_at_one(counts: list[int]) -> None:
    shares = dp.t.make_cdf(TA=Fraction)(counts)
    assert all(0 <= a <= b for a, b in pairwise([0, *shares]))
    assert shares[-1] == 1
    held = [max(count, 0) for count in counts]
    if any(held):
        sums = [sum(held[: i + 1]) for i in range(len(held))]
        assert shares == [Fraction(each, sums[-1]) for each in sums]
    assert dp.t.make_cdf()(counts) == [float(each) for each in shares]


@given(COUNTS, st.sampled_from(["linear", "nearest"]))
def test_quantiles_are_in_order_and_within_the_edges(
    counts: list[int], interpolation: str
) -> None:
    edges = [Fraction(i * i) for i in range(len(counts) + 1)]
    levels = [Fraction(i, 12) for i in range(13)]
    function = dp.t.make_quantiles_from_counts(edges, levels, interpolation)
    found = function(counts)
    assert all(a <= b for a, b in pairwise([edges[0], *found, edges[-1]]))
    assert function([99, *counts, 99]) == found
    if interpolation == "linear" and any(count > 0 for count in counts):
        # Each is where the interpolated shares reach the level.
        shares = [Fraction(0), *dp.t.make_cdf(TA=Fraction)(counts)]
        for level, x in zip(levels, found, strict=True):
            i = max(j for j in range(len(counts)) if edges[j] <= x)
            part = (x - edges[i]) / (edges[i + 1] - edges[i])
            assert shares[i] + part * (shares[i + 1] - shares[i]) == level


def test_a_single_edge_has_no_bins() -> None:
    function = dp.t.make_quantiles_from_counts([3.5], [0, 1])
    assert function([]) == function([4, 5]) == [3.5, 3.5]


@pytest.mark.parametrize("interpolation", ["linear", "nearest"])
def test_quantiles_and_shares_of_opendp(interpolation: str) -> None:
    """Where OpenDP's are numbers: positive counts, and no ties."""
    oracle.enable_features("contrib")
    counts, edges = [3.0, 1.0, 7.0, 2.0], [0.0, 10.0, 15.0, 40.0, 41.0]
    alphas = [0.1, 0.33, 0.5, 0.97]
    theirs = oracle.t.make_quantiles_from_counts(edges, alphas, interpolation)(counts)
    ours = dp.t.make_quantiles_from_counts(edges, alphas, interpolation)(counts)
    assert ours == pytest.approx(theirs, abs=1e-9)
    assert dp.t.make_cdf()(counts) == pytest.approx(oracle.t.make_cdf()(counts))


def test_types() -> None:
    quantiles = dp.t.make_quantiles_from_counts
    assert quantiles([Fraction(0), Fraction(1)], ["1/3"])([5]) == [Fraction(1, 3)]
    assert quantiles([0, 1], ["1/3"])([5]) == [1 / 3]
    assert quantiles([0, 1], ["1/3"], TA=Fraction)([5]) == [Fraction(1, 3)]
    assert quantiles(np.array([0.0, 1.0]), np.array([0.5]))(np.array([5.0])) == [0.5]


# What is refused


BAD = [
    (dp.t.make_cdf, {"TA": int}, "TA"),
    (dp.t.make_cdf, {"TA": "f32"}, "TA"),
    (dp.t.make_consistent_b_ary_tree, {"branching_factor": 1}, "branching_factor"),
    (dp.t.make_consistent_b_ary_tree, {"branching_factor": 2.5}, "branching_factor"),
    (dp.t.make_consistent_b_ary_tree, {"branching_factor": 2, "TOA": int}, "TOA"),
    (dp.t.choose_branching_factor, {"size_guess": 0}, "size_guess"),
    (dp.t.choose_branching_factor, {"size_guess": math.inf}, "size_guess"),
    *(
        (dp.t.make_quantiles_from_counts, {"bin_edges": edges, "alphas": alphas}, name)
        for edges, alphas, name in [
            ([], [0.5], "bin_edges"),
            ([0, 0], [0.5], "bin_edges"),
            ([1, 0], [0.5], "bin_edges"),
            ([0, math.inf], [0.5], "bin_edges"),
            ([0, math.nan], [0.5], "bin_edges"),
            (5, [0.5], "bin_edges"),
            ([0, 1], [0.5, 0.5], "alphas"),
            ([0, 1], [-0.1], "alphas"),
            ([0, 1], [1.1], "alphas"),
            ([0, 1], [math.nan], "alphas"),
            ([0, 1], 0.5, "alphas"),
        ]
    ),
    (
        dp.t.make_quantiles_from_counts,
        {"bin_edges": [0, 1], "alphas": [0.5], "interpolation": "cubic"},
        "interpolation",
    ),
    (
        dp.t.make_quantiles_from_counts,
        {"bin_edges": [0, 1], "alphas": [0.5], "TA": str},
        "TA",
    ),
]


@for_each(("make", "arguments", "name"), BAD)
def test_bad_arguments(make: Any, arguments: dict[str, Any], name: str) -> None:
    with pytest.raises(dp.OpenDPException, match=name) as caught:
        make(**arguments)
    assert caught.value.variant == "MakeTransformation"


def test_what_is_no_release_of_counts_is_refused() -> None:
    for function in (
        dp.t.make_cdf(),
        dp.t.make_consistent_b_ary_tree(2),
        dp.t.make_quantiles_from_counts([0, 1], [0.5]),
    ):
        for wrong in (5, "12", {1: 2}, [math.nan], [math.inf], [None], [[1]]):
            with pytest.raises(dp.OpenDPException) as caught:
                function(wrong)
            assert caught.value.variant == "FailedFunction"
        for array in (
            np.zeros((2, 2)),
            np.zeros((0, 2)),  # whose list is empty
            np.array(3),
            np.array([1, 2], "m8[ns]"),  # whose list has integers
            np.array([1, 2], "M8[ns]"),
        ):
            with pytest.raises(dp.OpenDPException):
                function(array)
    with pytest.raises(dp.OpenDPException, match="one count less"):
        dp.t.make_quantiles_from_counts([0, 1], [0.5])([1, 2])


# Branching


SIZES = [*range(2, 30), *range(30, 400, 29), 512, 1000, 10**5]
MORE_SIZES = [*range(2, 100), *range(100, 400, 7), 512, 999, 1000, 1001]
MORE_SIZES += [5000, 10**4, 10**5]


@pytest.mark.parametrize("sizes", shortened([SIZES, MORE_SIZES], MORE_SIZES), ids=len)
def test_branching_factors_of_opendp(sizes: list[int]) -> None:
    oracle.enable_features("contrib")
    ours = [dp.t.choose_branching_factor(size) for size in sizes]
    assert ours == [oracle.t.choose_branching_factor(size) for size in sizes]
    assert dp.t.choose_branching_factor(1) == 2  # OpenDP returns 1, which is no factor
    assert dp.t.choose_branching_factor(10**30) >= 2


# After a measurement


LEAVES = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()


def test_proved_functions_follow_a_measurement_without_a_promise() -> None:
    """Several quantiles of one release, and no honest-but-curious."""
    dp.enable_features("contrib")
    release = (
        LEAVES
        >> dp.t.then_histogram([0, 10, 20, 30])
        >> dp.t.then_b_ary_tree(leaf_count=5, branching_factor=2)
        >> dp.m.then_laplace(scale=0)
        >> dp.t.make_consistent_b_ary_tree(branching_factor=2)
        >> dp.t.make_quantiles_from_counts([0, 10, 20, 30], [0.25, 0.5, 0.75])
    )
    assert release(list(range(30))) == [7.5, 15.0, 22.5]
    noisy = LEAVES >> dp.t.then_histogram([0, 9]) >> dp.m.then_laplace(scale=2)
    assert (noisy >> dp.t.make_cdf()).map(1) == noisy.map(1) == 0.5
    assert len((noisy >> dp.t.make_cdf())([1, 2, 3])) == 3


def test_proved_functions_are_values() -> None:
    """They print without addresses, compare by their arguments, and can be pickled."""
    quartiles = dp.t.make_quantiles_from_counts([0, 1], [0.5])
    assert repr(quartiles) == "make_quantiles_from_counts(...)"
    assert quartiles == dp.t.make_quantiles_from_counts([0.0, "1"], ["1/2"])
    assert quartiles != dp.t.make_quantiles_from_counts([0, 2], [0.5])
    assert quartiles != dp.Function(quartiles.function)
    assert pickle.loads(pickle.dumps(quartiles)) == quartiles
    assert pickle.loads(pickle.dumps(quartiles))([4]) == [0.5]
    assert len({quartiles, dp.t.make_quantiles_from_counts([0, 1], [0.5])}) == 1


def test_proved_functions_name_their_own_proofs() -> None:
    proofs = Path(__file__).parents[3] / "proofs"
    for name, function in {
        "make_cdf": dp.t.make_cdf(),
        "make_consistent_b_ary_tree": dp.t.make_consistent_b_ary_tree(2),
        "make_quantiles_from_counts": dp.t.make_quantiles_from_counts([0], [0]),
    }.items():
        assert function.proof == f"transformations/{name}"
        text = (proofs / f"{function.proof}.tex").read_text(encoding="utf-8")
        assert f"{{{function.function.func.__module__}}}{{{name}}}" in text  # type: ignore[attr-defined]
        assert rf"\validPostprocessor{{{name}}}" in text


def test_only_functions_of_the_librarys_own_are_proved() -> None:
    dp.enable_features("contrib")
    noisy = LEAVES >> dp.t.then_histogram([0, 9]) >> dp.m.then_laplace(scale=2)
    forged = dp.Function(lambda release: release)
    object.__setattr__(forged, "proof", "transformations/make_cdf")
    for unproved in (
        dp.new_function(dp.t.make_cdf().function),
        dp.Function(sum),
        forged,
        type("Own", (dp.Function,), {})(sum),
        len,
    ):
        with pytest.raises(dp.OpenDPException, match="honest-but-curious"):
            noisy >> unproved
        with pytest.raises(dp.OpenDPException, match="proved"):
            dp.c.make_chain_proved(unproved, noisy)  # type: ignore[arg-type]


def test_nothing_of_a_users_is_inside_of_a_proved_function() -> None:
    """What the library's function was given, and what it has inside, count too."""
    dp.enable_features("contrib", "honest-but-curious")
    noisy = LEAVES >> dp.t.then_histogram([0, 9]) >> dp.m.then_laplace(scale=2)
    inside = (noisy >> (lambda release: release)).function  # the library's, outside
    dp.disable_features("honest-but-curious")
    assert is_own_function(inside)
    cdf = dp.t.make_cdf().function.func  # type: ignore[attr-defined]
    word = type("Word", (int,), {})(2)
    for function in (
        proved_function("transformations/make_cdf", cdf, lambda share: share),
        proved_function("transformations/make_cdf", inside),
        proved_function("transformations/make_cdf", for_each),
        proved_function("transformations/make_cdf", cdf, for_each),
        proved_function("transformations/make_cdf", cdf, inside),
        proved_function("transformations/make_cdf", cdf, word),
        proved_function("transformations/make_cdf", cdf, (1, (word,))),
        proved_function("transformations/make_cdf", cdf, partial(cdf, 1)),
        proved_function("transformations/make_cdf", sum),
    ):
        assert function.proof is not None
        with pytest.raises(dp.OpenDPException, match="honest-but-curious"):
            noisy >> function
        with pytest.raises(dp.OpenDPException, match="proved"):
            dp.c.make_chain_proved(function, noisy)
    named = proved_function("transformations/make_cdf", cdf, to_double)
    named.function.keywords["share"] = len  # type: ignore[attr-defined]
    with pytest.raises(dp.OpenDPException, match="honest-but-curious"):
        noisy >> named
    assert attrs.evolve(dp.t.make_cdf(), function=inside).proof is None


def test_what_goes_on_answering_is_asked_nothing() -> None:
    """A measurement that says that it goes on may release plain numbers, too."""
    dp.enable_features("contrib", "honest-but-curious")
    asked: list[Any] = []
    queryable = dp.new_queryable(lambda query, _: asked.append(query))
    for proved, numbers, expected in (
        (dp.t.make_cdf(), [1, 3], [0.25, 1.0]),
        (dp.t.make_consistent_b_ary_tree(2), [12, 3, 6], [4.0, 7.0]),
        (dp.t.make_quantiles_from_counts([0, 15, 25], [0.25]), [30, 10], [5.0]),
    ):
        for release in (numbers, queryable, [queryable, 1], (1, queryable), [asked]):
            own = dp.m.make_user_measurement(
                *LEAVES,
                dp.max_divergence(),
                lambda x, release=release: release,
                lambda d_in: 0,
                TO="Queryable",
            )
            chained = own >> proved
            assert chained.interactive
            if release is numbers:
                assert chained([1]) == expected
            else:
                with pytest.raises(dp.OpenDPException, match="must be a"):
                    chained([1])
    assert not asked


def test_arguments_of_quantiles_are_read_once() -> None:
    """What an argument says when it is compared is not asked again at each release."""

    class Answer:
        def __bool__(self) -> bool:
            raise AssertionError("asked at a release")

    class Word(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> Any:
            return Answer()

    quantiles = dp.t.make_quantiles_from_counts
    assert quantiles([0, 1], [0.3], Word("nearest"))([1]) == [0.0]
    assert quantiles([0, 1], [0.3], Word("linear"))([1]) == [0.3]
    own: Any = type("Own", (), {"__eq__": lambda *_: True, "__hash__": None})()
    with pytest.raises(dp.OpenDPException, match="interpolation"):
        quantiles([0, 1], [0.3], own)


def test_a_users_divergence_need_not_obey_processing() -> None:
    dp.enable_features("contrib", "honest-but-curious")
    cdf = dp.t.make_cdf()
    for measure in (
        dp.user_divergence("own"),
        dp.approximate(dp.user_divergence("own")),
    ):
        assert not measure.processed
        own = dp.m.make_user_measurement(
            *LEAVES, measure, lambda x: [1, 3], lambda d_in: 0
        )
        with pytest.raises(dp.OpenDPException, match="post-processing"):
            dp.c.make_chain_proved(cdf, own)
        assert (own >> cdf)([1]) == [0.25, 1.0]
        dp.disable_features("honest-but-curious")
        with pytest.raises(dp.OpenDPException, match="honest-but-curious"):
            own >> cdf
        dp.enable_features("honest-but-curious")
    for known in (
        dp.max_divergence(),
        dp.zero_concentrated_divergence(),
        dp.renyi_divergence(),
        dp.smoothed_max_divergence(),
        dp.approximate(dp.max_divergence()),
    ):
        assert known.processed
