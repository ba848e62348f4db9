"""Matrices, and vectors of bounded norm."""

from __future__ import annotations

import math
import tracemalloc
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.core.domains import (
    Domain,
    atom_domain,
    ball_domain,
    option_domain,
    vector_domain,
)
from tests.rows import for_each

INT, FLOAT = atom_domain(T=int), atom_domain(T=float, nan=False)
RATIONAL, TEXT = atom_domain(T=Fraction), atom_domain(T=str)
PAIRS = vector_domain(vector_domain(INT, size=2))
THREE_PAIRS = vector_domain(vector_domain(FLOAT, size=2), size=3)
BALL = ball_domain(INT, 2, 5, 2)
FLAT = ball_domain(FLOAT, 2, 1, 1)


@for_each(
    ("domain", "inside", "outside"),
    [
        (
            PAIRS,
            [
                [],
                [[1, 2], [3, 4]],
                [np.array([1, 2]), [3, 4]],
                np.array([[1, 2], [3, 4], [5, 6]]),
                np.zeros((0, 2), "u1"),
                np.arange(12).reshape(6, 2)[::2],
                np.asfortranarray(np.arange(6, dtype=">i4").reshape(3, 2)),
            ],
            [
                [[1]],
                [[1, 2, 3]],
                [(1, 2)],
                [[1, 0.5]],
                np.arange(2),
                np.zeros((0, 3), int),
                np.zeros((2, 3), int),
                np.zeros((2, 2)),
                np.zeros((2, 2), bool),
                np.zeros((2, 2, 2), int),
                np.array(1),
                np.array([[1, 2]], object),
                np.ma.masked_array([[1, 2]], mask=[[True, False]]),
            ],
        ),
        (
            THREE_PAIRS,
            [np.zeros((3, 2)), np.full((3, 2), math.inf), np.zeros((3, 2), "f2")],
            [
                np.zeros((2, 2)),
                np.zeros((2, 3)),
                np.zeros(6),
                np.array([[0.0, 1.0], [2.0, math.nan], [4.0, 5.0]]),
                np.zeros((3, 2), int),
                np.zeros((3, 2), np.longdouble),
            ],
        ),
        (
            vector_domain(vector_domain(atom_domain((0, 9)), 2)),
            [np.array([[0, 9]])],
            [np.array([[0, 10]]), np.array([[-1, 9]], "i1")],
        ),
        (
            vector_domain(vector_domain(TEXT, 2)),
            [np.array([["a", "b"]]), np.zeros((3, 2), "U1"), np.zeros((0, 2), "U1")],
            [np.array([[b"a", b"b"]]), np.full((1, 2), 2**31, "u4").view("U1")],
        ),
        (vector_domain(vector_domain(INT, 0)), [np.zeros((4, 0), int)], []),
        # Where the number of columns is not public there are no matrices.
        (vector_domain(vector_domain(INT)), [[[1], [2, 3]]], [np.zeros((2, 2), int)]),
        (vector_domain(vector_domain(RATIONAL, 2)), [[[1, 2]]], [np.zeros((2, 2))]),
        (
            vector_domain(option_domain(vector_domain(INT, 2))),
            [[None, [1, 2], np.array([1, 2])]],
            [np.zeros((2, 2), int)],
        ),
        (
            vector_domain(vector_domain(option_domain(INT), 2)),
            [[[None, 1]]],
            [np.zeros((2, 2), int)],
        ),
        (
            vector_domain(vector_domain(vector_domain(INT, 2), 2)),
            [[[[1, 2], [3, 4]]], [np.zeros((2, 2), int)]],
            [np.zeros((2, 2), int), np.zeros((2, 2, 2), int)],
        ),
    ],
)
def test_matrices(domain: Domain, inside: list[Any], outside: list[Any]) -> None:
    for value in inside:
        assert domain.member(value)
    for value in outside:
        assert not domain.member(value)


def test_matrices_are_checked_without_a_copy() -> None:
    domain = vector_domain(vector_domain(FLOAT, size=10))
    for array in (np.zeros((10**5, 10)), np.asfortranarray(np.zeros((10**5, 10)))):
        tracemalloc.start()
        assert domain.member(array)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < array.nbytes / 10


def test_vectors_of_any_size_do_not_contain_what_has_matrices() -> None:
    loose = vector_domain(vector_domain(INT))
    assert not loose.contains(PAIRS)
    assert loose.element_domain.contains(PAIRS.element_domain)
    assert PAIRS.contains(vector_domain(vector_domain(atom_domain((0, 1)), 2), 3))
    assert not vector_domain(option_domain(vector_domain(INT, 2))).contains(PAIRS)


def test_the_rows_of_a_matrix_are_counted() -> None:
    left, right = np.array([[1, 2], [3, 4], [3, 4]]), np.array([[3, 4], [2, 1]])
    assert dp.symmetric_distance().distance(left, right) == 3
    assert dp.insert_delete_distance().distance(left, right) == 3
    assert dp.hamming_distance().distance(left[:2], left[1:]) == 1
    assert dp.change_one_distance().distance(left[:2], right) == 1


NEXT = math.nextafter(0.8, 0)


