"""Above threshold and sparse vector: tight losses, known mistakes, accuracy."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.selection import above_threshold
from opendp_lite.measurements.selection import sparse_vector as above
from opendp_lite.randomness.discrete import discrete_noise
from tests.rows import for_each

PURE = dp.max_divergence()


def make(
    scale: Any = 1,
    k: int | None = None,
    T: Any = int,
    monotonic: bool = False,
    threshold: Any = 0,
) -> Any:
    atom = dp.atom_domain(T=T, nan=False) if T is float else dp.atom_domain(T=T)
    space = dp.vector_domain(atom), dp.linf_distance(T=T, monotonic=monotonic)
    if k is None:
        return dp.m.make_above_threshold(*space, PURE, threshold, scale)
    return dp.m.make_sparse_vector(*space, PURE, threshold, scale, k)


@pytest.mark.parametrize(
    ("made", "x", "x2", "loss"),
    [
        (make("1/2"), [0, 0], [1, -1], 6),
        (make("2/3", monotonic=True), [0, 0], [1, 0], 3),
        # A sparse vector that finds one has the law of the first.
        pytest.param(
            *(make("2/3", k=1), [0, 0], [1, -1], mpq(9, 2)), marks=pytest.mark.audit
        ),
    ],
)
def test_the_loss_is_needed(made: Any, x: Any, x2: Any, loss: Any) -> None:
    """The release of index 1 has probabilities with exactly this ratio.

    The smaller the scale, the fewer runs show it.
    """
    certificate = verify.privacy(made, x, x2, depth=30, runs=2500)
    certificate.assert_holds()
    assert certificate.claimed_loss == loss
    assert certificate.needs_epsilon > loss * mpq(95, 100)


def release_probability(x: list[int], hits: list[int], q: float, m: int) -> float:
    """P(the first len(hits) indices found are `hits`) for integers, as a sum."""
    total = []
    for g in range(2000):
        chance = (1 - q**m) * q ** (m * g)
        for i in range(hits[-1] + 1):
            p = min(1.0, q ** (g - x[i]))
            chance *= p if i in hits else 1 - p
        total.append(chance)
    return math.fsum(total)


@for_each("k", [1, 2, 4, 9])
@for_each("monotonic", [False, True])
def test_the_loss_of_several_is_needed(k: int, monotonic: bool) -> None:
    """One answer that is passed over, then k that are found: ratio e^r, exactly."""
    x, x2 = [0] * (k + 1), [1] + [0 if monotonic else -1] * k
    made = make(5, k=k, monotonic=monotonic)
    spread = 1 if monotonic else 2
    m = above_threshold._cube_root(spread * k)
    q, hits = math.exp(-1 / 5), list(range(1, k + 1))
    ratio = release_probability(x, hits, q, m) / release_probability(x2, hits, q, m)
    assert math.log(ratio) == pytest.approx(float(made.map(1)), rel=1e-9)


def with_map(made: Any, privacy_map: Callable[[Any], Any]) -> Measurement:
    return Measurement(
        made.input_domain,
        made.function,
        made.input_metric,
        made.output_measure,
        privacy_map,
    )


def test_the_cost_of_monotonic_answers_is_too_low_for_others() -> None:
    """Query noise that is not doubled, as in algorithm 4 of Lyu, Su and Li.

    The map that ships holds for the same pair, in `test_the_loss_is_needed`.
    """
    wrong = with_map(make("1/2"), make("1/2", monotonic=True).privacy_map)
    assert verify.privacy(wrong, [0, 0], [1, -1], depth=30, runs=1200).refuted


def test_the_cost_must_grow_with_the_number_found() -> None:
    """Noise that does not grow with the number found, as in algorithms 4 and 6."""
    right, pair = make(1, k=2), ([0, 0, 0], [1, -1, -1])
    wrong = with_map(right, make(1).privacy_map)
    assert (right.map(1), wrong.map(1)) == (6, 3)
    # Three answers have a thick tree: this certifies a delta of at most 1/200, and with
    # less noise, for which fewer runs are enough.
    less = make("1/2", k=2)
    assert verify.privacy(less, *pair, depth=30, runs=1000, cap="1/200").holds
    assert verify.privacy(wrong, *pair, depth=30, runs=4000).refuted


@pytest.mark.audit
@pytest.mark.parametrize(
    ("k", "x", "x2", "runs", "cap"),
    [
        (None, [0, 0], [1, -1], 3500, None),
        (None, [0, 1], [1, 0], 3000, None),
        (2, [0, 0, 0], [1, -1, -1], 5000, "1/200"),
    ],
)
def test_the_maps_hold_with_more_noise(
    k: int | None, x: Any, x2: Any, runs: int, cap: Any
) -> None:
    made = make(1) if k is None else make(1, k=k)
    assert verify.privacy(made, x, x2, depth=30, runs=runs, cap=cap).holds


def test_answers_without_noise_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Algorithm 5: only the threshold is noisy. One release becomes impossible."""
    pair = [0, 1], [1, 0]
    assert verify.privacy(make("1/3"), *pair, depth=30, runs=1500).holds
    monkeypatch.setattr(
        above, "_is_above", lambda x, level, word, length: x >= level.base
    )
    assert verify.privacy(make("1/3"), *pair, depth=30, runs=300).refuted


