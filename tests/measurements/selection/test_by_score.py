"""Selection: the exact laws, of few scores and of many, and the levels of scores."""

from __future__ import annotations

import inspect
from fractions import Fraction
from itertools import permutations, product
from math import exp as float_exp
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import round_down
from opendp_lite.measurements.selection import bulk_levels as bulk_selection
from opendp_lite.measurements.selection import by_score as selection
from opendp_lite.measurements.selection.bulk_levels import (
    as_array,
    near_levels,
    near_scores,
    random_words,
)
from opendp_lite.measurements.selection.by_score import (
    sample_exponential_mechanism,
    sample_permute_and_flip,
)
from opendp_lite.randomness.bulk_draws import sample_uniforms_below
from opendp_lite.randomness.entropy import random_bits, use_source
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits
from tests.longer import shortened
from tests.randomness.laws import DRAWS, FLAKINESS, law_fault, tolerance
from tests.randomness.tree import bits_used, enumerate_tree
from tests.rows import for_each

SAMPLERS = [sample_permute_and_flip, sample_exponential_mechanism]
P = 300


def coins(scores: Any, scale: mpq) -> list[Enclosure]:
    exponents = [(mpq(x) - mpq(max(scores))) / scale for x in scores]
    tiny = Enclosure(0, mpq(1, 2**P))
    return [exp(x, P) if x > -P else tiny for x in exponents]


def among_heads(p: list[Any], i: int) -> Any:
    """The probability that i is selected, from the definition, subset by subset."""
    total: Any = 0
    for heads in product([False, True], repeat=len(p)):
        if heads[i]:
            mass: Any = mpq(1, sum(heads))
            for q, head in zip(p, heads, strict=True):
                mass = mass * q if head else mass * (1 - q)
            total = total + mass
    return total


def in_order(p: list[Any], i: int) -> Any:
    """The same by visiting the indices in each order until a coin shows heads."""
    orders = list(permutations(range(len(p))))
    total: Any = 0
    for order in orders:
        mass: Any = mpq(1, len(orders))
        for j in order[: order.index(i)]:
            mass = mass * (1 - p[j])
        total = total + mass * p[i]
    return total


def pmf(sampler: Any, scores: Any, scale: mpq) -> Any:
    weights = coins(scores, scale)
    if sampler is sample_permute_and_flip:
        return lambda i: among_heads(weights, i)
    total = sum(weights[1:], weights[0])
    return lambda i: Enclosure(weights[i].lo / total.hi, weights[i].hi / total.lo)  # type: ignore[arg-type]


def test_heads_in_random_order_are_uniform_among_heads() -> None:
    p = [mpq(1, 3), mpq(1), mpq(2, 7), mpq(1, 100)]
    for i in range(4):
        assert among_heads(p, i) == in_order(p, i)


CASES: list[tuple[Any, str, int]] = [
    ([0, 0], "1", 16),
    ([0, -1], "1", 20),
    ([5, 4, 3], "2", 20),
    ([0.1, 0.3], "1/7", 20),
    ([mpq(1, 3), mpq(1, 2)], "1/3", 20),
    ([10**30, 10**30 - 1, 0], "3", 20),
    ([0, -40, -(10**400)], "1", 20),
]


@for_each("sampler", SAMPLERS)
@for_each(("scores", "scale", "depth"), CASES)
def test_the_law(sampler: Any, scores: Any, scale: str, depth: int) -> None:
    s = mpq(scale)
    support = range(len(scores))
    fault = law_fault(
        lambda: sampler(scores, s), pmf(sampler, scores, s), support, depth, 1e-3
    )
    assert fault is None


