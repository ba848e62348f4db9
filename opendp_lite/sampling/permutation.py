"""Rows in random order: different places, each order as likely as any other."""

from __future__ import annotations

from opendp_lite.sampling.lanes import FEW_PLACES, is_bulk
from opendp_lite.sampling.uniform import sample_uniform_below

__all__ = ["sample_places", "sample_places_singly"]


def sample_places(n: int, count: int) -> list[int]:
    """Return `count` different ones of 0, ..., n - 1, in any order equally likely.

    With `count` = n it is a uniform permutation.

    >>> sorted(sample_places(4, 4)), len(set(sample_places(1000, 10)))
    ([0, 1, 2, 3], 10)
    """
    if not 0 <= count <= n:  # proof: range
        raise ValueError(f"count must be from 0 to n={n}, got {count}")
    if not is_bulk(n, FEW_PLACES):
        return sample_places_singly(n, count)  # proof: few
    from opendp_lite.sampling.bulk_permutation import sample_place_array

    places: list[int] = sample_place_array(n, count).tolist()  # proof: many
    return places


def sample_places_singly(n: int, count: int) -> list[int]:
    """Do what `sample_places` does, one place after the other (Fisher and Yates)."""
    places = list(range(n))  # proof: all
    for i in range(count):
        j = i + sample_uniform_below(n - i)  # proof: one
        places[i], places[j] = places[j], places[i]  # proof: swap
    return places[:count]  # proof: first
