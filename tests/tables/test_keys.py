"""Unknown keys: which are released, what is lost, and what must not show."""

from __future__ import annotations

import itertools
import math
import pickle
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.roots import root, squared
from opendp_lite.tables import keys as subject
from opendp_lite.tables.keys import hidden_plan, hidden_units
from opendp_lite.testing import state_flakiness
from tests.longer import shortened
from tests.rows import for_each

I64, TEXT = dp.atom_domain(T="i64"), dp.atom_domain(T=str)
PURE = dp.approximate(dp.max_divergence())
ZCDP = dp.approximate(dp.zero_concentrated_divergence())
PEOPLE = dp.symmetric_id_distance("id")
ROWS, CHANGES = dp.symmetric_distance(), dp.change_one_distance()
DOMAIN = dp.table_domain({"id": I64, "item": TEXT, "v": I64})
V = dp.col("v").clip(-1, 2)


pytestmark = pytest.mark.usefixtures("contrib")


def made(
    metric: Any = PEOPLE,
    measure: Any = PURE,
    scales: Any = (1, 2, 3),
    threshold: Any = 5,
    **more: Any,
) -> dp.Measurement:
    by, sums = more.pop("by", ["item"]), more.pop("sums", {"v": V})
    domain = more.pop("domain", DOMAIN)
    return dp.m.make_table_threshold(
        domain, metric, measure, by, sums, scales, threshold, **more
    )


def table(*rows: tuple[Any, ...]) -> dict[str, list[Any]]:
    return {
        name: [row[i] for row in rows] for i, name in enumerate(("id", "item", "v"))
    }


MANY = table(*((i, item, i % 3) for i in range(200) for item in ("tea", "rice")))


def test_what_is_frequent_is_released_in_the_order_of_the_values() -> None:
    exact = made(scales=[0, 0, 0], threshold=3, groups=2, rows=1)
    x = table(*((i, item, 1) for i in range(4) for item in ("b", "a")), (9, "c", 1))
    assert exact(x) == ([("a",), ("b",)], [[4, 4], [4, 4], [4, 4]])
    backwards = {name: column[::-1] for name, column in x.items()}
    assert exact(backwards) == exact(x)
    alone = made(scales=[0, None, None], threshold=4, groups=2)
    assert alone(x) == ([("a",), ("b",)], [[4, 4], None, None])
    assert made(scales=[0, 0, 0], threshold=5)(x) == ([], [[], [], []])


def test_numbers_are_sorted_as_numbers_and_composite_keys_come_back() -> None:
    """As texts, 10 would come before 9, and "[true" after "[false"."""
    domain = dp.table_domain({"n": I64, "b": dp.atom_domain(T=bool), "t": TEXT})
    exact = made(*(ROWS, PURE, [0], 1), domain=domain, by=["n", "b", "t"], sums={})
    texts = ['"', "\\", "a, b", "é", "😀", "\n", "", '"], [1']
    rows = [(n, b, t) for n in (10, 9, -1) for b in (True, False) for t in texts]
    x = dict(zip(("n", "b", "t"), map(list, zip(*rows, strict=True)), strict=True))
    keys, (counts,) = exact(x)
    assert keys == sorted(rows)
    assert [tuple(map(type, key)) for key in keys] == [(int, bool, str)] * len(rows)
    assert counts == [1] * len(rows)


VALUES = st.one_of(st.booleans(), st.integers(), st.text(), st.characters())


@given(st.lists(VALUES, max_size=3), st.lists(VALUES, max_size=3))
def test_a_key_and_its_text_determine_each_other(one: Any, two: Any) -> None:
    text, other = subject._text(tuple(one)), subject._text(tuple(two))
    found = subject._key(text)
    assert found == tuple(one)
    assert list(map(type, found)) == list(map(type, one))
    same = list(map(type, one)) == list(map(type, two)) and one == two
    assert (text == other) == same


def test_two_surrogates_are_not_the_character_that_they_stand_for() -> None:
    """Both would be written by the same escapes of ASCII."""
    assert subject._text(("\ud83d\ude00",)) != subject._text(("\U0001f600",))