@for_each("sampler", SAMPLERS)
@for_each("scale", ["99/100", "101/100"])
def test_a_scale_off_by_a_hundredth_is_found(sampler: Any, scale: str) -> None:
    scores = [0, -1]
    wrong = law_fault(
        lambda: sampler(scores, mpq(scale)),
        pmf(sampler, scores, mpq(1)),
        range(2),
        20,
        1e-3,
    )
    assert wrong is not None
    assert "mass on" in wrong


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_without_noise_the_greatest_are_alike(sampler: Any) -> None:
    law, unresolved = enumerate_tree(lambda: sampler([1, 7, 7, 0, 7, 7], mpq(0)), 2)
    assert unresolved == 0
    assert law == {i: Fraction(1, 4) for i in (1, 2, 4, 5)}


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_one_score_takes_no_bit(sampler: Any) -> None:
    assert bits_used(lambda: sampler([3], mpq(2)), 0, 0) == 0


@for_each("sampler", SAMPLERS)
@for_each(("scores", "scale"), [([], mpq(1)), ([1], mpq(-1))])
def test_what_is_refused(sampler: Any, scores: Any, scale: mpq) -> None:
    with pytest.raises(ValueError, match="needs scores and a scale of at least 0"):
        sampler(scores, scale)


SCORES: dict[str, Any] = {
    "integers": [0, 1, 5, 63, 64, 65, 1000, 10**6, -(10**18)],
    "words": [2**61, -(2**61), 2**61 - 1, 0],
    "huge": [10**400, 10**400 - 1, 10**400 - 30, 0, -(10**400)],
    "floats": [0.1, 0.2, 0.3, -0.0, 5e-324, 1e16, 1e308, -1.7976931348623157e308],
    "near floats": [1.0, 1.0 - 2.0**-53, 1.0 + 2.0**-52, 1.5, 2.0, 24.0],
    "rationals": [mpq(1, 3), mpq(1, 2), mpq(10**40, 7), mpq(-1, 10**40)],
}
SCALES = [mpq(1), mpq(1, 2), mpq(128, 5), mpq(0.1), mpq(10) ** 300, mpq(10) ** -300]
SCALES += [mpq(10) ** 17, mpq(10) ** 5000, mpq(1, 10**5000), mpq(1, 3)]


ARRAYS: dict[str, Any] = {
    "int64": np.array([-(2**63), 2**63 - 1, 2**63 - 2, 2**63 - 30, 0], np.int64),
    "negative": np.array([-(2**63), -5, -6, -300], np.int64),
    "uint64": np.array([0, 2**64 - 1, 2**64 - 2, 2**64 - 20, 2**63], np.uint64),
    "float64": np.array([1e308, -1e308, 0.1, 0.3, 5e-324, -0.0, 1e308 - 1e293]),
    "negative float64": np.array([-1e308, -0.1, -0.3, -7.0]),
}


def faults_of_levels(scores: Any, scale: mpq) -> list[int]:
    """The lanes that are wrongly far, or whose level j has e^-t > 2^-j."""
    values = scores if isinstance(scores, list) else scores.tolist()
    top = mpq(max(values))
    near = near_scores(scores, top, scale)
    indices = near.nonzero()[0]
    levels = near_levels(scores, indices, top, scale)
    assert near.dtype == bool
    assert near.shape == (len(values),)
    assert len(levels) == len(indices)
    assert levels[indices.tolist().index(values.index(max(values)))] == 0
    found = dict(zip(indices.tolist(), levels.tolist(), strict=True))
    assert set(found.values()) <= set(range(64))
    return [
        i
        for i, true in enumerate(coins(values, scale))
        if true.hi > mpq(1, 2 ** found.get(i, 64))
    ]


@for_each("kind", [*SCORES, *ARRAYS])
@for_each("scale", SCALES, ids=lambda s: f"{len(str(s))}-{str(s)[:5]}")
def test_the_levels_are_bounds(kind: str, scale: mpq) -> None:
    assert faults_of_levels((SCORES | ARRAYS)[kind], scale) == []


