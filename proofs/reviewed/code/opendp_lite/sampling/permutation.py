# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.permutation; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.sampling.lanes import FEW_PLACES
from opendp_lite.sampling.lanes import is_bulk
from opendp_lite.sampling.uniform import sample_uniform_below

opendp_lite.sampling.lanes.FEW_PLACES = 16


# === sample_places with FEW_PLACES, is_bulk, opendp_lite.sampling.lanes.FEW_PLACES
def sample_places(n: int, count: int) -> list[int]:
    if not 0 <= count <= n:
        raise ValueError(f"count must be from 0 to n={n}, got {count}")
    if not is_bulk(n, FEW_PLACES):
        return sample_places_singly(n, count)
    from opendp_lite.sampling.bulk_permutation import sample_place_array

    places: list[int] = sample_place_array(n, count).tolist()
    return places


# === sample_places_singly with sample_uniform_below
def sample_places_singly(n: int, count: int) -> list[int]:
    places = list(range(n))
    for i in range(count):
        j = i + sample_uniform_below(n - i)
        places[i], places[j] = places[j], places[i]
    return places[:count]