@for_each(
    ("domain", "inside", "outside"),
    [
        (
            BALL,
            [[3, 4], [-5, 0], [0, 0], np.array([3, -4], "i1"), [np.int8(3), 4]],
            [
                [4, 4],
                [5, 1],
                [6, 0],
                [3],
                [3, 4, 0],
                [3.0, 4.0],
                (3, 4),
                5,
                None,
                [],
                np.array([[3, 4]]),
                [10**400, 0],
                np.array([2**64 - 1, 0], "u8"),
            ],
        ),
        # Doubles near 0.6 and 0.8 have squares that add up to a little above 1.
        (
            ball_domain(FLOAT, 2, 1),
            [[0.6, NEXT], [1, 0], [1.0, 0.0], [-1.0, -0.0], np.array([0.5, 0.5], "f2")],
            [[0.6, 0.8], [1.0, 5e-324], [math.inf, 0.0], [-math.inf, 0], [math.nan, 0]],
        ),
        (FLAT, [[0.5, -0.5], [0.25, 0.75]], [[0.1, 0.9 + 2**-53], [1.0, 5e-324]]),
        (
            ball_domain(RATIONAL, 2, Fraction(1, 3), 1),
            [[Fraction(1, 6), Fraction(-1, 6)], [0, Fraction(1, 3)]],
            [[Fraction(1, 3), Fraction(1, 10**40)], [1, 0]],
        ),
        (ball_domain(INT, 3, 0), [[0, 0, 0]], [[0, 0, 1]]),
        (ball_domain(INT, 0, 0), [[], np.zeros(0, int)], [[0]]),
        (
            vector_domain(BALL),
            [
                [],
                [[3, 4], np.array([0, 5])],
                np.array([[3, 4], [0, -5]]),
                np.zeros((0, 2), int),
            ],
            [
                [[3, 4], [4, 4]],
                np.array([[3, 4], [4, 4]]),
                np.zeros((2, 3), int),
                np.zeros((2, 2)),
                np.zeros(2, int),
            ],
        ),
        (
            vector_domain(ball_domain(FLOAT, 2, 1), 1),
            [np.array([[0.6, NEXT]])],
            [np.array([[0.6, 0.8]]), np.array([[math.inf, 0.0]]), np.zeros((2, 2))],
        ),
    ],
)
def test_balls(domain: Domain, inside: list[Any], outside: list[Any]) -> None:
    for value in inside:
        assert domain.member(value)
    for value in outside:
        assert not domain.member(value)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3), st.sampled_from([1, 2]))
def test_the_norm_is_compared_exactly(entries: list[float], p: int) -> None:
    power = sum((abs(Fraction(x)) ** p for x in entries), Fraction(0))
    ball = ball_domain(FLOAT, 3, 1, p)
    assert ball.member(entries) == (power <= 1)
    assert ball.member(np.array(entries)) == (power <= 1)
    assert vector_domain(ball).member(np.array([entries])) == (power <= 1)


def test_which_ball_holds_which() -> None:
    wide = ball_domain(INT, 2, 6, 2)
    assert wide.contains(BALL)
    assert not BALL.contains(wide)
    assert BALL.contains(ball_domain(atom_domain((0, 1)), 2, 5, 1))  # |v|_2 <= |v|_1
    assert not ball_domain(INT, 2, 5, 1).contains(BALL)
    assert not BALL.contains(ball_domain(INT, 3, 5))
    assert not BALL.contains(ball_domain(FLOAT, 2, 5))
    assert not BALL.contains(vector_domain(INT, 2))
    assert vector_domain(wide).contains(vector_domain(BALL, 4))


def test_what_a_ball_says_of_itself() -> None:
    assert (
        repr(FLAT) == "BallDomain(AtomDomain(nan=False, T=float), size=2, norm=1, p=1)"
    )
    assert "L1 norm of at most 1" in FLAT.rule()
    assert "2-d numpy array of integers with 2 columns" in vector_domain(BALL).rule()
    assert BALL.carrier_type == "Vec<int>"
    assert dp.l2_distance(T=int).objection(BALL) is None
    assert dp.metric_of(BALL.usual_metric + "<int>") == dp.l2_distance(T=int)


@for_each(
    ("arguments", "says"),
    [
        ((TEXT, 2, 1), ["atom_domain", "numbers"]),
        ((atom_domain(T=float), 2, 1), ["atom_domain", "NaN"]),
        ((vector_domain(INT), 2, 1), ["atom_domain", "numbers"]),
        ((3, 2, 1), ["atom_domain=<int>"]),
        ((INT, None, 1), ["size=None", "public"]),
        ((INT, -1, 1), ["size=-1"]),
        ((INT, 1.5, 1), ["size=1.5", "integer"]),
        ((INT, 2, -1), ["norm=-1", "at least 0"]),
        ((INT, 2, math.inf), ["norm=inf", "finite"]),
        ((INT, 2, math.nan), ["norm=nan"]),
        ((INT, 2, None), ["norm=None"]),
        ((INT, 2, 1, 3), ["p=3", "at most 2"]),
        ((INT, 2, 1, 0), ["p=0", "at least 1"]),
        ((INT, 2, 1, 1.5), ["p=1.5", "integer"]),
        ((INT, 2, 1, math.inf), ["p=inf", "bound"]),
    ],
)
def test_bad_arguments_are_named(arguments: Any, says: list[str]) -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        ball_domain(*arguments)
    assert caught.value.variant == "MakeDomain"
    for part in says:
        assert part in caught.value.message
