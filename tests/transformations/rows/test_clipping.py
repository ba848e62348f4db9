"""Rows of bounded norm: clipping, their sums, and means of them under noise."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.data.identity import key
from opendp_lite.transformations.rows.clamping import _shortened, _shortened_at_once
from tests.rows import for_each
from tests.transformations.small_data import data_sets, suprema

METRICS = {
    "symmetric_distance": dp.symmetric_distance(),
    "insert_delete_distance": dp.insert_delete_distance(),
    "change_one_distance": dp.change_one_distance(),
    "hamming_distance": dp.hamming_distance(),
}
SYMMETRIC = METRICS["symmetric_distance"]
DATA = Path(__file__).parents[2] / "data" / "vector_vectors.json"
VECTORS = [
    vector
    for vector in json.loads(DATA.read_text())["vectors"]
    if vector["id"].startswith("clip")
]
TOP = 1.7976931348623157e308


pytestmark = pytest.mark.usefixtures("contrib")


def clip(
    T: Any, columns: int, norm: Any, p: int = 2, size: Any = None, **more: Any
) -> Any:
    atom = dp.atom_domain(T=T, nan=False) if T is float else dp.atom_domain(T=T)
    domain = dp.vector_domain(dp.vector_domain(atom, columns), size)
    return dp.t.make_clip_rows(domain, SYMMETRIC, norm, p, **more)


def by_definition(row: list[Any], norm: Any, p: int, k: int) -> list[Fraction]:
    """The specification, in fractions."""
    g = Fraction(2) ** k
    finite = [Fraction(min(max(x, -TOP), TOP) if math.isinf(x) else x) for x in row]
    steps, C = [round(x / g) for x in finite], math.floor(Fraction(norm) / g)
    return [s * g for s in shortened(steps, C, p)]


def shortened(steps: list[int], C: int, p: int) -> list[int]:
    """The specification of rows of integers."""
    size = sum(abs(s) ** p for s in steps)
    if size <= C**p:
        return steps
    return [(-1 if s < 0 else 1) * root_of(abs(s), C, size, p) for s in steps]


def root_of(s: int, C: int, size: int, p: int) -> int:
    """The greatest t with t <= s C / size^(1/p): it is, and t + 1 is not."""
    power = (s * C) ** p
    t = power // size if p == 1 else math.isqrt(power // size)
    assert t**p * size <= power < (t + 1) ** p * size
    return t


def test_no_vector_is_forgotten() -> None:
    assert len(VECTORS) == 6


@for_each("vector", VECTORS, ids=lambda vector: vector["id"])
def test_expected_values(vector: dict[str, Any]) -> None:
    space, chain = vector["space"], vector["chain"]
    row = dp.vector_domain(dp.atom_domain(T=float, nan=False), space["columns"])
    made: Any = dp.vector_domain(row, space.get("size")), METRICS[space["metric"]]
    for name, arguments in chain:
        given = {
            each: Fraction(value["fraction"]) if isinstance(value, dict) else value
            for each, value in arguments.items()
        }
        made = made >> getattr(dp.t, name.replace("make_", "then_"))(**given)
    if vector["kind"] == "map":
        expected: Any = Fraction(vector["expected"])
        assert made.map(int(vector["d_in"]), exact=True) == expected
        return
    data = [[float.fromhex(x["float"]) for x in row] for row in vector["data"]]
    expected = [[Fraction(x) for x in row] for row in vector["expected"]]
    assert [[Fraction(x) for x in row] for row in made(data)] == expected
    assert [[Fraction(x) for x in row] for row in made(numpy.array(data))] == expected


ENTRIES = st.sampled_from(
    [
        0.0,
        -0.0,
        0.5,
        -0.75,
        1.0,
        3.0,
        1e-10,
        2.0 ** (-31),
        3 * 2.0 ** (-31),
        5e-324,
        -1e300,
        math.inf,
        -math.inf,
        TOP,
        2.0**992,
        2.0**993,
    ]
) | st.floats(-4, 4)


@given(
    st.lists(st.lists(ENTRIES, min_size=3, max_size=3), max_size=4),
    st.sampled_from([1, 2]),
    st.sampled_from([(1.0, -30, None), (Fraction(1, 3), -31, None), (1.0, -3, -3)])
    | st.sampled_from([(0.7, -53, -53), (TOP, 994, None), (5e-324, -1074, None)]),
)
def test_floats(data: list[list[float]], p: int, grid: Any) -> None:
    dp.enable_features("contrib")
    norm, k, given = grid
    made = clip(float, 3, norm, p, k=given)
    expected = [by_definition(row, norm, p, k) for row in data]
    found = made(data)
    assert [[Fraction(x) for x in row] for row in found] == expected
    matrix = numpy.array(data).reshape(-1, 3)
    for form in (matrix, matrix.astype(">f8"), numpy.asfortranarray(matrix)):
        out = made(form)
        assert (out.dtype, out.shape) == (numpy.dtype("float64"), matrix.shape)
        assert key(out.tolist()) == key(found)
    for row in found:
        assert sum(abs(Fraction(x)) ** p for x in row) <= Fraction(norm) ** p
        assert all(math.copysign(1, x) == 1 for x in row if x == 0)


INTEGERS = [0, 1, -1, 3, -4, 127, 2**31, 2**62, -(2**63), 2**63 - 1]


@for_each("p", [1, 2])
@for_each("norm", [1, "9/2", 5, 2**31 - 1, 2**31, 2**63, 2**80])
def test_integers(p: int, norm: Any) -> None:
    made, exact = clip(int, 2, norm, p), Fraction(norm)
    data = [list(pair) for pair in product([*INTEGERS, 10**40], repeat=2)]
    expected = [by_definition(row, exact, p, 0) for row in data]
    assert made(data) == expected
    small = numpy.array(list(product(INTEGERS, repeat=2)))
    assert made(small).tolist() == made(small.tolist())
    assert made(small).dtype == numpy.dtype("int64")
    ends = numpy.array([[2**64 - 1, 0], [3, 4], [2**63, 2**63]], "u8")
    assert made(ends).tolist() == made(ends.tolist())
    assert made(ends).dtype == ("uint64" if exact >= 2**63 else "int64")
    tiny = numpy.array([[-128, 127], [3, 4]], "i1")
    assert made(tiny).tolist() == made(tiny.tolist())


@for_each("p", [1, 2])
@for_each("columns", [1, 2, 5, 40])
def test_rows_that_are_shortened_at_once(p: int, columns: int) -> None:
    """Where floats say that they are sure, they are right, near integers as well."""
    generator, some = numpy.random.default_rng(columns), 0
    for C in (0, 1, 2, 3, 1000, 10**6 + 3, 2**30, 2**31 - 1):
        for most in (1, 5, 10**3, 2**31, 2**53, 2**63 - 1):
            rows = generator.integers(-most, most, (20, columns), endpoint=True)
            rows[0], rows[:, 0] = most, rows[:, 0] | 1
            with numpy.errstate(all="ignore"):
                found, sure = _shortened_at_once(rows.astype(float), C, p)
            for row, out, known in zip(rows.tolist(), found, sure, strict=True):
                if known and sum(abs(x) ** p for x in row) > C**p:
                    assert out.tolist() == shortened(row, C, p)
                    some += 1
    assert some > 100 or columns == 1


def test_floats_are_not_sure_of_whole_numbers() -> None:
    """|s| C / |s|_p is a whole number: roundings may have come from either side."""
    for p, row in ((1, [3.0, 5.0]), (2, [3.0, 4.0]), (2, [7.0, 0.0])):
        C = 8 * 5 * 7
        _, sure = _shortened_at_once(numpy.array([row]), C, p)
        assert sure.tolist() == [False]
    with numpy.errstate(all="ignore"):
        huge = [[1e300, 1.0], [math.inf, 1.0], [1e150, 1e150], [500.0, -700.0]]
        _, sure = _shortened_at_once(numpy.array(huge), 100, 2)
    assert sure.tolist() == [False, False, False, True]


@for_each("p", [1, 2])
@for_each("T", [int, float])
def test_long_rows_of_matrices(T: Any, p: int) -> None:
    """Sure rows and doubtful ones, short ones and long ones, in one matrix."""
    generator = numpy.random.default_rng(p)
    data: Any = (
        generator.normal(0, 3, (400, 3))
        * 2.0 ** generator.integers(-3, 90, 400)[:, None]
    )
    data[::7, 1:] = 0
    data[::11] = [3, 4, 0]
    data[::5] /= 2.0**90
    norm: Any = Fraction(7, 3)
    if T is int:
        data, norm = numpy.clip(data, -(2.0**62), 2.0**62).astype("int64"), 1000
    made = clip(T, 3, norm, p)
    out = made(data)
    k = 0 if T is int else -28
    for row, found in zip(data.tolist(), out.tolist(), strict=True):
        assert [Fraction(x) for x in found] == by_definition(row, norm, p, k)
        assert all(math.copysign(1, x) == 1 for x in found if x == 0)
    assert made(data[:0]).shape == (0, 3)
    narrow = data[data[:, 0] == 3].astype("f4" if T is float else "i2")
    assert made(narrow).tolist() == made(narrow.tolist())


@pytest.mark.parametrize("p", [1, 2])
def test_rows_beyond_what_floats_are_asked_of(p: int) -> None:
    """Sums of 2^900 and more, where the bound on roundings does not hold."""
    size = 900 // p
    data = [[1.3 * 2.0 ** (size + i), 1.1 * 2.0**size, 7.0] for i in range(-3, 9)]
    made = clip(float, 3, 1001, p, k=0)
    for row, found in zip(data, made(numpy.array(data)).tolist(), strict=True):
        assert found == by_definition(row, 1001, p, 0)


@pytest.mark.parametrize("p", [1, 2])
def test_long_rows_of_uint64(p: int) -> None:
    """Numbers beyond int64 are shortened by what they are."""
    some = [2**64 - 1, 2**64 - 2**40, 2**63, 2**63 - 1, 2**62, 3]
    data = [[x, y, 12345] for x in some for y in some]
    out = clip(int, 3, 10**6, p)(numpy.array(data, "uint64"))
    for row, found in zip(data, out.tolist(), strict=True):
        assert found == shortened(row, 10**6, p)


def test_most_long_rows_are_shortened_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def asking(steps: list[int], C: int, p: int) -> list[int]:
        asked.append(steps)
        return _shortened(steps, C, p)

    monkeypatch.setattr(f"{_shortened.__module__}._shortened", asking)
    data = numpy.random.default_rng(0).normal(0, 30, (2000, 4))
    for p in (1, 2):
        clip(float, 4, 1, p)(data)
    assert len(asked) < 40


def test_fractions() -> None:
    made = clip(Fraction, 2, 1)
    rows: list[list[Any]] = [[Fraction(3), 4], [Fraction(1, 3), 0], [10**40, -1]]
    assert made(rows) == [by_definition(row, 1, 2, -30) for row in rows]
    assert {type(x) for row in made(rows) for x in row} == {Fraction}


def test_the_argument_stays_as_it_is() -> None:
    for matrix in (
        numpy.array([[3.0, 4.0], [0.1, 0.0]]),
        numpy.array([[3, 4], [0, 1]]),
    ):
        before = matrix.copy()
        out = clip(matrix.dtype.type(0).item().__class__, 2, 1)(matrix)
        assert (matrix == before).all()
        assert not numpy.shares_memory(out, matrix)


def test_rows_that_are_arrays_come_out_as_lists() -> None:
    rows = [numpy.array([3.0, 4.0]), [numpy.float32(0.5), 0]]
    assert clip(float, 2, 5)(rows) == [[3.0, 4.0], [0.5, 0.0]]


def test_what_numpy_scales_can_leave_the_ball() -> None:
    """OpenDP's make_np_clamp scales by floats, and its rows can be too long (#2953)."""
    ball = dp.ball_domain(dp.atom_domain(T=float, nan=False), 2, 1)
    angles = numpy.linspace(0, 6, 1000)
    rows = 7 * numpy.stack([numpy.cos(angles), numpy.sin(angles)], axis=1)
    scaled = rows / numpy.linalg.norm(rows, axis=1, keepdims=True)
    assert not all(map(ball.member, scaled.tolist()))
    made = clip(float, 2, 1)
    assert all(map(ball.member, made(rows).tolist()))
    assert made.output_domain.member(made(rows))
    assert numpy.allclose(made(rows), scaled, atol=1e-8)


