"""No two releases share noise: not after a pickle, a copy, a thread or a fork.

The noise has scale 2^200 on integers and releases 200 coins at once on booleans, so
two honest releases are alike with probability below 2^-150; on floats they are with
probability below 2^-50. So an alarm among p pairs has a probability below p 2^-50,
which each test states. A single repetition is found.
"""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.measurements.noise import additive
from opendp_lite.testing import state_flakiness
from tests.rows import for_each

ROOT = Path(__file__).resolve().parents[2]

INTEGERS = dp.m.make_laplace(
    dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2**200
)
GRID = dp.m.make_laplace(
    dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2**200, k=3
)
FLOATS = dp.m.make_laplace(
    dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=1.0
)
LISTS = dp.m.make_laplace(
    dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float), 1.0
)
COIN = dp.m.make_randomized_response_bool(0.5)
CONSTANT = dp.m.make_randomized_response_bool(0.5, constant_time=True)
CATEGORIES = dp.m.make_randomized_response([False, True], 0.5)
BITS = dp.m.make_randomized_response_bitvec(
    dp.bitvector_domain(size=200), dp.discrete_distance(), f=1
)


def coins(measurement: Any) -> tuple[bool, ...]:
    return tuple(measurement(True) for _ in range(200))


RELEASES: list[tuple[Any, Callable[[Any], Any]]] = [
    (INTEGERS, lambda measurement: measurement(0)),
    (GRID, lambda measurement: measurement(0)),
    (FLOATS, lambda measurement: measurement(0.0)),
    (LISTS, lambda measurement: tuple(measurement([0.0, 0.0]))),
    (LISTS, lambda measurement: tuple(measurement(np.zeros(2)).tolist())),
    (COIN, coins),
    (CONSTANT, coins),
    (CATEGORIES, coins),
    (BITS, lambda measurement: measurement(bytes(25))),
]


def all_different(values: list[Any]) -> bool:
    return len(set(values)) == len(values)


@for_each(("measurement", "release"), RELEASES)
def test_calls_pickles_and_copies_do_not_repeat_noise(
    measurement: Any, release: Callable[[Any], Any]
) -> None:
    state_flakiness(1225 * 2.0**-50)
    release(measurement)
    twins = [
        measurement,
        pickle.loads(pickle.dumps(measurement)),
        pickle.loads(pickle.dumps(measurement)),
        copy.copy(measurement),
        copy.deepcopy(measurement),
    ]
    assert all(twin == measurement for twin in twins)
    assert all_different([release(twin) for twin in twins for _ in range(10)])


def test_entries_of_a_vector_do_not_share_noise() -> None:
    state_flakiness(9900 * 2.0**-50)
    assert all_different(LISTS([0.0] * 100))
    assert all_different(LISTS(np.zeros(100)).tolist())


@for_each(("measurement", "release"), RELEASES)
def test_threads_do_not_share_noise(
    measurement: Any, release: Callable[[Any], Any]
) -> None:
    state_flakiness(780 * 2.0**-50)
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: release(measurement), range(40)))
    assert all_different(drawn)


FORKING = """
import json, os
import opendp_lite.prelude as dp

integers = dp.m.make_laplace(
    dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2**200)
floats = dp.m.make_laplace(
    dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=1.0)
response = dp.m.make_randomized_response_bool(0.5)

def draw():
    coins = "".join(str(int(response(True))) for _ in range(200))
    return [integers(0), floats(0.0), coins]

drawn = [draw()]
for _ in range(4):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.write(writing, json.dumps(draw()).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        drawn.append(json.loads(pipe.read()))
    os.wait()
    drawn.append(draw())
print(json.dumps(drawn))
"""


def test_forks_do_not_share_noise() -> None:
    state_flakiness(108 * 2.0**-50)
    # In a process of its own: a fork needs one that runs no other threads.
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKING],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    drawn = json.loads(finished.stdout)
    assert len(drawn) == 9
    for column in zip(*drawn, strict=True):
        assert all_different(list(column))


def test_repeated_noise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # A stream that was kept, as a buffer survives a fork.
    kept = iter([1.0, 2.0, 1.0])

    class Kept:
        def release(self, x: float) -> float:
            return x + next(kept)

    monkeypatch.setattr(additive, "real_noise", lambda law, scale: Kept())
    space = FLOATS.input_space
    measurement = dp.m.make_laplace(*space, scale=1.0)
    assert not all_different([measurement(0.0) for _ in range(3)])
