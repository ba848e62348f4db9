"""Parallel composition: the map by brute force, blocks of every form, faults."""

from __future__ import annotations

import math
import pickle
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.combinators import parallel
from opendp_lite.data.identity import visible
from opendp_lite.randomness.entropy import random_bits
from tests.rows import for_each
from tests.transformations.small_data import data_sets, distances_of_all

INT, TEXT = dp.atom_domain(T=int), dp.atom_domain(T=str)
PURE = dp.max_divergence()
APPROXIMATE = dp.approximate(PURE)
SYMMETRIC, ORDERED = dp.symmetric_distance(), dp.insert_delete_distance()
CHANGE, HAMMING = dp.change_one_distance(), dp.hamming_distance()
BLOCKED = {SYMMETRIC: SYMMETRIC, CHANGE: SYMMETRIC, ORDERED: ORDERED, HAMMING: ORDERED}
LN3 = dp.m.make_randomized_response_bool("3/4").map(1, exact=True)


def user(
    function: Callable[[Any], Any],
    privacy_map: Callable[[Any], Any],
    metric: Any = SYMMETRIC,
    measure: Any = PURE,
    row: Any = INT,
) -> dp.Measurement:
    return dp.m.make_user_measurement(
        dp.vector_domain(row), metric, measure, function, privacy_map
    )


def bins(metric: Any, edges: Any, size: int | None = None) -> dp.Transformation:
    return dp.t.make_find_bin(dp.vector_domain(INT, size), metric, edges)


def released(parts: int, metric: Any = SYMMETRIC, size: int | None = None) -> Any:
    """Releases the rows of blocks [0, 2), [2, 4), ... as they are."""
    exactly = user(list, lambda d_in: 1, BLOCKED[metric])
    by = bins(metric, [2 * j for j in range(1, parts + 1)], size)
    space = dp.vector_domain(INT, size), metric
    return dp.c.make_parallel_composition(*space, by, [exactly] * parts)


def brute(tables: list[list[Any]]) -> Any:
    """The largest sum by its definition."""
    places = range(len(tables[0]))
    return max(
        sum(table[d] for table, d in zip(tables, chosen, strict=True))
        for chosen in product(places, repeat=len(tables))
        if sum(chosen) < len(places)
    )


SHAPES: list[Callable[[int], Any]] = [
    lambda d: d,
    lambda d: d * d,
    lambda d: 2 * d + 1,
    lambda d: min(d, 1),
    lambda d: Fraction(min(d, 2), 3),
    lambda d: math.isqrt(5 * d),
    lambda d: max(0, d - 2),
    lambda d: 3 if d == 1 else 1,
    lambda d: 0,
]


def test_the_largest_sum_is_that_of_its_definition() -> None:
    for last in range(5):
        for chosen in product(SHAPES, repeat=3):
            tables = [[mpq(f(d)) for d in range(last + 1)] for f in chosen]
            assert parallel._largest(tables, [1] * 3) == brute(tables)
    generator = random.Random(1)
    for _ in range(500):
        last, count = generator.randrange(7), generator.randrange(1, 5)
        tables = [
            [
                mpq(generator.randrange(9), generator.randrange(1, 4))
                for _ in range(last + 1)
            ]
            for _ in range(count)
        ]
        counts = [1 + (generator.randrange(3) if last < 4 else 0) for _ in tables]
        whole = [
            t for t, times in zip(tables, counts, strict=True) for _ in range(times)
        ]
        if len(whole) <= 5:
            assert parallel._largest(tables, counts) == brute(whole)


@pytest.mark.parametrize(
    "shape",
    [lambda d: d, lambda d: d * d, lambda d: min(d, 9)],
    ids=["line", "square", "cap"],
)
def test_components_that_are_one_object_are_asked_once(shape: Any) -> None:
    """500 blocks at the farthest distance; each of them was asked 4097 times."""
    asked = 0

    def loss(d: Any) -> Any:
        nonlocal asked
        asked += 1
        return shape(d)

    space = dp.vector_domain(INT), SYMMETRIC
    one = user(len, loss)
    made = dp.c.make_parallel_composition(*space, list(range(500)), [one] * 500)
    asked = 0
    assert made.map(4096) == {16: 4096, 256: 4096**2}.get(shape(16), 4096)
    assert asked == 4097
    other = user(len, lambda d: 3 * min(d, 2))
    mixed = [one, other, one, other]
    both = dp.c.make_parallel_composition(*space, list(range(4)), mixed)
    for d in range(9):
        tables = [[mpq(e.map(i, exact=True)) for i in range(d + 1)] for e in mixed]
        assert both.map(d) == brute(tables)


