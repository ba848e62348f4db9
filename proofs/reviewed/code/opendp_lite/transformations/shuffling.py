# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.shuffling; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Data
from opendp_lite.core.values.containers import is_array
from opendp_lite.sampling.permutation import sample_places
from typing import Any

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any


# === shuffled with Data, is_array, sample_places, Any, opendp_lite.core.aliases.Data
def shuffled(data: Data, count: int) -> Any:
    if not is_array(data):
        return [data[i] for i in sample_places(len(data), count)]
    import numpy

    from opendp_lite.sampling.bulk_permutation import sample_place_array

    places = sample_place_array(len(data), count)
    return numpy.asarray(data)[places]
