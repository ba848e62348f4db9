"""Noisy max: law, privacy, tightness, containers, and OpenDP's maps."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import opendp.prelude as theirs
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.measurements.selection import noisy_max
from opendp_lite.measurements.selection.by_score import (
    sample_exponential_mechanism,
    sample_permute_and_flip,
)
from tests.rows import for_each

PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()


def make(
    measure: Any = PURE,
    scale: Any = 1,
    T: Any = int,
    monotonic: bool = False,
    negate: bool = False,
) -> Any:
    atom = dp.atom_domain(T=T, nan=False) if T is float else dp.atom_domain(T=T)
    space = dp.vector_domain(atom), dp.linf_distance(T=T, monotonic=monotonic)
    return dp.m.make_noisy_max(*space, measure, scale, negate)


def test_the_pure_loss_is_needed() -> None:
    """[0, 0] selects 1 with probability 1/2, and [1, -1] with e^-2/2."""
    certificate = verify.privacy(make(), [0, 0], [1, -1], depth=30)
    certificate.assert_holds()
    assert certificate.claimed_loss == 2
    assert certificate.claimed_loss - certificate.needs_epsilon < mpq(1, 10**6)


def test_the_monotonic_loss_is_needed() -> None:
    certificate = verify.privacy(make(monotonic=True), [0, 0], [1, 0], depth=30)
    certificate.assert_holds()
    assert certificate.claimed_loss == 1
    assert certificate.claimed_loss - certificate.needs_epsilon < mpq(1, 10**6)


@pytest.mark.parametrize("measure", [PURE, CONCENTRATED])
def test_a_scale_that_is_too_small_is_found(
    monkeypatch: pytest.MonkeyPatch, measure: Any
) -> None:
    pair = ([0, 0], [1, -1]) if measure == PURE else ([0, 0], [4, -4])
    scale = 1 if measure == PURE else 40
    assert verify.privacy(make(measure, scale), *pair, depth=30).holds
    wrong = mpq(99, 100) if measure == PURE else mpq(1, 2)
    for sampler in (sample_permute_and_flip, sample_exponential_mechanism):
        monkeypatch.setattr(
            noisy_max,
            sampler.__name__,
            lambda scores, scale, sampler=sampler: sampler(scores, scale * wrong),
        )
    assert verify.privacy(make(measure, scale), *pair, depth=30).refuted


@pytest.mark.parametrize("measure", [PURE, CONCENTRATED])
def test_negate_selects_the_least(measure: Any) -> None:
    laws = [
        verify.enumerate_tree(partial(make(measure), [0, 1, 3]), 14),
        verify.enumerate_tree(partial(make(measure, negate=True), [0, -1, -3]), 14),
    ]
    assert laws[0] == laws[1]


@for_each("measure", [PURE, CONCENTRATED])
@for_each(
    ("T", "data"),
    [
        (int, [3, np.int8(3), np.uint8(200)]),
        (int, np.array([3, 3, 200], dtype=np.uint8)),
        (int, [np.uint8(3), 3, 200]),
        (float, [3, 3.0, np.float32(200)]),
        (float, np.array([3, 3, 200], dtype=np.float16)),
        (Fraction, [Fraction(3), 3, Fraction(400, 2)]),
    ],
)
def test_containers_do_not_matter(measure: Any, T: Any, data: Any) -> None:
    for negate in (False, True):
        plain = make(measure, 0, negate=negate)
        other = make(measure, 0, T, negate=negate)
        laws = [
            verify.enumerate_tree(lambda m=plain: m([3, 3, 200]), 3),
            verify.enumerate_tree(lambda m=other: m(data), 3),
        ]
        assert laws[0] == laws[1]
        assert {type(i) for i in laws[1].outcomes.values()} == {int}


@pytest.mark.parametrize("measure", [PURE, CONCENTRATED])
def test_infinite_scores(measure: Any) -> None:
    select = make(measure, 1, float)
    inf = math.inf
    rows: list[tuple[Any, dict[int, Any]]] = [
        ([1.0, inf, -inf, inf], {1: mpq(1, 2), 3: mpq(1, 2)}),
        ([-inf, -inf], {0: mpq(1, 2), 1: mpq(1, 2)}),
        ([-inf, 7.0, -inf, 7.0], {1: mpq(1, 2), 3: mpq(1, 2)}),
        ([], {-1: mpq(1)}),
    ]
    for data, law in rows:
        tree = verify.enumerate_tree(lambda data=data: select(data), 2)
        assert tree.unresolved == 0
        assert {tree.outcomes[key]: tree.masses[key] for key in tree.masses} == law


@pytest.mark.parametrize("measure", [PURE, CONCENTRATED])
def test_long_lists_of_several_types(measure: Any) -> None:
    """Infinities beside fractions do not make the fractions floats."""
    third = Fraction(1, 3)
    low = [-math.inf, third, third + Fraction(1, 10**40), *[0.25, 0] * 50]
    assert make(measure, 0, float).function(low) == 2
    assert make(measure, 0, float).function([*low, math.inf]) == 103
    assert make(measure, 0, float, negate=True).function(low) == 0
    ends = [10**40, 10**40 + 1, *range(100)]
    assert make(measure, 0)(ends) == 1
    assert make(measure, mpq(1, 10**6))(ends) == 1


@for_each("measure", [PURE, CONCENTRATED])
@for_each("negate", [False, True])
def test_no_setting_of_numpy_makes_data_an_error(measure: Any, negate: bool) -> None:
    """Overflow and underflow in the bulk raise nothing, whatever numpy is set to."""
    rows = [
        np.array([1.7e308, -1.7e308, 5e-324, 0.0] * 20),
        np.array([2**63 - 1, -(2**63), 0, 1] * 20),
        np.array([2**64 - 1, 0, 1] * 30, np.uint64),
        np.array([math.inf, -math.inf, 1e-320] * 30),
    ]
    with np.errstate(all="raise"):
        for data in rows:
            for scale in (mpq(10) ** 200, mpq(1, 10**200), mpq(1), mpq(10) ** 330):
                T = float if data.dtype.kind == "f" else int
                index = make(measure, scale, T, negate=negate)(data)
                assert 0 <= index < len(data)


def test_fractions_pass_through_a_measurement_of_floats() -> None:
    select = make(PURE, 0, float)
    assert select.covers_rationals
    third = Fraction(1, 3)
    assert select.function([third, third + Fraction(1, 10**40), 0.3]) == 1


def test_a_large_selection() -> None:
    data = np.zeros(100_000, dtype=np.int64)
    data[77_777] = 10**6
    for measure in (PURE, CONCENTRATED):
        assert make(measure)(data) == 77_777
        assert make(measure, T=float)(data.astype(float)) == 77_777


@for_each("monotonic", [False, True])
@for_each("measure", ["max_divergence", "zero_concentrated_divergence"])
@for_each("scale", [0.0, 1e-3, 0.1, 1.0, 3.0, 1e6])
def test_the_map_is_not_above_that_of_opendp(
    monotonic: bool, measure: str, scale: float
) -> None:
    theirs.enable_features("contrib")
    space = (
        theirs.vector_domain(theirs.atom_domain(T=int)),
        theirs.linf_distance(T=int, monotonic=monotonic),
    )
    other = theirs.m.make_noisy_max(*space, getattr(theirs, measure)(), scale)
    mine = make(getattr(dp, measure)(), scale, monotonic=monotonic)
    for d_in in (0, 1, 2, 7, 1000):
        assert mine.map(d_in) <= other.map(d_in)
        assert mine.map(d_in) == pytest.approx(other.map(d_in), rel=1e-12)


def test_the_same_indices_as_opendp_without_noise() -> None:
    theirs.enable_features("contrib")
    space = (
        theirs.vector_domain(theirs.atom_domain(T=int)),
        theirs.linf_distance(T=int),
    )
    for negate in (False, True):
        other = theirs.m.make_noisy_max(
            *space, theirs.max_divergence(), 0.0, negate=negate
        )
        for data in ([3, 1, 2], [5], [0, -7, 7, 1]):
            assert make(PURE, 0, negate=negate)(data) == other(data)
