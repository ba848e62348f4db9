# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/DiscreteNoise.add_on_grid; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.discrete:DiscreteNoise.add_on_grid ===

from opendp_lite.sampling.lanes import Array

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

class DiscreteNoise:
    def add_on_grid(self, values: Array, k: int) -> Array:
        from opendp_lite.sampling.bulk_grid import add_on_grid

        return add_on_grid(self, values, k)


# === opendp_lite.sampling.bulk:check_array ===

from opendp_lite.sampling.lanes import Array

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

def check_array(values: Array, *types: type) -> None:
    if values.ndim != 1 or values.dtype not in types:
        names = " or ".join(each.__name__ for each in types)
        raise ValueError(f"values must be a one-dimensional array of {names}")
