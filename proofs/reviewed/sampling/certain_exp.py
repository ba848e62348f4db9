# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/certain_exp; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bulk:certain_exp ===

from opendp_lite.sampling.lanes import Array
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

def certain_exp(prefix: Array, loss: Array) -> tuple[Array, Array]:
    with np.errstate(under="ignore"):
        p = np.exp(-loss)
        slack = p * 2.0**-36 + 2.0**-50
    u = prefix * 2.0**-64
    known = loss < 2.0**10
    below = known & (u < p - slack)
    above = known & (u > p + slack)
    return below, above
