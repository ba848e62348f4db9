# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.selection.bulk_levels; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.randomness.entropy import bulk
from typing import Any
from typing import TypeAlias

Scores: TypeAlias = Any
_FAR = 45
DEPTH = 64
_LARGEST = 1.7976931348623157e308


# === random_words with bulk, Any
def random_words(count: int) -> Any:
    with bulk() as stream:
        return stream.words(count, "<u8")


# === near_scores with Sequence, mpq, ceil_multiple, round_up, Any, TypeAlias, Scores,
#    _FAR
def near_scores(scores: Scores, top: mpq, scale: mpq) -> Any:
    import numpy

    bound = top - mpq(_FAR) * scale
    if isinstance(scores, Sequence):
        return numpy.array([x >= bound for x in scores])
    if scores.dtype.kind == "f":
        return scores >= round_up(bound)
    least = int(numpy.iinfo(scores.dtype).min)
    return scores >= max(ceil_multiple(bound, 0), least)


# === near_levels with Sequence, mpq, round_down, Any, TypeAlias, Scores, DEPTH,
#    _LARGEST
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


# === as_array with Sequence, Any, TypeAlias, Scores
def as_array(scores: Scores) -> Any:
    import numpy

    if not isinstance(scores, Sequence):
        return scores
    if isinstance(scores[0], float):
        return numpy.fromiter(scores, numpy.float64, len(scores))
    if isinstance(scores[0], int):
        try:
            return numpy.fromiter(scores, numpy.int64, len(scores))
        except OverflowError:
            return None
    return None