@for_each("kind", [*SCORES, *ARRAYS])
@for_each("scale", SCALES, ids=lambda s: f"{len(str(s))}-{str(s)[:5]}")
def test_the_levels_of_any_indices_are_bounds(kind: str, scale: mpq) -> None:
    """Of all, near or not, with repetitions, and of each alone."""
    scores = (SCORES | ARRAYS)[kind]
    values = scores if isinstance(scores, list) else scores.tolist()
    top, size = mpq(max(values)), len(values)
    twice = near_levels(scores, np.arange(2 * size) % size, top, scale).tolist()
    alone = [near_levels(scores, np.array([i]), top, scale)[0] for i in range(size)]
    assert twice == alone * 2
    for level, true in zip(alone, coins(values, scale), strict=True):
        assert level < 64
        assert true.hi <= mpq(1, 2 ** int(level))


@pytest.mark.parametrize("dtype", [np.int64, np.float64, list])
def test_the_levels_are_close(dtype: Any) -> None:
    """The weights are above 0.4 times 2^-j, up to level 63, and near ends at 45."""
    gaps = np.arange(0, 600)
    scores = (-gaps).tolist() if dtype is list else (-gaps).astype(dtype)
    near = near_scores(scores, mpq(0), mpq(10))
    assert near.nonzero()[0].tolist() == list(range(451))
    levels = near_levels(scores, near.nonzero()[0], mpq(0), mpq(10)).tolist()
    assert faults_of_levels(scores, mpq(10)) == []
    for gap, level in zip(gaps, levels, strict=False):
        if level < 63:
            assert 2.0**level * float_exp(-gap / 10) > 0.4


def test_the_greatest_gap_of_doubles_has_no_infinite_level() -> None:
    """The difference of these doubles is infinite, and that of the numbers is not."""
    scores = np.array([1.7e308, -1.7e308])
    levels = near_levels(scores, np.arange(2), mpq(1.7e308), mpq(1.7e308))
    assert levels.tolist() == [0, 1]


def test_a_level_that_is_too_high_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = -np.arange(0, 400)
    assert faults_of_levels(scores, mpq(10)) == []
    monkeypatch.setattr(
        bulk_selection, "round_down", lambda x: round_down(x * mpq(101, 100))
    )
    assert faults_of_levels(scores, mpq(10)) != []


MANY = {
    sample_permute_and_flip: selection._flip_many,
    sample_exponential_mechanism: selection._throw_many,
}


def shallow(monkeypatch: pytest.MonkeyPatch, visits: int) -> None:
    """Few bits for a word, levels up to 2 only, and what is 2 scales away is far.

    So many indices are visited first.
    """
    monkeypatch.setattr(selection, "_LONG", 0 if visits else 64)
    monkeypatch.setattr(
        selection, "_visits", lambda size: sample_uniforms_below(size, visits)
    )
    monkeypatch.setattr(selection, "DEPTH", 2)
    monkeypatch.setattr(bulk_selection, "DEPTH", 2)
    monkeypatch.setattr(bulk_selection, "_FAR", 2)
    monkeypatch.setattr(
        selection,
        "random_words",
        lambda count: np.array([random_bits(2) for _ in range(count)], np.uint64),
    )


OF_MANY: list[tuple[Any, str]] = [
    ([0, 0], "1"),
    ([5, 4, 3], "2"),
    ([0.0, -1.5], "1"),
    ([0, -3], "1"),
    ([0.0, -2.25, -3.0], "1"),
    ([mpq(1, 3), mpq(1, 2)], "1/10"),
    ([10**30, 10**30 - 2], "2"),
]


@pytest.mark.parametrize("sampler", SAMPLERS)
# Two scores that are far apart are visited here, and two that are near below; more
# of both are visited in the audit.
@pytest.mark.parametrize(
    ("scores", "scale", "visits"),
    shortened(
        [(*case, visits) for case in OF_MANY for visits in (0, 2)],
        *((*case, 0) for case in (OF_MANY[0], OF_MANY[1], OF_MANY[5])),
        *((*case, 2) for case in OF_MANY if case != OF_MANY[3]),
        parts=3,
    ),
)
def test_the_law_of_many(
    monkeypatch: pytest.MonkeyPatch, sampler: Any, visits: int, scores: Any, scale: str
) -> None:
    """With levels so low that the tree of bits is small: near, far and visits."""
    shallow(monkeypatch, visits)
    law = pmf(sampler, scores, mpq(scale))
    for form in (scores, as_array(scores)):
        if form is not None:
            drawn = lambda form=form: MANY[sampler](form, mpq(scale))  # noqa: E731
            assert law_fault(drawn, law, range(len(scores)), 13, 0.45) is None


