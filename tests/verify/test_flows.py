"""The greatest flow between two laws, compared with all sets by Hall's theorem."""

from __future__ import annotations

from itertools import chain, combinations

from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.verify.couplings import greatest_flow


def by_sets(
    left: dict[int, mpq], right: dict[int, mpq], pairs: set[tuple[int, int]]
) -> mpq:
    """The least cut: over all sets A, the mass outside A and that of what A reaches."""
    sets = chain.from_iterable(combinations(left, k) for k in range(len(left) + 1))
    zero = mpq(0)
    return min(
        sum((left[x] for x in left if x not in some), zero)
        + sum((right[y] for y in right if any((x, y) in pairs for x in some)), zero)
        for some in sets
    )


def laws() -> st.SearchStrategy[dict[int, mpq]]:
    masses = st.lists(st.builds(mpq, st.integers(0, 6), st.integers(1, 7)), max_size=5)
    return masses.map(lambda found: dict(enumerate(found)))


@given(laws(), laws(), st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))))
def test_it_is_the_least_cut(
    left: dict[int, mpq], right: dict[int, mpq], pairs: set[tuple[int, int]]
) -> None:
    found = greatest_flow(left, right, lambda x, y: (x, y) in pairs)
    assert found == by_sets(left, right, pairs)


def test_mass_is_taken_back() -> None:
    """0 gives to 10 first, and must give way to 1, which reaches nothing else."""
    half = mpq(1, 2)
    related = {(0, 10), (0, 11), (1, 10), (2, 11), (2, 12)}
    law = dict.fromkeys((0, 1, 2), half), dict.fromkeys((10, 11, 12), half)
    assert greatest_flow(*law, lambda x, y: (x, y) in related) == 3 * half


def test_empty_laws() -> None:
    assert greatest_flow({}, {}, lambda x, y: True) == 0
    assert greatest_flow({0: mpq(1)}, {}, lambda x, y: True) == 0
