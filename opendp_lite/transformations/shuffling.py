"""Rows in a random order."""

from __future__ import annotations

from typing import Any

from opendp_lite.core.aliases import Data
from opendp_lite.core.values.containers import is_array
from opendp_lite.sampling.permutation import sample_places

__all__ = ["shuffled"]


def shuffled(data: Data, count: int) -> Any:
    """Return `count` of the rows, each choice and each order of them equally likely.

    Of a list a new list, and of an array a new array.
    """
    if not is_array(data):
        return [data[i] for i in sample_places(len(data), count)]  # proof: list
    import numpy

    from opendp_lite.sampling.bulk_permutation import sample_place_array

    places = sample_place_array(len(data), count)  # proof: places
    return numpy.asarray(data)[places]  # proof: array
