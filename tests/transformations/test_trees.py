"""Trees of counts: functions, maps, and the faults that OpenDP has."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.roots import root
from tests.rows import for_each

pytestmark = pytest.mark.usefixtures("contrib")
VECTORS = [
    vector
    for vector in json.loads(
        (Path(__file__).parent.parent / "data" / "tree_vectors.json").read_text()
    )["vectors"]
    if vector["id"].startswith("tree")
]
L1, L2 = dp.l1_distance(T=int), dp.l2_distance(T=float)


def counts(size: int | None = None, **atom: Any) -> Any:
    return dp.vector_domain(dp.atom_domain(**(atom or {"T": int})), size=size)


def by_hand(leaves: list[int], n: int, b: int) -> list[int]:
    """Layer by layer from the leaves, in a full tree."""
    width = 1
    while width < n:
        width *= b
    layer = (leaves[:n] + [0] * width)[:width]
    layers = [layer]
    while len(layer) > 1:
        layer = [sum(layer[i : i + b]) for i in range(0, len(layer), b)]
        layers.insert(0, layer)
    nodes = [node for layer in layers for node in layer]
    return nodes[: len(nodes) - (width - n)]


@for_each("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vectors(vector: dict[str, Any]) -> None:
    space, ((_, arguments),) = vector["space"], vector["chain"]
    metric = {"l1_distance": L1, "l2_distance": L2}[space["metric"]]
    made = dp.t.make_b_ary_tree(counts(space.get("size")), metric, **arguments)
    wanted = vector["expected"]
    if vector["kind"] == "map":
        square = isinstance(wanted, dict)
        value = root(to_mpq(wanted["square"])) if square else to_mpq(wanted)
        assert made.stability_map(int(vector["d_in"])) == value
    else:
        assert made(vector["data"]) == list(map(int, wanted))
        assert made(np.array(vector["data"])) == list(map(int, wanted))


@for_each(("n", "b"), [(1, 2), (2, 2), (3, 2), (4, 2), (4, 4), (3, 3)])
@for_each("metric", [L1, L2], ids=repr)
def test_the_map_is_never_less_than_the_supremum(n: int, b: int, metric: Any) -> None:
    """Trees are linear: it is enough to look at the differences of two vectors."""
    made = dp.t.make_b_ary_tree(counts(n), metric, n, b)
    zero = [0] * n
    for change in product(range(-2, 3), repeat=n):
        d_in = metric.distance(list(change), zero)
        d_out = metric.distance(made(list(change)), made(zero))
        assert d_out <= made.stability_map(d_in)
    # Both are met: a single count in L1, and n counts by one in L2, if n is b^(h - 1).
    assert made.stability_map(1) == metric.distance(
        made([1] + [0] * (n - 1)), made(zero)
    )
    if n in (1, b, b * b) and metric is L2:
        ones = [1] * n
        d_in = metric.distance(ones, zero)
        assert made.stability_map(d_in) == metric.distance(made(ones), made(zero))


def test_opendp_2924_is_not_repeated() -> None:
    """OpenDP claims 4 for vectors at distance 2 whose trees are sqrt(20) apart."""
    oracle.enable_features("contrib")
    theirs = oracle.t.make_b_ary_tree(
        oracle.vector_domain(oracle.atom_domain(T=int)),
        oracle.l2_distance(T=int),
        leaf_count=4,
        branching_factor=4,
    )
    ours = dp.t.make_b_ary_tree(counts(), L2, leaf_count=4, branching_factor=4)
    ones, zero = [1] * 4, [0] * 4
    apart = L2.distance(ours(ones), ours(zero))
    assert apart == root(to_mpq(20))
    assert theirs.map(2) < 4.4 < ours.map(2)
    assert ours.stability_map(2) == apart


def test_opendp_2925_is_not_repeated() -> None:
    """Sums do not wrap, in lists and in arrays of any integers."""
    made = dp.t.make_b_ary_tree(counts(), L1, 2, 2)
    for most in (2**31 - 1, 2**63 - 1):
        assert made([most, 1]) == [most + 1, most, 1]
        assert made(np.array([most, 1])) == [most + 1, most, 1]
    top = 2**64 - 1
    assert made(np.array([top, top], np.uint64)) == [2 * top, top, top]
    narrow = dp.t.make_b_ary_tree(counts(T="i8"), L1, 3, 3)
    array = np.array([127, 127, 127], np.int8)
    assert narrow(array).tolist() == narrow([127] * 3) == [381, 127, 127, 127]


@given(
    st.lists(st.integers(-(10**6), 10**6), max_size=20),
    st.integers(1, 20),
    st.integers(2, 25),
)
def test_lists_and_arrays(leaves: list[int], n: int, b: int) -> None:
    plain = dp.t.make_b_ary_tree(counts(), L1, n, b)
    bounded = dp.t.make_b_ary_tree(counts(bounds=(-(10**6), 10**6)), L1, n, b)
    wanted = by_hand(leaves, n, b)
    assert plain(leaves) == bounded(leaves) == wanted
    array = np.array(leaves, np.int64)
    assert plain(array) == wanted
    found = bounded(array)
    assert found.dtype == np.int64
    assert found.tolist() == bounded(array.astype(">i4")).tolist() == wanted
    assert array.tolist() == leaves
    for made in (plain, bounded):
        assert made.output_domain.member(made(leaves))
        assert made.output_domain.member(made(array))


def test_arrays_stay_arrays_up_to_the_last_sum_that_fits() -> None:
    """Whether they do is said by the bounds alone, which are public."""
    last = (2**63 - 1) // 3
    for bound, kind in ((last, np.ndarray), (last + 1, list), (2**63 - 1, list)):
        domain = counts(bounds=(-bound, 5))
        made = dp.t.make_b_ary_tree(domain, L1, 3, 3)
        assert type(made(np.array([-bound, -bound, 5]))) is kind
        assert made(np.array([-bound, -bound, 5]))[0] == 5 - 2 * bound
        assert type(made(np.zeros(0, np.int64))) is kind


def test_a_wide_tree_takes_no_more_room_than_its_leaves() -> None:
    made = dp.t.make_b_ary_tree(counts(), L1, 3, 10**40)
    assert made([1, 2, 3]) == [6, 1, 2, 3]
    bounded = dp.t.make_b_ary_tree(counts(bounds=(0, 9)), L1, 3, 10**40)
    assert bounded(np.array([1, 2, 3])).tolist() == [6, 1, 2, 3]
    assert made.map(2) == 4


def test_infinite_and_irrational_distances() -> None:
    for metric in (L1, L2):
        made = dp.t.make_b_ary_tree(counts(), metric, 4, 2)
        assert made.map(math.inf) == math.inf
        assert made.map(0) == 0
    made = dp.t.make_b_ary_tree(counts(), L2, 4, 2)
    # No integer vector has a length between 1 and sqrt(2).
    assert made.stability_map(to_mpq("1.4")) == made.stability_map(1) == root(3)
    assert made.stability_map(root(2)) == root(2 * (1 + 2 + 2))
    assert made.stability_map(to_mpq("0.9")) == 0


def test_after_a_histogram() -> None:
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.change_one_distance()
    tree = (
        space
        >> dp.t.then_histogram([0, 10, 20], MO="L2Distance<float>")
        >> dp.t.then_b_ary_tree(leaf_count=4, branching_factor=2)
    )
    assert tree([-1, 5, 5, 15, 25]) == [5, 3, 2, 1, 2, 1, 1]
    assert tree.stability_map(1) == root(10)
    assert (tree >> dp.m.then_gaussian(scale=1)).map(1) == 5.0


def test_trees_and_maps_of_opendp() -> None:
    oracle.enable_features("contrib")
    for n, b in ((1, 2), (7, 2), (10, 3), (4, 4), (100, 16)):
        theirs = oracle.t.make_b_ary_tree(
            oracle.vector_domain(oracle.atom_domain(T=int)),
            oracle.l1_distance(T=int),
            leaf_count=n,
            branching_factor=b,
        )
        ours = dp.t.make_b_ary_tree(counts(), L1, n, b)
        leaves = [7 * i % 11 for i in range(n)]
        assert ours(leaves) == theirs(leaves)
        assert [ours.map(d) for d in range(4)] == [theirs.map(d) for d in range(4)]