# Sums ---------------------------------------------------------------------------------


@for_each("name", METRICS)
@for_each("size", [None, 2, 3])
@for_each("p", [1, 2])
def test_the_map_is_the_greatest_difference(name: str, size: Any, p: int) -> None:
    """Over all data sets of corners, for each distance that occurs."""
    ball = dp.ball_domain(dp.atom_domain(T=int), 2, 3, p)
    made = dp.t.make_sum(dp.vector_domain(ball, size), METRICS[name])
    corners = [[3, 0], [-3, 0], [0, 3], [1, 1]]
    data = data_sets(corners, range(4) if size is None else [size])
    distances = [0, 1, 2, 3]
    assert [made.map(d, exact=True) for d in distances] == suprema(
        made, data, distances
    )
    unlike = [] if size is None else [6 * size]
    assert made.map(math.inf) == (unlike[0] if unlike else math.inf)


def test_sums_are_exact() -> None:
    row = dp.ball_domain(dp.atom_domain(T=float, nan=False), 2, 1.0)
    made = dp.t.make_sum(dp.vector_domain(row), SYMMETRIC)
    tiny = 2.0**-40
    data = [[0.5, -0.25], [tiny, 1.75 * tiny], [-tiny / 2, -1.75 * tiny]] * 10
    expected = [10 * (Fraction(1, 2) + Fraction(tiny)), Fraction(-10, 4)]
    assert made(data) == expected  # entries are rounded toward 0, to 2^-40
    assert made(numpy.array(data)) == expected
    assert made([]) == made(numpy.zeros((0, 2))) == [0, 0]
    assert {type(x) for x in made([])} == {Fraction}
    whole = dp.ball_domain(dp.atom_domain(T=int), 2, 2**70)
    made = dp.t.make_sum(dp.vector_domain(whole), SYMMETRIC)
    assert made([[2**69, 1]] * 300) == [300 * 2**69, 300]
    ends = numpy.array([[2**64 - 1, 1]] * 300, "u8")
    assert made(ends) == [300 * (2**64 - 1), 300]
    third = dp.ball_domain(dp.atom_domain(T=Fraction), 1, 1)
    made = dp.t.make_sum(dp.vector_domain(third), SYMMETRIC)
    assert made([[Fraction(1, 3)]] * 4) == [Fraction(4, 3)]