@for_each(
    ("metric", "more", "triple", "others"),
    [
        (PEOPLE, {"groups": 3, "rows": 2}, (6, 6, 2), (12, 24)),
        (PEOPLE, {}, (2, 2, 2), (2, 4)),
        (ROWS, {}, (2, 2, 2), (4,)),
        (CHANGES, {}, (4, 4, 2), (8,)),
    ],
)
def test_the_map_is_that_of_the_parts(
    metric: Any, more: Any, triple: Any, others: Any
) -> None:
    """At the distance 2, Laplace noise: each vector by itself and all together."""
    counts = dp.map_domain(TEXT, dp.atom_domain(T=int))
    keyed = counts, dp.l01inf_distance(dp.absolute_distance(T=int))
    epsilon, delta = dp.m.make_laplace_threshold(*keyed, 4, 20).map(triple, exact=True)
    scales = [4, 3, 5][: len(others) + 1]
    whole = made(metric, PURE, scales, 20, **more)
    shares = [Fraction(d, b) for d, b in zip(others, scales[1:], strict=True)]
    assert whole.map(2, exact=True) == (epsilon + sum(shares), delta)
    for place, share in enumerate(shares, 1):
        own = [s if i in (0, place) else None for i, s in enumerate(scales)]
        assert made(metric, PURE, own, 20, **more).map(2, exact=True) == (
            epsilon + share,
            delta,
        )
    assert whole.map(0) == (0, 0)
    assert whole.map(math.inf) == (math.inf, 1)


def test_gaussian_noise_reads_the_square_of_the_distance() -> None:
    """sqrt(3) and sqrt(2) are not rounded: rho is 3/2 and 1 at scale 1."""
    rho = made(PEOPLE, ZCDP, [1, None, None], 20, groups=3).map(1, exact=True)[0]
    assert rho == Fraction(3, 2)
    assert made(CHANGES, ZCDP, [1, None], 20).map(1, exact=True)[0] == 1
    assert made(ROWS, ZCDP, [1, None], 20).map(1, exact=True)[0] == Fraction(1, 2)
    whole = made(CHANGES, ZCDP, [1, 3], 20).map(1, exact=True)[0]
    assert whole == 1 + Fraction(max(2 * 4, 9), 2 * 9)  # max(sqrt(2) M, b - a), squared


# Brute force: how far all small tables are apart


def counted(plan: Any, x: Any, first: int) -> dict[Any, tuple[int, ...]]:
    return {key: each[first:] for key, each in plan.meaning(x).items()}


def small(columns: tuple[str, ...], rows: list[Any], most: int) -> list[list[Any]]:
    return [
        [dict(zip(columns, row, strict=True)) for row in chosen]
        for n in range(most + 1)
        for chosen in itertools.combinations_with_replacement(rows, n)
    ]


def apart(metric: Any, more: Any) -> tuple[Any, set[Any]]:
    """The plan, and all pairs: the distance, and by how much each vector moves.

    Many pairs are equal in both, and are looked at once.
    """
    names = "id", "item", "v"
    few = metric is not PEOPLE or more["rows"] > 1
    ids, most = ([1], 4) if few else ([1, 2], 3)
    rows = [(i, k, v) for i in ids for k in "ab" for v in ((-1, 2) if few else (2,))]
    plan = hidden_plan(DOMAIN, metric, ["item"], {"v": V}, **more)
    first = 1 if plan.identifier is None else 0
    tables = small(names, rows, most)
    members = [DOMAIN.of_rows(each) for each in tables]
    found = [counted(plan, x, first) for x in tables]
    assert all(each[0] >= 1 for totals in found for each in totals.values())
    pairs = set()
    for (x, a), (y, b) in itertools.combinations(zip(members, found, strict=True), 2):
        d = metric.distance(x, y)
        if d in (0, math.inf):
            continue
        keys = sorted(a.keys() | b.keys())
        both = [[each.get(key) for key in keys] for each in (a, b)]
        count = len(next(iter(found[-1].values())))
        gaps = tuple(
            tuple(
                abs((u[i] if u else 0) - (v[i] if v else 0))
                for u, v in zip(*both, strict=True)
            )
            for i in range(count)
        )
        pairs.add((d, gaps))
    return plan, pairs


