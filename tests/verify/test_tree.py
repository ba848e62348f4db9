"""The bit tree is exact on functions whose law can be computed by hand."""

from __future__ import annotations

import itertools
import sys
from functools import partial
from types import SimpleNamespace

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.base import progress
from opendp_lite.data.identity import visible
from opendp_lite.exact.enclosures import exp
from opendp_lite.randomness.draws import sample_bernoulli_rational, sample_uniform_below
from opendp_lite.randomness.entropy import bulk, granularity, random_bits
from opendp_lite.verify import enumerate_tree
from opendp_lite.verify import tree as tree_module
from opendp_lite.verify.tree import Tree
from tests.longer import shortened
from tests.randomness.integer_noise import sample_discrete_laplace
from tests.rows import for_each

HALF = mpq(1, 2)


def first_one() -> int:
    """The position of the first 1: n with probability 2^-(n+1)."""
    for n in itertools.count():
        if random_bits(1):
            return n
    raise AssertionError


def five_bits() -> int:
    return random_bits(2) * random_bits(3)


def never() -> int:
    while random_bits(1) >= 0:
        pass
    return 0


def coin_with_failure() -> bool:
    if random_bits(3) == 0b101:
        raise ZeroDivisionError("planted")
    return bool(random_bits(1))


def total(tree: Tree) -> mpq:
    return sum(tree.masses.values(), tree.unresolved)


def test_a_constant_takes_one_run() -> None:
    tree = enumerate_tree(lambda: "y", depth=0)
    assert tree == Tree({visible("y"): mpq(1)}, {}, mpq(0), 1)
    assert tree.outcomes == {visible("y"): "y"}


def test_the_geometric_law_is_exact_and_the_rest_is_unresolved() -> None:
    tree = enumerate_tree(first_one, depth=30)
    assert {n: tree.mass(n) for n in range(31)} == {
        **{n: mpq(1, 2 ** (n + 1)) for n in range(30)},
        30: 0,
    }
    assert tree.unresolved == mpq(1, 2**30)
    assert tree.paths == 31


def test_several_bits_at_once_are_all_visited() -> None:
    tree = enumerate_tree(five_bits, depth=5)
    expected: dict[int, mpq] = {}
    for a, b in itertools.product(range(4), range(8)):
        expected[a * b] = expected.get(a * b, mpq(0)) + mpq(1, 32)
    assert {tree.outcomes[name]: mass for name, mass in tree.masses.items()} == expected
    assert (tree.unresolved, tree.paths) == (0, 32)


def test_a_request_beyond_the_depth_is_not_forked() -> None:
    tree = enumerate_tree(lambda: random_bits(64) if random_bits(1) else -1, depth=40)
    assert tree.masses == {visible(-1): HALF}
    assert (tree.unresolved, tree.paths) == (HALF, 2)
    assert (tree.refused, tree.asked, tree.needed, tree.waiting) == (HALF, 64, 65, 0)


@for_each("n", [1, 2, 3, 7, 10])
def test_a_uniform_number_is_resolved_up_to_the_cut_intervals(n: int) -> None:
    depth = 12
    tree = enumerate_tree(partial(sample_uniform_below, n), depth)
    assert total(tree) == 1
    for i in range(n):
        # The dyadic intervals of this depth that lie inside [i/n, (i+1)/n).
        inside = (i + 1) * 2**depth // n - -(-i * 2**depth // n)
        assert tree.mass(i) == mpq(inside, 2**depth)


@given(st.fractions(0, 1, max_denominator=50), st.integers(0, 14))
def test_a_coin_is_exact(p: object, depth: int) -> None:
    tree = enumerate_tree(lambda: sample_bernoulli_rational(mpq(p)), depth)  # type: ignore[call-overload]
    assert total(tree) == 1
    assert tree.mass(True) <= mpq(p) <= tree.mass(True) + tree.unresolved  # type: ignore[call-overload]
    assert tree.unresolved <= mpq(1, 2**depth)