def test_a_chain_works_through_a_matrix_in_parts() -> None:
    made = clip(float, 3, 1.0)
    chain = made >> dp.t.then_sum()
    matrix = numpy.random.default_rng(5).normal(size=(2**17 + 3, 3)) / 3
    whole = dp.t.make_sum(*made.output_space)
    assert chain.merge is not None
    assert chain(matrix) == whole.function(made(matrix))


def test_a_mean_of_vectors_under_gaussian_noise() -> None:
    n = 1000
    clipped = clip(float, 2, 1.0, size=n)
    noisy = clipped >> dp.t.then_sum() >> dp.m.then_gaussian(scale=2.0)
    # One row changed moves the sum by 2: rho = (2 / 2)^2 / 2.
    assert noisy.map(2) == 0.5
    points = numpy.tile([[0.25, -0.5], [3.0, 4.0]], (n // 2, 1))
    without = clipped >> dp.t.then_sum() >> dp.m.then_gaussian(scale=0.0)
    mean = [x / n for x in without(points)]
    assert math.dist(mean, [0.425, 0.15]) < 1e-8
    assert len(noisy(points)) == 2
    laplace = clip(float, 2, 1.0, 1) >> dp.t.then_sum() >> dp.m.then_laplace(scale=2.0)
    assert laplace.map(1) == 0.5


def sum_of(norm: Any, columns: int = 1, **more: Any) -> Any:
    row = dp.ball_domain(dp.atom_domain(T=float, nan=False), columns, norm)
    return dp.t.make_sum(dp.vector_domain(row), SYMMETRIC, **more)


@for_each(
    ("norm", "least"),
    [
        (0, -45),
        (1, -45),
        ("1.5", -44),
        (2.0**-1030, -1074),
        (5e-324, -1074),
        ("1e-999", -1074),
        (TOP, 979),
        (2**1024, 979),
        ("1e400", 979),
    ],
)
def test_the_ends_of_the_grid_of_a_sum(norm: Any, least: int) -> None:
    """So fine that an entry has 2^45 steps, and so coarse that 2^k is a float."""
    top = min(Fraction(norm), Fraction(TOP))
    entry = float(top) if float(top) <= top else math.nextafter(float(top), 0)
    for k in (least, 1023):
        made, g = sum_of(norm, k=k), Fraction(2) ** k
        for x in (entry, -entry):
            expected = [3 * g * math.trunc(Fraction(x) / g)]
            assert made([[x]] * 3) == made(numpy.array([[x]] * 3)) == expected
    for k in (least - 1, 1024):
        with pytest.raises(dp.OpenDPException, match="k="):
            sum_of(norm, k=k)


def test_as_many_steps_as_can_be() -> None:
    """A part of an array has 2^17 rows, and 2^62 steps at most."""
    made = sum_of(1, k=-45)
    for end in (1.0, -1.0):
        # By the function: to ask whether each row is in the ball takes long.
        data = numpy.full((2**17 + 1, 1), end)
        assert made.function(data) == [end * (2**17 + 1)]


def test_vectors_of_norm_0() -> None:
    made = sum_of(0, columns=2)
    assert made([[0.0, -0.0]] * 3) == [0, 0]
    assert [made.map(d, exact=True) for d in (0, 1, math.inf)] == [0, 0, 0]
    assert sum_of(1).map(math.inf) == math.inf