@for_each(
    ("metric", "more"),
    [
        (PEOPLE, {"groups": 1, "rows": 1}),
        (PEOPLE, {"groups": 2, "rows": 2}),
        (ROWS, {}),
        (CHANGES, {}),
    ],
)
def test_all_small_tables_are_within_and_attain_the_map(metric: Any, more: Any) -> None:
    """Each of the triple and of the vectors, by exact distances of the totals."""
    plan, pairs = apart(metric, more)
    for p in (1, 2):
        within_and_attained(p, metric, plan, pairs)


def within_and_attained(p: int, metric: Any, plan: Any, pairs: set[Any]) -> None:
    spots, units = hidden_units(plan, metric, p)
    ratios: dict[str, Any] = {}
    for d, gaps in pairs:
        assert len(gaps) == len(units)
        powers = {f"vector {i}": sum(g**p for g in each) for i, each in enumerate(gaps)}
        told = {"l0": sum(g != 0 for g in gaps[0]), "linf": max(gaps[0], default=0)}
        assert told["l0"] <= spots * d
        assert told["linf"] <= d
        for i, unit in enumerate(units):
            assert powers[f"vector {i}"] <= unit * d**p, (d, gaps)
        for name, value in {**told, **powers}.items():
            times = d if name in told else d**p
            ratios[name] = max(ratios.get(name, 0), Fraction(value, times))
    assert ratios == {
        "l0": spots,
        "linf": 1,
        **{f"vector {i}": unit for i, unit in enumerate(units)},
    }


# Exact laws of two keys


SMALL = dp.table_domain({"id": I64, "item": TEXT})


def narrow(metric: Any = PEOPLE, **more: Any) -> dp.Measurement:
    """Noise so narrow that a tree of few bits has nearly all of it."""
    given: dict[str, Any] = {
        "domain": SMALL,
        "sums": {},
        "scales": ["1/2", None],
        "threshold": 2,
    }
    given |= more
    if metric is not PEOPLE:
        given["scales"] = given["scales"][:1]
    return made(metric, **given)


def of(*rows: tuple[int, str]) -> Any:
    """A table that has passed the door, as trees call functions with members."""
    columns = {"id": [i for i, _ in rows], "item": [k for _, k in rows]}
    return SMALL.received(columns)


A, B = (1, "a"), (2, "b")
PAIRS: list[tuple[Any, Any, Any]] = [
    (PEOPLE, [A, B], [A]),
    (PEOPLE, [A, B], [B]),
    (PEOPLE, [A], []),
    (ROWS, [A, B], [A]),
    (ROWS, [A], []),
    (CHANGES, [A, B], [A, (2, "a")]),
    (CHANGES, [A], [B]),
]


# Of two keys beside each other the first has the law; the metrics differ in the map.
@pytest.mark.parametrize(
    ("metric", "x", "y"), shortened(PAIRS, PAIRS[1], PAIRS[3], PAIRS[5], parts=3)
)
def test_the_bit_tree_of_two_keys(metric: Any, x: Any, y: Any) -> None:
    found = verify.privacy(narrow(metric), of(*x), of(*y), depth=26, runs=6000)
    assert not found.refuted
    assert found.holds, found


@pytest.mark.parametrize("runs", shortened([2000, 6000], 6000))
@pytest.mark.parametrize("x", [[A, B], [A]])
def test_the_bit_tree_with_a_vector_that_follows(x: Any, runs: int) -> None:
    both = narrow(scales=["1/4", "1/4"])
    found = verify.privacy(both, of(*x), of(), depth=26, runs=runs)
    assert not found.refuted


# Planted faults


def refuted(x: Any, y: Any, metric: Any = PEOPLE, **more: Any) -> bool:
    noisy = narrow(metric, **more)
    return verify.privacy(noisy, of(*x), of(*y), depth=26, runs=1200).refuted