def test_an_infinite_loss_within_reach_is_infinite() -> None:
    assert parallel._largest([[0, 1, math.inf], [0, 1, 2]], [1, 1]) == math.inf
    assert parallel._largest([[math.inf], [0]], [1, 2]) == math.inf
    exactly = user(len, lambda d_in: math.inf if d_in > 1 else d_in)
    space = dp.vector_domain(INT), SYMMETRIC
    made = dp.c.make_parallel_composition(*space, [7, 8], [exactly] * 2)
    assert [made.map(d) for d in (0, 1, 2, math.inf)] == [0, 1, math.inf, math.inf]


DATA = data_sets(range(5), range(3))


@for_each("metric", BLOCKED, ids=lambda each: type(each).__name__)
def test_the_map_is_the_supremum_over_all_small_data_sets(metric: Any) -> None:
    """Of two blocks, {0, 1} and {2, 3}; the row 4 is in none."""
    block, made = BLOCKED[metric], released(2, metric)
    split = [made(x) for x in DATA]
    apart = Counter(
        (
            metric.distance(x, y),
            *(block.distance(a, b) for a, b in zip(xs, ys, strict=True)),
        )
        for x, xs in zip(DATA, split, strict=True)
        for y, ys in zip(DATA, split, strict=True)
    )
    by = bins(metric, [2, 4])
    farthest = 2 if metric in (CHANGE, HAMMING) else 4
    for shapes in product(SHAPES, repeat=2):
        measurements = [user(len, f, block) for f in shapes]
        whole = dp.c.make_parallel_composition(
            dp.vector_domain(INT), metric, by, measurements
        )
        for d_in in range(farthest + 1):
            reached = [
                shapes[0](first) + shapes[1](second)
                for d, first, second in apart
                if d <= d_in
            ]
            assert whole.map(d_in, exact=True) == max(reached)


@for_each("metric", BLOCKED, ids=lambda each: type(each).__name__)
def test_a_public_size_bounds_what_may_differ(metric: Any) -> None:
    data = [x for x in DATA if len(x) == 2]
    block, made = BLOCKED[metric], released(2, metric, size=2)
    split = {tuple(x): made(x) for x in data}
    losses = [user(len, f, block) for f in (lambda d: d, lambda d: min(2 * d, 3))]
    whole = dp.c.make_parallel_composition(
        dp.vector_domain(INT, 2), metric, bins(metric, [2, 4], 2), losses
    )
    apart = set()
    for x, y in product(data, repeat=2):
        pairs = zip(split[tuple(x)], split[tuple(y)], strict=True)
        first, second = (block.distance(*pair) for pair in pairs)
        apart.add((metric.distance(x, y), first + min(2 * second, 3)))
    for d_in in [*range(7), math.inf]:
        reached = max(loss for d, loss in apart if d <= d_in)
        assert whole.map(d_in, exact=True) == reached


# Exact laws


def some(rows: Any) -> bool:
    """Whether there are rows, the truth with probability 3/4."""
    return bool(len(rows)) == (random_bits(2) != 0)


def rising(rows: Any) -> bool:
    """Whether the first row is the least, the truth with probability 3/4."""
    truth = not len(rows) or rows[0] == min(rows)
    return truth == (random_bits(2) != 0)


def once(d_in: Any) -> Any:
    return LN3 if d_in else 0


def always(d_in: Any) -> Any:
    return LN3


def law(made: dp.Measurement, x: Any) -> dict[Any, Any]:
    tree = verify.enumerate_tree(lambda: made.function(x), 8)
    assert tree.unresolved == 0
    return dict(tree.masses)


# Probabilities here are 1/4 and 3/4, so that a ratio is a power of 3.
POWERS = {Fraction(3) ** n: abs(n) for n in range(-8, 9)}