def fault_of_visits(drawn: Any, sampler: Any) -> str | None:
    """The fault of the law of two scores, of which a coin mostly shows tails."""
    scores = np.array([0.0, -1.5])
    law = pmf(sampler, scores.tolist(), mpq(1))
    return law_fault(lambda: drawn(scores, mpq(1)), law, range(2), 14, 0.06)


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("visits", shortened([1, 2, 3], 3))
def test_the_law_of_visits(
    monkeypatch: pytest.MonkeyPatch, sampler: Any, visits: int
) -> None:
    shallow(monkeypatch, visits)
    assert fault_of_visits(MANY[sampler], sampler) is None


@pytest.mark.parametrize(
    ("sampler", "line", "mutant"),
    [
        (sample_permute_and_flip, "i not in visits[:place] and ", ""),
        (sample_permute_and_flip, "i not in tails and ", ""),
        (sample_permute_and_flip, "_coin(t, level):  # proof: first", "_coin(t):"),
        (sample_exponential_mechanism, "scale, level):  # proof: first", "scale):"),
        (sample_exponential_mechanism, "int(visits[place])", "int(places[0])"),
    ],
)
def test_wrong_visits_are_found(
    monkeypatch: pytest.MonkeyPatch, sampler: Any, line: str, mutant: str
) -> None:
    shallow(monkeypatch, 2)
    source = inspect.getsource(MANY[sampler])
    assert source.count(line) == 1
    names = dict(vars(selection))
    exec("from __future__ import annotations\n" + source.replace(line, mutant), names)
    assert "mass on" in str(fault_of_visits(names[MANY[sampler].__name__], sampler))


