"""Counts by values that are not known beforehand: functions, maps, thresholds."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.data.identity import key
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.roots import root
from opendp_lite.transformations.counts.keys import _part_counts
from tests.longer import shortened
from tests.rows import for_each
from tests.transformations.small_data import data_sets, pairs_of_images

pytestmark = pytest.mark.usefixtures("contrib")
INF = math.inf
VECTORS = json.loads(
    (Path(__file__).parents[2] / "data" / "key_vectors.json").read_text()
)["vectors"]
METRICS = [
    dp.symmetric_distance(),
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]
SYMMETRIC = METRICS[0]
L02INF = "L02InfDistance<AbsoluteDistance<int>>"


def rows(T: Any, size: int | None = None, **more: Any) -> Any:
    return dp.vector_domain(dp.atom_domain(T=T, **more), size=size)


def pairs(counts: dict[Any, Any]) -> set[Any]:
    """Keys by type and bits: {1: 2} is not {1.0: 2}."""
    return {(key(k), key(v)) for k, v in counts.items()}


@for_each("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vectors(vector: dict[str, Any]) -> None:
    space, ((_, arguments),) = vector["space"], vector["chain"]
    domain = rows({"str": str, "bool": bool}[space["rows"]], space.get("size"))
    made = dp.t.make_count_by(domain, getattr(dp, space["metric"])(), **arguments)
    if vector["kind"] == "map":
        wanted = tuple(
            root(to_mpq(x["square"])) if isinstance(x, dict) else to_mpq(x)
            for x in vector["expected"]
        )
        assert made.stability_map(int(vector["d_in"])) == wanted
    else:
        wanted_map = {k: int(v) for k, v in vector["expected"]["map"]}
        assert made(vector["data"]) == made(np.array(vector["data"])) == wanted_map


# The map, by all small data sets


# The metric of the output changes the middle part alone, and the input's two classes of
# metrics (rows added, rows changed) lead to it: for it one of each stays, without a
# size and with the greatest.
L02INF_LEFT_OUT = [
    (metric, size, L02INF)
    for metric in METRICS
    for size in (None, 0, 1, 2, 3)
    if metric not in (METRICS[0], METRICS[2]) or size in (0, 1, 2)
]


@pytest.mark.parametrize(
    ("metric", "size", "MO"),
    shortened(
        product(METRICS, [None, 0, 1, 2, 3], [None, L02INF]), *L02INF_LEFT_OUT, parts=3
    ),
)
def test_the_map_is_the_supremum(metric: Any, size: Any, MO: Any) -> None:
    """Part by part, over all pairs of data sets of at most three rows.

    Letters can be renamed, so that one of the two needs no more than three of them.
    """
    made = dp.t.make_count_by(rows(str, size), metric, MO=MO)
    sizes = range(4) if size is None else [size]
    left, right = (data_sets(letters, sizes) for letters in ("abc", "abcdef"))
    found = {
        d: list(
            map(max, (0, 0, 0), *(made.output_metric.distance(*pair) for pair in pairs))
        )
        for d, pairs in pairs_of_images(made, left, right).items()
    }
    running: list[Any] = [0, 0, 0]
    for d in range(4 if size is None else 9):
        running = list(map(max, running, found.get(d, running)))
        assert list(made.stability_map(d)) == running
    for d, most in found.items():
        assert made.output_metric.at_most(tuple(most), made.stability_map(d))
    assert made.map(INF)[0] == (INF if size is None else 2 * size)


@pytest.mark.parametrize("MO", [None, L02INF])
def test_changed_rows_without_a_public_size(MO: Any) -> None:
    made = dp.t.make_count_by(rows(int), dp.change_one_distance(), MO=MO)
    middle = 6 if MO is None else root(to_mpq(18))
    assert made.stability_map(3) == (6, middle, 3)
    assert made.stability_map(0) == (0, 0, 0)
    assert made.map(INF) == (INF, INF, INF)


# The functions


ODD = [0.0, -0.0, 5e-324, 1.0, 1, 0, INF, -INF, 2.0**53, 2**53, 0.1, np.float32(0.1)]


@given(st.lists(st.sampled_from(ODD) | st.floats(allow_nan=False), max_size=12))
def test_floats_are_keys_by_value(data: list[Any]) -> None:
    made = dp.t.make_count_by(rows(float, nan=False), SYMMETRIC)
    wanted = Counter(float(x) + 0.0 for x in data)
    assert pairs(made(data)) == pairs(wanted)
    assert pairs(made(np.array(data, float))) == pairs(wanted)
    assert made.output_domain.member(made(data))


@cache  # to make a strategy takes longer than to draw from it
def integers_of(dtype: str) -> Any:
    limits = np.iinfo(np.dtype(dtype))
    ends = int(limits.min), int(limits.max)
    edges = st.sampled_from([ends[0], ends[0] + 1, ends[1] - 1, ends[1]])
    few = st.integers(max(ends[0], 5), 9)
    return st.lists(few, max_size=12) | st.lists(
        edges | st.integers(*ends), max_size=12
    )


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u4", "i8", "u8", ">i8", ">u2"])
@given(data=st.data())
def test_integers_of_every_type(dtype: str, data: Any) -> None:
    listed = data.draw(integers_of(dtype))
    made = dp.t.make_count_by(rows(int), SYMMETRIC)
    assert pairs(made(np.array(listed, dtype))) == pairs(Counter(listed))
    assert pairs(made(listed)) == pairs(Counter(listed))


@cache
def near_and_far(guess: int) -> Any:
    ends = -(2**63), 2**63 - 1
    middle = min(max(guess, ends[0]), ends[1])
    far = [*ends, 0, ends[0] + 5, ends[1] - 5, 2**62, -(2**62), middle]
    near = st.integers(max(middle - 3, ends[0]), min(middle + 3, ends[1]))
    return st.lists(near, max_size=8) | st.lists(
        near | st.sampled_from(far), max_size=8
    )


@pytest.mark.parametrize("guess", [0, -7, 2**62, -(2**62), 2**63 - 1, -(2**63), 2**64])
@given(data=st.data())
def test_a_wrong_guess_does_no_harm(guess: int, data: Any) -> None:
    """Differences that wrap around at the ends of int64 are never taken for near."""
    listed = data.draw(near_and_far(guess))
    found, counts = _part_counts(np.array(listed, np.int64), guess)
    assert dict(zip(found, counts, strict=True)) == Counter(listed)


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f8"])
def test_narrow_floats(dtype: str) -> None:
    array = np.array([0.1, -0.0, 0.1, 0.0], dtype)
    made = dp.t.make_count_by(rows(float, nan=False), SYMMETRIC)
    assert pairs(made(array)) == pairs({float(array[0]): 2, 0.0: 2})


LETTERS = st.sampled_from("ab\0\u0100\ud800\U0010ffff\u00ff\u0101")


WIDTHS = [0, 1, 2, 3, 4, 7, 8, 9, 20]


@cache
def texts_of(width: int) -> Any:
    letters = LETTERS | st.sampled_from("ab")
    return st.lists(st.text(letters, max_size=max(width, 1)), max_size=9)


@pytest.mark.parametrize("width", WIDTHS)
@given(data=st.data())
def test_text_of_every_width(width: int, data: Any) -> None:
    """Wide characters, and null characters, at every place where text is packed."""
    listed = [word.rstrip("\0") for word in data.draw(texts_of(width))]
    made = dp.t.make_count_by(rows(str), SYMMETRIC)
    # Text of the machine's order is read as it is, and other text is turned before.
    for order in "<>":
        array = np.array(listed, f"{order}U{width}")
        assert made(array) == Counter(array.tolist())
        assert made(array[::2]) == Counter(array.tolist()[::2])
    assert made(listed) == Counter(listed)


def test_values_of_every_kind() -> None:
    truths = dp.t.make_count_by(rows(bool), SYMMETRIC)
    assert pairs(truths([True, np.False_, True])) == pairs({True: 2, False: 1})
    assert pairs(truths(np.array([True, True]))) == pairs({True: 2})
    assert truths([]) == truths(np.array([], bool)) == {}
    exact = dp.t.make_count_by(rows(Fraction), SYMMETRIC)
    third = Fraction(1, 3)
    assert pairs(exact([2, Fraction(2), third])) == pairs({Fraction(2): 2, third: 1})
    numbers = dp.option_domain(dp.atom_domain(T=float, nan=False))
    options = dp.t.make_count_by(dp.vector_domain(numbers), SYMMETRIC)
    assert pairs(options([None, -0.0, 0, None])) == pairs({None: 2, 0.0: 2})
    assert options.output_domain == dp.map_domain(numbers, dp.atom_domain(T=int))
    texts = dp.t.make_count_by(rows(str), SYMMETRIC)
    # numpy reads text without the null characters at its end
    assert texts([np.str_("a\0"), "a", np.str_("a")]) == {"a": 3}
    for T in (int, float, str):
        domain = rows(T, nan=False) if T is float else rows(T)
        assert dp.t.make_count_by(domain, SYMMETRIC)(np.zeros(0, T)) == {}


@pytest.mark.parametrize("TV", [int, "i8", "u8", float])
def test_parts_are_joined_key_by_key(monkeypatch: pytest.MonkeyPatch, TV: Any) -> None:
    """Each count stops at the greatest value of the type, in the parts and jointly."""
    space = rows(int), SYMMETRIC
    array = np.repeat([0, 5, 9, 2**40], [100, 30, 300, 2])
    top = {"i8": 127, "u8": 255}.get(TV, 10**9)
    wanted = {0: min(100, top), 5: 30, 9: min(300, top), 2**40: 2}
    plain = space >> dp.t.then_count_by(TV=TV)
    chain = space >> dp.t.then_clamp((0, 2**50)) >> dp.t.then_count_by(TV=TV)
    assert chain.merge is not None
    for cut in (1, 60, 200, 1000):
        monkeypatch.setattr("opendp_lite.base.containers._PART", cut)
        assert chain(array) == plain(array) == wanted
        assert {type(v) for v in chain(array).values()} == {
            float if TV is float else int
        }
        assert chain(array[:0]) == {}
    assert plain(array.tolist()) == wanted


def test_floats_stop_where_they_skip_integers() -> None:
    merge = dp.t.make_count_by(rows(int), SYMMETRIC, TV=float).merge
    assert merge is not None
    most = 2.0**53
    assert merge(iter([{1: most}, {1: 1.0, 2: 2.0}])) == {1: most, 2: 2.0}
    assert merge(iter([{1: most - 1}, {1: 2.0}])) == {1: most}
    assert merge(iter([])) == {}


def test_no_nan_is_a_key() -> None:
    with pytest.raises(dp.OpenDPException, match=r"NaN.*then_impute_constant"):
        dp.t.make_count_by(rows(float), SYMMETRIC)
    options = dp.vector_domain(dp.option_domain(dp.atom_domain(T=float)))
    with pytest.raises(dp.OpenDPException, match="NaN"):
        dp.t.make_count_by(options, SYMMETRIC)


def test_metrics_by_name() -> None:
    for name in ("L02InfDistance<AbsoluteDistance<int>>", "L02InfDistance<int>"):
        made = dp.t.make_count_by(rows(str), SYMMETRIC, MO=name)
        assert made.output_metric == dp.l02inf_distance(dp.absolute_distance(T=int))
    made = dp.t.make_count_by(rows(str), SYMMETRIC, TV=float)
    assert made.output_metric == dp.l01inf_distance(dp.absolute_distance(T=float))
    for wrong in ("L02InfDistance<int", "L02InfDistance<L1Distance<int>>", "L02Inf"):
        with pytest.raises(dp.OpenDPException):
            dp.t.make_count_by(rows(str), SYMMETRIC, MO=wrong)


# What follows


def test_unknown_keys_in_a_few_lines() -> None:
    visits = ["bread"] * 1000 + ["milk"] * 500 + ["a secret"]
    space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    release = (
        space
        >> dp.t.then_count_by()
        >> dp.m.then_laplace_threshold(scale=2, threshold=60)
    )
    released = release(visits)
    assert list(released) == ["bread", "milk"]
    assert abs(released["milk"] - 500) < 200
    epsilon, delta = release.map(1)
    assert (epsilon, delta < 1e-12) == (0.5, True)


def test_gaussian_thresholds_know_the_exact_root() -> None:
    """A changed row moves two counts by one: rho is 2/2, and not a little more."""
    space = rows(str), dp.change_one_distance()
    release = (
        space
        >> dp.t.then_count_by(MO=L02INF)
        >> dp.m.then_gaussian_threshold(scale=1, threshold=30)
    )
    assert release.map(1)[0] == 1.0
    assert release.check(1, (1, 1e-9))
    assert list(release(np.array(["x"] * 500 + ["y"]))) == ["x"]


def test_counts_and_maps_of_opendp() -> None:
    oracle.enable_features("contrib")
    theirs = oracle.t.make_count_by(
        oracle.vector_domain(oracle.atom_domain(T=str)), oracle.symmetric_distance()
    )
    ours = dp.t.make_count_by(rows(str), SYMMETRIC)
    for data in ([], ["a"], ["a", "b", "z", "z", "b", "y"]):
        assert ours(data) == theirs(data)
    for d_in in range(5):
        assert ours.map(d_in) == theirs.map(d_in)
