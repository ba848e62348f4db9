"""A check never says yes to a function that uses more than its random bits."""

from __future__ import annotations

import itertools
import os
import random
import secrets
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from datetime import datetime
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.base.features import disable_features, enable_features
from opendp_lite.base.progress import Progress
from opendp_lite.randomness.draws import sample_bernoulli_rational
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.verify import enumerate_tree
from opendp_lite.verify.contracts.terms import ContractBroken
from opendp_lite.verify.verdicts import Certificate
from tests.rows import for_each

INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()


@pytest.fixture(autouse=True)
def _for_functions_of_ones_own() -> Any:
    enable_features("honest-but-curious")
    yield
    disable_features("honest-but-curious")


def by_default(f: Callable[[], float] = random.random) -> bool:
    return f() < 0.05


def system_by_default(f: Callable[[int], bytes] = os.urandom) -> bool:
    return f(1) < b"\x0f"


def clock_by_default(f: Callable[[], float] = time.time) -> bool:
    return f() < 0


def sources() -> dict[str, tuple[Callable[[], Any], str]]:
    """Functions that use a source, and words of what is said of each."""
    own, rng = random.Random(), np.random.default_rng()
    legacy = np.random.RandomState()
    return {
        "random": (lambda: random.random() < 0.05, "called random.random"),
        "Random, inside": (lambda: random.Random().random(), "called random.random"),
        "Random, outside": (lambda: own.random() < 0.05, "called random.random"),
        "numpy, outside": (lambda: rng.random() < 0.05, "a generator numpy.random."),
        "numpy, old": (lambda: legacy.rand() < 0.05, "a generator numpy.random."),
        "default": (by_default, "called random.random"),
        "urandom as default": (system_by_default, "called posix.urandom"),
        "clock as default": (clock_by_default, "called time.time"),
        "default_rng": (
            lambda: np.random.default_rng().random() < 0.05,
            "called numpy.random.default_rng",
        ),
        "numpy.random": (lambda: np.random.rand() < 0.05, "called numpy.random.rand"),
        "now": (lambda: datetime.now().microsecond < 9, "called datetime.now"),
        "urandom": (lambda: os.urandom(1) < b"\x0f", "called os.urandom"),
        "secrets": (lambda: secrets.randbelow(20) == 0, "called secrets.randbelow"),
        "uuid4": (lambda: uuid.uuid4().int % 20 == 0, "called uuid.uuid4"),
        "time": (lambda: time.time() % 1 < 0.05, "called time.time"),
        "C code": (time.monotonic, "it called time.monotonic"),
    }


@for_each("name", list(sources()))
def test_each_source_is_named_and_nothing_is_known(name: str) -> None:
    function, words = sources()[name]
    tree = enumerate_tree(function, depth=4)
    assert any(words in each for each in tree.sources), tree.sources
    assert (tree.masses, tree.outcomes, tree.unresolved) == ({}, {}, 1)
    assert (tree.refused, tree.waiting, tree.mass(False)) == (0, 0, 0)
    assert str(tree).startswith("Tree(nothing is known: ")


def rare(function: Callable[[], Any], after: int) -> Any:
    """A function that uses a source on a path that is run after others."""
    for _ in range(after):
        if random_bits(1) == 0:
            return 0
    return int(bool(function())) + 1


UNSEEN = ("now", "Random, inside", "urandom as default", "clock as default", "C code")


@for_each("name", list(sources()))
def test_most_are_found_on_paths_that_are_not_watched(name: str) -> None:
    """The others are found if the two runs of a path differ, which is a matter of luck.

    They are as the guard's docstring says.
    """
    tree = enumerate_tree(partial(rare, sources()[name][0], 18), depth=20)
    assert tree.sources or name in UNSEEN
    assert (tree.unresolved == 1) == bool(tree.sources)


def test_a_source_that_is_held_is_not_seen_after_the_first_runs() -> None:
    assert not enumerate_tree(partial(rare, clock_by_default, 18), depth=20).sources
    assert enumerate_tree(partial(rare, clock_by_default, 10), depth=20).sources
    # Drawn from a generator of `random`, it is seen whenever it is.
    assert enumerate_tree(partial(rare, by_default, 18), depth=20).sources


