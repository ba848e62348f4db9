# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/near_levels; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bulk_selection:near_levels ===

from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.exact.rounding import round_down
from typing import Any
from typing import TypeAlias

Scores: TypeAlias = Any
DEPTH = 64
_LARGEST = 1.7976931348623157e308

def near_levels(scores: Scores, near: Any, top: mpq, scale: mpq) -> Any:
    import numpy

    if isinstance(scores, Sequence):
        exact = [(top - mpq(scores[i])) * mpq(23, 16) / scale for i in near]
        levels = [min(int(each), DEPTH - 1) for each in exact]
        return numpy.array(levels, numpy.uint64)
    part = scores[near]
    with numpy.errstate(all="ignore"):
        if part.dtype.kind == "f":
            gaps = numpy.minimum(round_down(top) - part, _LARGEST)
        else:
            words = part.view(numpy.uint64)
            gaps = numpy.uint64(int(top) % 2**64) - words
        steps = gaps * round_down(mpq(23, 16) / scale)
    return numpy.minimum(steps, DEPTH - 1).astype(numpy.uint64)