def test_outcomes_are_kept_apart_by_type_and_bits() -> None:
    values = [0.0, -0.0, 0, False, float("nan"), -float("nan"), [0], (0,)]
    tree = enumerate_tree(lambda: values[random_bits(3)], depth=3)
    assert len(tree.masses) == 8
    assert tree.mass(-float("nan")) == mpq(1, 8)
    assert tree.mass(True) == 0


def test_outcomes_of_which_it_is_not_known_what_they_show_are_refused() -> None:
    class Same:
        """Equal to all others, whatever it holds."""

        def __init__(self, x: int) -> None:
            self.x = x

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 0

    with pytest.raises(TypeError, match=r"a release of type Same .* Return numbers"):
        enumerate_tree(lambda: Same(random_bits(1)), depth=1)


def test_the_bulk_stream_is_enumerated_too() -> None:
    def function() -> bytes:
        with bulk() as stream:
            return stream.bytes(1)

    tree = enumerate_tree(function, depth=8)
    assert tree.masses == {visible(bytes([i])): mpq(1, 256) for i in range(256)}


def test_samplers_are_asked_for_single_bits() -> None:
    assert enumerate_tree(granularity, depth=1).masses == {visible(1): mpq(1)}
    assert granularity() == 64


def test_a_path_without_end_is_unresolved() -> None:
    tree = enumerate_tree(never, depth=6)
    assert (tree.masses, tree.unresolved, tree.paths) == ({}, 1, 64)


def test_a_budget_of_runs_takes_the_greatest_masses_first() -> None:
    tree = enumerate_tree(first_one, depth=1000, runs=5)
    # The first run goes on with zeros to the end of the depth.
    assert tree.unresolved == mpq(1, 2**4)
    assert tree.paths == 5
    assert tree.refused == mpq(1, 2**1000)
    assert (tree.asked, tree.needed, tree.waiting) == (1, 1001, 996)
    assert enumerate_tree(first_one, depth=5, runs=0).unresolved == 1


def test_a_budget_of_time_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: float(next(ticks)))
    for module in (progress, tree_module):  # not for other threads of the process
        monkeypatch.setattr(module, "time", clock)
    tree = enumerate_tree(lambda: random_bits(40), depth=40, seconds=50, progress=False)
    assert tree.paths == 48
    assert total(tree) == 1
    assert tree.unresolved == 1 - mpq(48, 2**40)


def test_an_exception_carries_its_path() -> None:
    with pytest.raises(ZeroDivisionError, match="planted") as caught:
        enumerate_tree(coin_with_failure, depth=10)
    assert caught.value.__notes__ == ["on the bit path 101"]


def test_the_end_of_the_script_cannot_be_caught_as_an_exception() -> None:
    def careless() -> int:
        try:
            return random_bits(9)
        except Exception:
            return -1

    assert enumerate_tree(careless, depth=8).unresolved == 1


def test_what_is_returned_after_a_refusal_is_no_outcome() -> None:
    def stubborn() -> int:
        try:
            return random_bits(1) and random_bits(8)
        except BaseException:
            return -random_bits(1)

    tree = enumerate_tree(stubborn, depth=8)
    assert tree.masses == {visible(0): mpq(1, 2)}
    assert tree.unresolved == mpq(1, 2)


@pytest.mark.parametrize("argument", ["depth", "workers"])
def test_senseless_arguments_are_refused(argument: str) -> None:
    with pytest.raises(ValueError, match=f"{argument}=-1"):
        enumerate_tree(first_one, **{"depth": 3, argument: -1})  # type: ignore[arg-type]


def test_the_discrete_laplace_law_is_enclosed() -> None:
    tree = enumerate_tree(partial(sample_discrete_laplace, mpq(1)), depth=30)
    q = exp(-1, 128)
    for x in range(-8, 9):
        power = exp(-abs(x), 128)
        probability = (1 - q) / (1 + q) * power
        assert tree.mass(x) <= probability.lo
        assert probability.hi <= tree.mass(x) + tree.unresolved
    assert tree.unresolved < mpq(1, 10**6)