def test_numpy_is_seen_if_it_is_loaded_by_the_function() -> None:
    code = (
        "import sys\n"
        "from opendp_lite.verify import enumerate_tree\n"
        "def function():\n"
        "    import numpy.random\n"
        "    return numpy.random.rand() < 0.05\n"
        "assert 'numpy' not in sys.modules\n"
        "print(enumerate_tree(function, 3).sources)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "('function called numpy.random.rand',)\n"


def leaking() -> Any:
    """The measurement of the report: it has no finite epsilon."""
    return dp.m.make_user_measurement(
        *ROWS,
        dp.max_divergence(),
        lambda x: len(x) if random.random() < 0.05 else 0,
        lambda d: Fraction(1, 10) * d,
    )


def test_a_measurement_without_privacy_is_undecided_in_all_runs() -> None:
    for _ in range(60):
        found = verify.privacy(leaking(), [1], [1, 2], depth=10)
        assert found.verdict == "undecided"
        assert found.sources == (
            "leaking.<locals>.<lambda> called random.random",
            "a generator random.Random was drawn from",
        )
        assert (found.unresolved, found.certified_delta, found.needs_loss) == (1, 1, 0)
    assert "something else may decide: leaking" in found.advice
    assert "UNDECIDED" in str(found)
    assert "all mass is unresolved" in str(found)
    with pytest.raises(AssertionError, match=r"random\.random"):
        found.assert_holds()


def certificates(cap: Any) -> list[Certificate]:
    rng = np.random.default_rng()
    shuffled = dp.t.make_user_transformation(
        *ROWS, *ROWS, lambda x: [*x, int(rng.random() < 0.05)], lambda d: d + 2
    )
    zcdp = dp.m.make_user_measurement(
        *INT, dp.zero_concentrated_divergence(), lambda x: time.time(), lambda d: d
    )
    nothing = dp.m.make_user_measurement(
        *INT, dp.max_divergence(), lambda x: x + rng.random(), lambda d: float("inf")
    )
    return [
        verify.privacy(leaking(), [1], [1, 2], depth=10, cap=cap),
        verify.privacy(zcdp, 0, 1, depth=10, cap=cap),
        verify.privacy(nothing, 0, 1, depth=10, cap=cap),
        verify.coupling(shuffled, [1], [1, 2], depth=10, cap=cap),
        verify.law(lambda: random.random() < 0.05, lambda y: 1, depth=10, cap=cap),
    ]


@for_each("cap", [None, 1])
def test_no_certificate_holds_nor_refutes_whatever_the_cap(cap: Any) -> None:
    for found in certificates(cap):
        assert found.sources, found
        assert (found.verdict, bool(found), found.refuted) == (
            "undecided",
            False,
            False,
        )
        assert found.advice == found.resolve
        assert "nothing is known of the law" in repr(found)


def coin_with_clock() -> int:
    return random_bits(1) + (time.time() < 0)


def coins_then_clock() -> int:
    return random_bits(6) + (random_bits(6) == 63 and time.time() < 0)


@for_each("function", [coin_with_clock, coins_then_clock])
def test_workers_tell_what_they_find(function: Callable[[], int]) -> None:
    tree = enumerate_tree(function, depth=12, workers=2)
    assert tree.sources == (f"{function.__name__} called time.time",)
    assert (tree.masses, tree.unresolved) == ({}, 1)


@for_each("outside", [True, False])
def test_what_the_progress_bar_does_is_not_counted(outside: bool) -> None:
    rng = np.random.default_rng()

    def step(bar: Progress, done: int, total: int, text: str) -> None:
        assert time.time() + rng.random() > 0

    def coins() -> int:
        return random_bits(6) + (outside and rng.random() < 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Progress, "step", step)
        patch.setattr(Progress, "is_due", lambda bar: True)
        tree = enumerate_tree(coins, depth=6)
    assert bool(tree.sources) == outside
    assert tree.unresolved == int(outside)


def test_the_librarys_own_functions_are_run_once_and_others_twice() -> None:
    calls = itertools.count()

    def coin() -> int:
        next(calls)
        return random_bits(1)

    assert enumerate_tree(coin, depth=3).paths == 2
    assert next(calls) == 4
    coins = partial(sample_bernoulli_rational, mpq(1, 2))
    tree = enumerate_tree(coins, depth=3)
    assert (tree.paths, tree.sources) == (2, ())


def test_the_librarys_own_functions_are_guarded_in_all_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here, functions pass for the library's own, as with a fault planted in it."""
    monkeypatch.setattr("opendp_lite.verify.tree.foreign_functions", lambda _: ())
    late = {name: partial(rare, sources()[name][0], 18) for name in ("time", "default")}
    assert enumerate_tree(late["time"], depth=20).sources == (
        "sources.<locals>.<lambda> called time.time",
    )
    assert enumerate_tree(late["default"], depth=20).sources == (
        "a generator random.Random was drawn from",
    )


class Raising(type):
    """A metaclass whose classes raise when they are looked at."""

    def __eq__(cls, other: object) -> bool:
        raise RuntimeError("compared")

    def __hash__(cls) -> int:
        raise RuntimeError("hashed")


def test_classes_of_others_are_not_asked_when_generators_are_looked_for() -> None:
    alive = [Raising("Own", (), {})(), Raising("Own", (list,), {})()]
    drawing = Raising("Drawing", (random.Random,), {})()
    assert enumerate_tree(lambda: random_bits(1), depth=1).sources == ()
    tree = enumerate_tree(in_a_thread(drawing.random), depth=1)
    assert tree.sources == (f"a generator {__name__}.Drawing was drawn from",)
    assert len(alive) == 2


# What is kept, and in what order, and by whom: seen in part.


def counting(period: int) -> Callable[[], int]:
    calls = itertools.count()
    return lambda: random_bits(1) + next(calls) // period


def test_a_counter_is_seen_if_it_shows_when_a_path_is_run_again() -> None:
    again = ("it did something else when a path was run again",)
    assert enumerate_tree(counting(1), depth=3).sources == again
    assert enumerate_tree(counting(3), depth=3).sources == again
    # One that shows after more runs than there are is not seen.
    assert enumerate_tree(counting(10**6), depth=3).sources == ()


@for_each("runs", [1, 2])
def test_a_function_that_asks_for_fewer_bits_on_a_path_is_found(runs: int) -> None:
    calls = itertools.count()
    tree = enumerate_tree(lambda: random_bits(4) if next(calls) < runs else 0, depth=4)
    assert tree.sources == ("it did something else when a path was run again",)
    assert (tree.masses, tree.unresolved) == ({}, 1)


def test_the_order_of_a_set_is_not_seen_in_one_process() -> None:
    code = (
        "from opendp_lite.verify import enumerate_tree\n"
        "tree = enumerate_tree(lambda: next(iter({'a', 'b', 'c', 'd'})), 3)\n"
        "print(tree.sources, list(tree.outcomes.values()))\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(8)
    }
    assert len(texts) > 1
    assert all(text.startswith("() ") for text in texts)


def in_a_thread(function: Callable[[], Any]) -> Callable[[], Any]:
    def run() -> Any:
        found: list[Any] = []
        thread = threading.Thread(target=lambda: found.append(function()))
        thread.start()
        thread.join()
        return found[0]

    return run


def test_a_thread_is_seen_by_the_generator_it_draws_from_or_by_what_differs() -> None:
    own, rng = random.Random(), np.random.default_rng()
    for function in (random.random, own.random, rng.random):
        tree = enumerate_tree(in_a_thread(function), depth=3)
        assert any("was drawn from" in each for each in tree.sources)
    again = ("it did something else when a path was run again",)
    assert enumerate_tree(in_a_thread(partial(os.urandom, 9)), 3).sources == again
    # Where the two runs agree, nobody sees that a thread asked for a clock or for bits.
    unseen = in_a_thread(lambda: time.time() < 0 or os.urandom(1) == b"")
    assert enumerate_tree(unseen, depth=3).sources == ()


# Whatever else runs somebody's function.


def contract_of(
    function: Callable[[Any], Any], measurement: bool, x: int = 0
) -> verify.Contract:
    from hypothesis import strategies as st

    def make_own() -> Any:
        if measurement:
            return dp.m.make_user_measurement(
                *INT, dp.max_divergence(), function, lambda d: d
            )
        return dp.t.make_user_transformation(*INT, *INT, function, lambda d: d)

    return verify.Contract(
        make_own,
        st.just({}),
        certificates=[({}, x, x + 1, 8)] if measurement else [],
        pickles=False,
        arrays=False,
        examples=1,
    )


@for_each("measurement", [True, False])
def test_contracts_find_generators_that_were_made_elsewhere(measurement: bool) -> None:
    rng = np.random.default_rng()

    def drawing(x: int) -> int:
        rng.random()
        return 0

    with pytest.raises(ContractBroken, match=r"sources: a generator numpy\.random"):
        verify.contract(contract_of(drawing, measurement))
    verify.contract(contract_of(lambda x: 0, measurement))


def test_contracts_find_what_is_done_in_words_only() -> None:
    from opendp_lite.randomness.entropy import granularity

    rng = np.random.default_rng()

    def drawing(x: int) -> int:
        return int(x == 98765 and granularity() > 1 and rng.random() < 0)

    with pytest.raises(ContractBroken, match=r"sources: a generator numpy\.random"):
        verify.contract(contract_of(drawing, measurement=True, x=98765))


TEST = """
import random
import opendp_lite.prelude as dp
from opendp_lite import verify

def test_own():
    dp.enable_features("honest-but-curious")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    made = dp.m.make_user_measurement(
        *space,
        dp.max_divergence(),
        lambda x: len(x) if random.random() < 0.05 else 0,
        lambda d: 0.1 * d,
    )
    verify.privacy(made, [1], [1, 2], depth=10).assert_holds()
"""


def test_a_test_under_pytest_fails(tmp_path: Path) -> None:
    """The plugin runs nobody's function: what it reports is chance alone."""
    (tmp_path / "test_own.py").write_text(TEST)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert "called random.random" in done.stdout
    assert "1 failed" in done.stdout