def test_a_threshold_that_is_one_too_low_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Keys are released from 1 on, and delta is that of 2."""
    real = subject._mechanisms

    def lower(measure: Any, scales: Any, threshold: Any, count: int) -> Any:
        listed, others = real(measure, scales, threshold, count)
        low, _ = real(measure, scales, threshold - 1, count)
        mixed = dp.Measurement(
            *(listed.input_domain, low.function, listed.input_metric),
            *(listed.output_measure, listed.privacy_map),
        )
        return mixed, others

    assert not refuted([A], [])
    monkeypatch.setattr(subject, "_mechanisms", lower)
    assert refuted([A], [])


def test_a_key_that_was_not_released_is_seen_in_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All keys of the table come out, with 0 where nothing was released."""
    real = subject._mechanisms

    def leaking(*given: Any) -> Any:
        listed, others = real(*given)

        def function(counts: dict[str, int]) -> dict[str, int]:
            survived = listed.function(counts)
            return {key: survived.get(key, 0) for key in counts}

        mixed = dp.Measurement(
            *(listed.input_domain, function, listed.input_metric),
            *(listed.output_measure, listed.privacy_map),
        )
        return mixed, others

    monkeypatch.setattr(subject, "_mechanisms", leaking)
    assert refuted([A, B], [A])


def test_the_order_in_which_keys_came_does_not_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows in another order are the same table: at distance 0 the laws are equal."""

    def shown(order: list[Any]) -> list[Any]:
        exact = narrow(scales=[0, None], threshold=1)
        return exact(dict(zip(("id", "item"), zip(*order, strict=True), strict=True)))[
            0
        ]

    forth, back = [A, B], [B, A]
    assert shown(forth) == shown(back) == [("a",), ("b",)]
    monkeypatch.setattr(subject, "sorted", list, raising=False)
    real = subject._mechanisms

    def unsorted(*given: Any) -> Any:
        listed, others = real(*given)
        mixed = dp.Measurement(
            *(listed.input_domain, dict, listed.input_metric),
            *(listed.output_measure, listed.privacy_map),
        )
        return mixed, others

    monkeypatch.setattr(subject, "_mechanisms", unsorted)
    assert shown(forth) != shown(back)


def test_units_that_are_too_small_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed row that is counted once, where it leaves one key for another."""
    moved = [A] * 5 + [B] * 4, [A] * 4 + [B] * 5
    assert not refuted(*moved, metric=CHANGES, threshold=4)
    monkeypatch.setattr(subject, "hidden_units", lambda *given: (1, [1]))
    assert refuted(*moved, metric=CHANGES, threshold=4)


# What is told, and what travels


def test_scale_accuracy_and_records() -> None:
    noisy = made(scales=[2, None, "1/3"], threshold=20)
    assert noisy.scale == [2, None, Fraction(1, 3)]
    counts = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    alone = [dp.m.make_laplace(*counts, scale=b).accuracy(0.05) for b in (2, "1/3")]
    assert noisy.accuracy(0.05) == [alone[0], None, alone[1]]
    normal = made(measure=ZCDP, scales=[2, None, "1/3"], threshold=20)
    squares = counts[0], dp.l2_distance(T=int)
    alone = [dp.m.make_gaussian(*squares, scale=b).accuracy(0.05) for b in (2, "1/3")]
    assert normal.accuracy(0.05) == [alone[0], None, alone[1]]
    with pytest.raises(dp.OpenDPException, match="alpha"):
        noisy.accuracy(0)
    again = made(scales=[2, None, "1/3"], threshold=20)
    assert again == noisy
    assert again != made(scales=[2, None, "1/3"], threshold=21)
    assert pickle.loads(pickle.dumps(noisy)) == noisy
    assert dp.deserialize(dp.serialize(noisy)) == noisy
    assert "make_table_threshold.tex" in str(noisy.explain())


def test_it_chains_after_rows() -> None:
    """After a filter, changed rows count twice, as rows that come and go."""
    space = DOMAIN, CHANGES
    noisy = (
        space
        >> dp.t.then_table_filter(dp.col("v") >= 0)
        >> dp.m.then_table_threshold(PURE, ["item"], {}, [1], 30)
    )
    assert noisy.map(1, exact=True)[0] == 2
    state_flakiness("1e-60")  # noise of scale 1 beyond 170, at one of two keys
    keys, (counts,) = noisy(MANY)
    assert keys == [("rice",), ("tea",)]
    assert len(counts) == 2


def test_distances_may_be_roots() -> None:
    plan = hidden_plan(DOMAIN, PEOPLE, ["item"], {}, groups=2)
    assert squared(subject._moved(2, hidden_units(plan, PEOPLE, 2)[0], 3)) == 18
    assert subject._moved(2, 4, 3) == mpq(6)
    assert subject._moved(2, 2, 1) == root(mpq(2))
    assert subject._moved(2, 0, math.inf) == 0