@pytest.mark.parametrize("workers", shortened([2, 3], 3))
def test_workers_find_the_same_law(workers: int) -> None:
    function = partial(sample_discrete_laplace, mpq(3))
    alone = enumerate_tree(function, depth=20)
    assert enumerate_tree(function, depth=20, workers=workers) == alone


def test_workers_keep_to_the_budgets_and_lose_no_mass() -> None:
    function = partial(sample_discrete_laplace, mpq(3))
    tree = enumerate_tree(function, depth=30, workers=2, runs=150)
    assert tree.paths <= 152
    assert total(tree) == 1
    assert tree.waiting > 0
    assert tree.refused < tree.unresolved
    assert enumerate_tree(function, depth=30, workers=2, runs=1).paths <= 2
    tree = enumerate_tree(function, depth=30, workers=2, seconds=0)
    assert (tree.unresolved, tree.paths) == (1, 0)


def test_workers_pass_on_exceptions() -> None:
    with pytest.raises(ZeroDivisionError, match="planted"):
        enumerate_tree(partial(failing_late, 9), depth=11, workers=2)


def failing_late(count: int) -> int:
    value = random_bits(count)
    if value == 2**count - 1:
        raise ZeroDivisionError("planted")
    return value


def test_workers_need_a_function_that_pickles() -> None:
    with pytest.raises(TypeError, match=r"workers=2: .* cannot be sent"):
        enumerate_tree(lambda: 1, depth=3, workers=2)


def test_a_tree_prints_in_one_line() -> None:
    text = str(enumerate_tree(first_one, depth=4))
    assert text == "Tree(4 outcomes on 5 paths, unresolved <= 0.0625)"


class Screen:
    """Stands for the bar of `rich`: notes what is shown."""

    tasks = (SimpleNamespace(id=0),)

    def __init__(self) -> None:
        self.shown: list[tuple[int, int]] = []
        self.stopped = False

    def start(self) -> None: ...

    def stop(self) -> None:
        self.stopped = True

    def update(
        self, task: int, completed: int, total: int, description: str, count: str
    ) -> None:
        assert description == "known paths of the bit tree"
        assert count == f"{completed}/{total}"
        self.shown.append((completed, total))


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    screen = Screen()
    monkeypatch.setattr(progress, "_bar", lambda: screen)
    monkeypatch.setattr(progress, "_INTERVAL", 0.0)
    return screen


def test_a_bar_is_shown_when_it_is_wanted(screen: Screen) -> None:
    enumerate_tree(first_one, depth=3, progress=True)
    assert screen.shown == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert screen.stopped


@pytest.mark.parametrize(("terminal", "patience"), [(True, 1e9), (False, 0.0)])
def test_short_or_unwatched_runs_show_nothing(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, terminal: bool, patience: float
) -> None:
    monkeypatch.setattr(tree_module, "_PATIENCE", patience)
    monkeypatch.setattr(progress, "_is_terminal", lambda: terminal)
    enumerate_tree(first_one, depth=3)
    assert screen.shown == []


def test_long_runs_on_a_terminal_show_a_bar(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_module, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_is_terminal", lambda: True)
    enumerate_tree(first_one, depth=3)
    assert screen.shown
    screen.shown.clear()
    enumerate_tree(first_one, depth=3, progress=False)
    assert screen.shown == []


def test_without_rich_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    assert enumerate_tree(first_one, depth=3, progress=True).paths == 4


def test_the_bar_works_with_the_real_library(capfd: pytest.CaptureFixture[str]) -> None:
    tree = enumerate_tree(first_one, depth=3, progress=True)
    assert tree.paths == 4
    assert capfd.readouterr().out == ""