def test_a_threshold_without_noise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verify.privacy(make(1), [0], [-1], depth=30, runs=1000).holds
    monkeypatch.setattr(
        above, "discrete_noise", lambda law, scale: discrete_noise(law, mpq(0))
    )
    assert verify.privacy(make(1), [0], [-1], depth=30, runs=1000).refuted


def test_a_threshold_with_too_little_noise_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        above, "discrete_noise", lambda law, s: discrete_noise(law, s * mpq(9, 10))
    )
    assert verify.privacy(make(1), [0, 0], [1, -1], depth=26, runs=3000).refuted


def released(made: Any, x: Any) -> str:
    return str(made(x))


@pytest.mark.parametrize("T", [int, float])
def test_the_accuracy_is_as_stated(T: Any) -> None:
    """Three answers at T - a or T + a, where only one release keeps the promise."""
    a, alpha = 2, 4 * math.exp(-2)  # a = s ln((n + 1)/alpha), n = 3, s = 1
    made = make(1, T=T)
    for x, right in [
        ([T(-a)] * 3, {"None"}),
        ([T(a)] * 3, {"0"}),
        ([T(-a), T(a), T(-a)], {"1"}),
        ([T(-a), T(-a), T(a)], {"2"}),
    ]:
        tree = verify.enumerate_tree(partial(released, made, x), 14)
        wrong = sum(
            (
                tree.masses[key]
                for key in tree.masses
                if tree.outcomes[key] not in right
            ),
            mpq(0),
        )
        assert wrong + tree.unresolved <= alpha
        assert wrong > 0


def test_the_variance_is_about_least_for_the_loss() -> None:
    for c in range(1, 3000):
        m = above_threshold._cube_root(c)
        assert (2 * m - 1) ** 3 <= 8 * c < (2 * m + 1) ** 3
        best = (1 + c ** (2 / 3)) ** 3  # of (1 + 1/r^2)(r + c)^2, at r = c^(1/3)
        assert (1 + 1 / m**2) * (m + c) ** 2 <= 1.1 * best


@for_each(
    ("T", "data"),
    [
        (int, [3, np.int8(3), np.uint8(200)]),
        (int, np.array([3, 3, 200], dtype=np.uint8)),
        (float, [3, 3.0, np.float32(200)]),
        (float, np.array([3, 3, 200], dtype=np.float16)),
        (Fraction, [Fraction(3), 3, Fraction(400, 2)]),
    ],
)
def test_containers_do_not_matter(T: Any, data: Any) -> None:
    for scale in (0, 1):
        assert make(scale, T=T, threshold=100)(data) == 2
        found = make(scale, k=2, T=T, threshold=100)(data)
        assert found == [2]
        assert type(found[0]) is int


def test_fractions_pass_through_a_measurement_of_floats() -> None:
    find = make(0, T=float, threshold="1/3")
    assert find.covers_rationals
    third = Fraction(1, 3)
    assert find.function([third - Fraction(1, 10**40), third, 0.4]) == 1


def test_many_answers() -> None:
    data = np.full(100_000, -(10**4), dtype=np.int64)
    data[77_777] = data[88_888] = 10**4
    assert make(10)(data) == 77_777
    assert make(10, k=2)(data) == [77_777, 88_888]
    assert make(10, k=2, T=float)(data.astype(float)) == [77_777, 88_888]
    assert make(10, k=3)(data.tolist()) == [77_777, 88_888]


def test_an_empty_vector_has_no_index() -> None:
    assert make()([]) is None
    assert make(k=2)([]) == []


def test_a_list_that_is_passed_is_not_changed() -> None:
    data = [np.int64(5), 3, 10**6]
    make(threshold=1000)(data)
    assert data == [5, 3, 10**6]
    assert type(data[0]) is np.int64