@pytest.mark.parametrize("size", [1024, 5000, 10**5])
def test_the_visits(size: int) -> None:
    visits = selection._visits(size)
    assert len(visits) == min(size // 8, 1024)
    assert set(visits.tolist()) <= set(range(size))
    assert max(visits) - min(visits) > size / 2  # fails with probability below 1e-30


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_wrong_far_coins_are_found(
    monkeypatch: pytest.MonkeyPatch, sampler: Any
) -> None:
    """e^-1 is above 2^-2, so that far must not begin at one scale."""
    shallow(monkeypatch, 0)
    monkeypatch.setattr(bulk_selection, "_FAR", mpq(1, 2))
    drawn = lambda: MANY[sampler]([0, -1], mpq(1))  # noqa: E731
    fault = law_fault(drawn, pmf(sampler, [0, -1], mpq(1)), range(2), 16, 0.2)
    assert fault is not None


@pytest.mark.parametrize("size", [1, 2, 3])
def test_sparse_heads_are_independent(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(selection, "DEPTH", 2)

    def law(heads: int) -> Enclosure:
        mass = mpq(3 ** (size - heads.bit_count()), 4**size)
        return Enclosure(mass, mass)

    def drawn() -> int:
        return sum(1 << i for i in selection._sparse_heads(size))

    assert law_fault(drawn, law, range(2**size), 16, 0.05) is None


@pytest.mark.parametrize("sampler", SAMPLERS)
# The gaps of unsigned integers are compared with exact ones above.
@pytest.mark.parametrize(
    "dtype", shortened([np.int64, np.uint64, np.float64], np.uint64)
)
def test_the_greatest_by_far_is_selected(sampler: Any, dtype: Any) -> None:
    """One of 64 is missing in 2000 draws with probability below 1.4e-12.

    The other draws go wrong with less than e^-90. An index that is never drawn, or a
    score that is 100 scales too low and is, is found.
    """
    state_flakiness("1e-11")
    scores = np.zeros(1000, dtype)
    scores[[7, 77]] = 10**6, 10**6 - 100
    for scale in (mpq(1), mpq(1, 10**5000), mpq(1, 10**300)):
        assert sampler(scores, scale) == 7
    wide = np.resize(np.array([0, 2**62]), 1000).astype(dtype)
    for scale in (mpq(1), mpq(10**15)):
        assert sampler(wide, scale) % 2 == 1
    alike = {sampler(np.zeros(64, dtype), mpq(1)) for _ in range(2000)}
    assert alike == set(range(64))
    level = {sampler(np.arange(64).astype(dtype), mpq(10) ** 400) for _ in range(2000)}
    assert level == set(range(64))


@pytest.mark.parametrize("sampler", SAMPLERS)
# A type makes a difference where levels are found, and no other where there are more.
@pytest.mark.parametrize(
    ("dtype", "size"),
    shortened(
        product([np.int64, np.uint64, np.float64], [1, 5, 63, 64, 200, 2000]),
        (np.int64, 2000),
        (np.uint64, 2000),
        (np.uint64, 200),
        (np.float64, 200),
        parts=2,
    ),
)
def test_arrays_and_lists_give_the_same(sampler: Any, dtype: Any, size: int) -> None:
    scores = (np.arange(size) * 7 % 50).astype(dtype)
    for seed in range(20 if size < 63 else 5 if size < 2000 else 3):
        for scale in (mpq(0), mpq(9)):
            with use_source(HashedBits(seed)):
                from_array = sampler(scores, scale)
            with use_source(HashedBits(seed)):
                from_list = sampler(scores.tolist(), scale)
            assert type(from_array) is type(from_list) is int
            assert from_array == from_list


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_law_of_an_array(sampler: Any) -> None:
    for dtype in (np.int64, np.float64):
        scores = np.array([5, 4, 3], dtype)
        law = pmf(sampler, [5, 4, 3], mpq(2))
        drawn = lambda scores=scores: sampler(scores, mpq(2))  # noqa: E731
        assert law_fault(drawn, law, range(3), 20, 1e-3) is None


def test_words_are_the_bits_in_their_order() -> None:
    with use_source(HashedBits(7)):
        words = random_words(70).tolist()
    data = HashedBits(7).bits(64 * 70).to_bytes(8 * 70, "big")
    assert words == [
        int.from_bytes(data[i : i + 8], "little") for i in range(0, 560, 8)
    ]


@pytest.mark.parametrize("sampler", SAMPLERS)
# Lists are one path, whatever they hold; so are arrays but for a subtraction. Both give
# the same of the same bits, as is seen above.
@pytest.mark.parametrize(
    ("convert", "long"),
    [
        pytest.param(
            convert,
            long,
            marks=[] if convert is np.float64 else [pytest.mark.audit],
        )
        for convert in (mpq, np.float64, int, float, np.int64)
        for long in (64, 1024)
    ],
)
def test_many_scores_from_the_operating_system(
    monkeypatch: pytest.MonkeyPatch, sampler: Any, convert: Any, long: int
) -> None:
    """Fails with probability at most 1e-9; detects a half that is off by 0.08.

    Of 101 scores, 0 is the greatest and 100 are equal, such that 0 is selected with
    a probability p that is known. They are visited first, or not.
    """
    monkeypatch.setattr(selection, "_LONG", long)
    scores: Any = [convert(0)] + [convert(-4)] * 100
    if issubclass(convert, np.generic):
        scores = np.array(scores)
    q = float_exp(-4)
    if sampler is sample_exponential_mechanism:
        p = 1 / (1 + 100 * q)
    else:  # E[1/(1 + N)] for a binomial N of 100 coins
        p = (1 - (1 - q) ** 101) / (101 * q)
    draws = DRAWS // 20
    state_flakiness(FLAKINESS)
    found = sum(sampler(scores, mpq(1)) == 0 for _ in range(draws)) / draws
    assert abs(found - p) <= tolerance(draws)
