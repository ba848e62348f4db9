"""Tolerances of canonical noise keep their flakiness, and use all of it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.testing import (
    canonical_tolerance,
    complementary_canonical_tolerance,
    state_flakiness,
)
from tests.randomness.canonical_laws import noise
from tests.rows import for_each

FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
PAIRS = [("1", "0"), ("1", "1e-6"), ("1/100", "1e-9"), ("0", "1/20"), ("3", "1")]
PAIRS += [("1/100", "1/10"), ("1e-30", "1e-40"), ("1e6", "1e-9")]
LEVELS = ["1e-23", "1e-9", "1/100", "99/100"]


@for_each("level", LEVELS)
@for_each("pair", PAIRS, ids=str)
def test_the_flakiness_is_kept_and_nearly_used(pair: Any, level: str) -> None:
    law, f = noise(*pair), to_mpq(level)
    for d_in in (mpq(1), mpq(1, 3)):
        above = to_mpq(canonical_tolerance(d_in, pair, level)) / d_in
        tail = 2 * (1 - law.cdf(above, 600))
        assert tail.hi <= f
        less = 2 * (1 - law.cdf(above * (1 - mpq(1, 10**12)), 600))
        assert less.hi > f
        below = to_mpq(complementary_canonical_tolerance(d_in, pair, level)) / d_in
        inside = 2 * law.cdf(below, 600) - 1
        assert inside.hi <= f
        more = 2 * law.cdf(below * (1 + mpq(1, 10**12)), 600) - 1
        assert more.hi > f


def test_a_release_is_within() -> None:
    measurement = dp.m.make_canonical_noise(*FLOATS, d_in=2.0, d_out=(0.5, 1e-6))
    state_flakiness("1e-23")
    far = canonical_tolerance(2.0, (0.5, 1e-6), "1e-23")
    assert far <= 2 * (to_mpq(27) + 1)  # the support ends there, whatever is asked for
    assert abs(measurement(100.0) - 100.0) <= far + math.ulp(200.0)


def test_without_noise() -> None:
    assert canonical_tolerance(0, (1, 0), "1e-9") == 0.0
    assert complementary_canonical_tolerance(0, (1, 0), "1e-9") == 0.0


@for_each(
    ("arguments", "words"),
    [
        ((-1, (1, 0), 0.1), "d_in=-1"),
        ((1, (0, 0), 0.1), "must not be"),
        ((1, 1, 0.1), "must be a pair"),
        ((1, (1, 0), 0), "above 0 and below 1"),
        ((1, (1, 0), 1), "above 0 and below 1"),
    ],
)
def test_what_is_refused(arguments: Any, words: str) -> None:
    for function in (canonical_tolerance, complementary_canonical_tolerance):
        with pytest.raises(OpenDPException, match=words):
            function(*arguments)