def broken(made: dp.Measurement, data: list[Any]) -> list[Any]:
    """The pairs of data sets whose laws are farther apart than the map says."""
    laws = [law(made, x) for x in data]
    far = distances_of_all(made.input_metric, data, data)
    allowed, found = cache(made.privacy_map), []
    for (i, p), (j, q) in product(enumerate(laws), repeat=2):
        if far[i][j] == math.inf:
            continue
        ratio = max(p[each] / q[each] for each in p)
        if POWERS[ratio] * LN3 > allowed(far[i][j]):
            found.append((data[i], data[j]))
    return found


def two(metric: Any, function: Any, privacy_map: Any) -> dp.Measurement:
    each = user(function, privacy_map, BLOCKED[metric])
    space = dp.vector_domain(INT), metric
    return dp.c.make_parallel_composition(*space, bins(metric, [2, 4]), [each] * 2)


@for_each("metric", BLOCKED, ids=lambda each: type(each).__name__)
def test_exact_laws_are_within_the_map(metric: Any) -> None:
    assert not broken(two(metric, some, once), DATA)
    assert not broken(two(metric, rising, always), DATA)
    assert two(metric, some, once).map(1, exact=True) < 2 * LN3 or metric in (
        CHANGE,
        HAMMING,
    )


def test_planted_faults_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the classical mistakes, by exact laws of small data sets."""
    largest = parallel._largest
    data = [*DATA, [1, 0, 3, 2], [0, 1, 2, 3], [0, 1, 3, 2]]

    def one_block(tables: Any, counts: Any) -> Any:
        return max(table[-1] for table in tables)

    def without_rest(tables: Any, counts: Any) -> Any:
        rests = [[loss - table[0] for loss in table] for table in tables]
        return largest(rests, counts)

    moved = [([0], [2]), ([2], [0])]
    assert not broken(two(CHANGE, some, once), data)
    with monkeypatch.context() as planted:  # a row that moves is counted once
        planted.setattr(parallel, "changes_rows", lambda metric: False)
        assert moved[0] in broken(two(CHANGE, some, once), data)
        assert ([0], [2]) in broken(two(HAMMING, some, once), data)
    with monkeypatch.context() as planted:  # the largest of the losses, not a sum
        planted.setattr(parallel, "_largest", one_block)
        assert ([0, 2], []) in broken(two(SYMMETRIC, some, once), data)
    assert not broken(two(SYMMETRIC, rising, always), data)
    with monkeypatch.context() as planted:  # blocks without a difference lose nothing
        planted.setattr(parallel, "_largest", without_rest)
        assert ([0, 1, 2, 3], [1, 0, 3, 2]) in broken(
            two(SYMMETRIC, rising, always), data
        )


def test_certificates_see_the_row_that_moves() -> None:
    made = two(CHANGE, some, once)
    found = verify.privacy(made, [0], [2], depth=8)
    assert found.holds
    assert found.unresolved == 0
    assert found.needs_epsilon > Fraction(2197, 1000)  # twice the logarithm of 3
    lying = dp.Measurement(
        made.input_domain, made.function, CHANGE, PURE, lambda d_in: LN3
    )
    assert verify.privacy(lying, [0], [2], depth=8).refuted


# The specification's example, pairs, and distances that are far


def test_three_rows_in_four_blocks() -> None:
    space = dp.vector_domain(INT), SYMMETRIC
    each = user(len, lambda d_in: min(d_in, 1))
    made = dp.c.make_parallel_composition(*space, [0, 1, 2, 3], [each] * 4)
    assert [made.map(d) for d in (0, 1, 3, 4, 5)] == [0, 1, 3, 4, 4]
    many = dp.c.make_parallel_composition(*space, list(range(500)), [each] * 500)
    assert [many.map(d) for d in (1, 3, 600)] == [1, 3, 500]


def test_pairs_are_bounded_part_by_part() -> None:
    space = dp.vector_domain(INT), SYMMETRIC
    one = user(len, lambda d: (d, "1/4" if d else 0), measure=APPROXIMATE)
    other = user(len, lambda d: (3 * d, 0), measure=APPROXIMATE)
    made = dp.c.make_parallel_composition(*space, [0, 1], [one, other])
    assert made.map(2, exact=True) == (6, Fraction(1, 4))
    certain = user(len, lambda d: (0, "3/4" if d else 0), measure=APPROXIMATE)
    made = dp.c.make_parallel_composition(*space, [0, 1], [certain] * 2)
    assert made.map(2, exact=True) == (0, 1)


def test_beyond_a_distance_losses_add_up() -> None:
    space = dp.vector_domain(INT), SYMMETRIC
    asked: list[Any] = []
    each = user(len, lambda d: asked.append(d) or d)  # type: ignore[func-returns-value]
    made = dp.c.make_parallel_composition(*space, [0, 1], [each] * 2)
    assert made.map(4096) == 4096
    asked.clear()
    assert made.map(4097) == 2 * 4097
    assert asked == [4097]
    assert made.map(10**30, exact=True) == 2 * 10**30
    assert made.map(math.inf) == math.inf


# Blocks


@for_each("dtype", ["i1", "u1", "<i8", ">i8", "u8", "i4", "f2", "f8", ">f4", "U3"])
def test_arrays_and_lists_are_divided_alike(dtype: str) -> None:
    array = numpy.array([5, 1, 0, 5, 3, 9, 1, 0]).astype(dtype)
    T = {"i": int, "u": int, "f": float, "U": str}[array.dtype.kind]
    space = dp.vector_domain(dp.atom_domain(T=T)), SYMMETRIC
    exactly = dp.m.make_user_measurement(*space, PURE, lambda rows: rows, lambda d: 1)
    values = [T(5), T(0), T(7)]
    made = dp.c.make_parallel_composition(*space, values, [exactly] * 3)
    for rows in (array, array[::-1][::-1], array[:0]):
        parts = made(rows)
        assert [part.dtype for part in parts] == [array.dtype] * 3
        assert [visible(part.tolist()) for part in parts] == [
            visible([row for row in rows.tolist() if row == value]) for value in values
        ]
        assert made(rows.tolist()) == [part.tolist() for part in parts]


def test_text_without_characters_is_divided() -> None:
    """Numpy makes U1 of U0: blocks have one dtype, whatever the rows are."""
    space = dp.vector_domain(TEXT), SYMMETRIC
    exactly = dp.m.make_user_measurement(*space, PURE, lambda rows: rows, lambda d: 1)
    made = dp.c.make_parallel_composition(*space, ["", "a"], [exactly] * 2)
    for size in (0, 2):
        none = numpy.zeros(size, dtype=[("text", "U0")])["text"]
        assert none.dtype == numpy.dtype("U0")
        parts = made(none)
        assert [part.tolist() for part in parts] == [[""] * size, []]
        assert {part.dtype for part in parts} == {numpy.dtype("U1")}


def test_order_is_kept_and_data_are_not_changed() -> None:
    made = released(300)
    generator = numpy.random.default_rng(2)
    array = generator.integers(-5, 700, 3000)
    before = array.copy()
    parts = made(array)
    assert parts == made(array.tolist())
    assert (array == before).all()
    for j, part in enumerate(parts):
        assert part == [row for row in array.tolist() if max(row, 0) // 2 == j]


def test_rows_without_a_place_are_in_no_block() -> None:
    space = dp.vector_domain(dp.atom_domain(T=float)), SYMMETRIC
    exactly = dp.m.make_user_measurement(*space, PURE, list, lambda d: 1)
    data = [math.nan, -0.0, 0.0, math.inf, 1.0, numpy.float64(1.5)]
    made = dp.c.make_parallel_composition(*space, [0.0, 1.0], [exactly] * 2)
    assert visible(made(data)) == visible([[-0.0, 0.0], [1.0]])
    told = space >> dp.t.then_is_null()
    made = dp.c.make_parallel_composition(*space, told, [exactly] * 2)
    assert visible(made(data)[1]) == visible([math.nan])
    assert len(made(numpy.array(data))[0]) == 5
    first = dp.c.make_parallel_composition(*space, told, [exactly])
    assert len(first(data)[0]) == 5


def test_truth_values_and_scalars_are_numbers_of_blocks() -> None:
    space = dp.vector_domain(dp.option_domain(dp.atom_domain(T=bool))), SYMMETRIC
    exactly = dp.m.make_user_measurement(*space, PURE, list, lambda d: 1)
    by = space >> dp.t.then_impute_constant(True)
    made = dp.c.make_parallel_composition(*space, by, [exactly] * 2)
    scalars = [numpy.bool_(True), False, None, numpy.bool_(False)]
    assert made(scalars) == [[False, numpy.False_], [numpy.True_, None]]
    numbers = dp.vector_domain(dp.option_domain(INT)), SYMMETRIC
    exactly = dp.m.make_user_measurement(*numbers, PURE, list, lambda d: 1)
    by = numbers >> dp.t.then_impute_constant(1)
    made = dp.c.make_parallel_composition(*numbers, by, [exactly] * 2)
    wide = [numpy.uint64(2**63), numpy.int8(-1), 2**80, -(2**80), numpy.uint64(1), None]
    assert made(wide) == [[], [1, None]]


def test_frames_are_divided_by_a_column() -> None:
    frames = dp.frame_domain({"region": TEXT, "age": INT})
    exactly = dp.m.make_user_measurement(frames, SYMMETRIC, PURE, dict, lambda d: 1)
    by = (frames, CHANGE) >> dp.t.then_frame_column("region") >> dp.t.then_find(["n"])
    by = by >> dp.t.then_impute_constant(1)
    made = dp.c.make_parallel_composition(frames, CHANGE, by, [exactly] * 2)
    assert made.map(1) == 2
    data = {
        "region": ["n", "s", "n"],
        "age": numpy.array([31, 27, 40], dtype="u1"),
        "more": numpy.arange(6).reshape(3, 2),
    }
    north, south = made(data)
    assert list(north) == list(data)
    assert north["region"] == ["n", "n"]
    assert north["age"].tolist() == [31, 40]
    assert north["age"].dtype == numpy.dtype("u1")
    assert north["more"].tolist() == [[0, 1], [4, 5]]
    assert south["region"] == ["s"]
    assert south["more"].tolist() == [[2, 3]]
    nobody = made({"region": [], "age": []})
    assert nobody == [{"region": [], "age": []}] * 2


def test_columns_of_pandas_are_divided() -> None:
    import pandas

    assert released(2)(pandas.Series([3, 0, 4, 2])) == [[0], [3, 2]]


# The partition


def test_a_function_of_a_row_needs_a_person() -> None:
    space = dp.vector_domain(INT), SYMMETRIC
    count = space >> dp.t.then_count() >> dp.m.then_laplace(scale=1)
    dp.disable_features("honest-but-curious")
    try:
        dp.c.make_parallel_composition(*space, [0, 1], [count] * 2)
        with pytest.raises(dp.OpenDPException, match="the row alone and always"):
            dp.c.make_parallel_composition(*space, abs, [count] * 2)
    finally:
        dp.enable_features("honest-but-curious")

    def parity(row: int) -> Any:
        if row == 0:
            raise ValueError("secret")
        return row % 2 if row < 10 else "elsewhere"

    exactly = user(list, lambda d: 1)
    made = dp.c.make_parallel_composition(*space, parity, [exactly] * 2)
    assert made([0, 1, 2, 3, 10]) == [[2], [1, 3]]
    assert made(numpy.arange(11)) == [[2, 4, 6, 8], [1, 3, 5, 7, 9]]


def test_a_function_may_answer_by_truth_values() -> None:
    """They are numbers of blocks, as those of a transformation are."""
    space = dp.vector_domain(INT), SYMMETRIC
    exactly = user(list, lambda d: 1)
    functions: list[Callable[[Any], Any]] = [
        lambda row: row >= 18,
        lambda row: numpy.bool_(row >= 18),
    ]
    for adult in functions:
        made = dp.c.make_parallel_composition(*space, adult, [exactly] * 2)
        assert made([3, 40, 18]) == [[3], [40, 18]]
    # What is neither an integer nor a bool is no block, whatever it equals.
    for other in (float, lambda row: numpy.timedelta64(row, "ns"), str):
        made = dp.c.make_parallel_composition(*space, other, [exactly] * 2)
        assert made([0, 1]) == [[], []]


def test_only_what_works_row_by_row_divides() -> None:
    """Whatever looks at other rows, or at places, or draws bits, is refused."""
    space = dp.vector_domain(INT), SYMMETRIC
    count = space >> dp.t.then_count() >> dp.m.then_laplace(scale=1)
    sized = dp.vector_domain(INT, 2), SYMMETRIC
    floats = dp.vector_domain(dp.atom_domain(T=float)), SYMMETRIC
    own = dp.t.make_user_transformation(*space, *space, sorted, lambda d: d)
    refused: list[Any] = [
        dp.t.make_identity(*space),
        own,
        own >> dp.t.then_find([0]),
        dp.t.make_find(*space, [0]) >> dp.t.then_drop_null(),
        dp.t.make_resize(*space, 2, 0) >> dp.t.then_find([0]),
        dp.t.make_count(*space),
        dp.t.make_ordered_random(*space) >> dp.t.then_find([0]),
        dp.t.make_impute_uniform_float(*floats, (0.0, 1.0)) >> dp.t.then_find([0.5]),
        dp.Transformation(*(space[0],) * 2, sorted, SYMMETRIC, SYMMETRIC, lambda d: d),
        count,
        space,
        7,
        "a",
    ]
    for by in refused:
        with pytest.raises(dp.OpenDPException, match="MakeMeasurement: by="):
            dp.c.make_parallel_composition(*space, by, [count])
    # Built on fewer data sets than there are.
    with pytest.raises(dp.OpenDPException, match="DomainMismatch: by="):
        dp.c.make_parallel_composition(*space, dp.t.make_find(*sized, [0]), [count])

    # A derived class may do as it likes.
    class Lying(dp.Transformation):
        pass

    find = dp.t.make_find(*space, [0])
    lying = Lying(
        find.input_domain, find.output_domain, sorted, SYMMETRIC, SYMMETRIC, abs
    )
    object.__setattr__(lying, "record", find.record)
    with pytest.raises(dp.OpenDPException, match="row by row"):
        dp.c.make_parallel_composition(*space, lying, [count])


def test_a_wider_measurement_and_partition_serve() -> None:
    few = dp.vector_domain(dp.atom_domain((0, 9)), size=3)
    wide = dp.vector_domain(INT), SYMMETRIC
    count = wide >> dp.t.then_count() >> dp.m.then_laplace(scale=0)
    by = dp.t.make_find_bin(dp.vector_domain(INT), HAMMING, [5])
    made = dp.c.make_parallel_composition(few, CHANGE, by, [count] * 2)
    assert made([1, 7, 9]) == [1, 2]
    assert not made.covers_rationals
    assert not made.interactive


def test_it_is_a_value_that_tells_its_accuracy_and_follows_others() -> None:
    space = dp.vector_domain(INT), SYMMETRIC
    count = space >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
    made = space >> dp.c.then_parallel_composition([0, 1], [count] * 2)
    assert made == dp.c.make_parallel_composition(*space, (0, 1), (count, count))
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert hash(again) == hash(made)
    assert made.accuracy(0.05) == [6.0, 6.0]
    assert made.scale == [2, 2]
    clamped = space >> dp.t.then_clamp((0, 1))
    part = clamped.output_space >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
    chain = clamped >> dp.c.then_parallel_composition([0, 1], [part] * 2)
    assert chain.map(1) == 0.5
    session = dp.c.make_adaptive_composition(*space, PURE, 1, [0.5])([0, 1, 1])
    assert len(session(made)) == 2
    assert session.remaining() == []


def test_explain_says_what_is_to_be_verified_of_a_function() -> None:
    space = dp.vector_domain(INT), SYMMETRIC
    count = space >> dp.t.then_count() >> dp.m.then_laplace(scale=1)

    def parity(row: int) -> int:
        return row % 2

    for by in (parity, float):
        told = str(dp.c.make_parallel_composition(*space, by, [count] * 2).explain())
        line = next(each for each in told.splitlines() if by.__name__ in each)
        assert line.strip().startswith("by=")
        assert "a person must verify that it looks at the row alone" in line
    for proved in ([0, 1], dp.t.make_find(*space, [0, 1])):
        told = str(
            dp.c.make_parallel_composition(*space, proved, [count] * 2).explain()
        )
        assert "verify" not in told
