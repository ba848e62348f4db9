"""Levels of many scores at once.

The weight of a score is e^(-t), where t = (greatest score - score)/scale. Its level is
an integer j with e^(-t) <= 2^(-j), mostly within a factor of about 2. A level too low
changes no law, so it may come from doubles whose roundings are not counted: the
factor 23/16, which is less than 1/ln 2, leaves room for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from gmpy2 import mpq

from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rounding import round_down, round_up
from opendp_lite.randomness.entropy import bulk

Scores: TypeAlias = Any
"""Exact scores of one type: a sequence of int, of finite float or of mpq, or an array
of int64, uint64 or finite float64."""

DEPTH = 64  # the level of all scores that are not near
_FAR = 45  # scales from the greatest score to where near ends: e^-45 < 2^-64
_LARGEST = 1.7976931348623157e308


def random_words(count: int) -> Any:
    """Return an array of independent uniform integers below 2^64."""
    with bulk() as stream:
        return stream.words(count, "<u8")  # proof: words


def near_scores(scores: Scores, top: mpq, scale: mpq) -> Any:
    """Return an array that is True where a score is at least top - 45 scale."""
    import numpy

    bound = top - mpq(_FAR) * scale  # proof: bound
    if isinstance(scores, Sequence):
        return numpy.array([x >= bound for x in scores])  # proof: exact
    if scores.dtype.kind == "f":
        return scores >= round_up(bound)  # proof: doubles
    least = int(numpy.iinfo(scores.dtype).min)
    return scores >= max(ceil_multiple(bound, 0), least)  # proof: words


def near_levels(scores: Scores, near: Any, top: mpq, scale: mpq) -> Any:
    """Return levels j < 64 of the scores of some indices; `top` is the greatest."""
    import numpy

    if isinstance(scores, Sequence):
        exact = [(top - mpq(scores[i])) * mpq(23, 16) / scale for i in near]
        levels = [min(int(each), DEPTH - 1) for each in exact]  # proof: exact
        return numpy.array(levels, numpy.uint64)
    part = scores[near]
    with numpy.errstate(all="ignore"):  # proof: silent
        if part.dtype.kind == "f":
            gaps = numpy.minimum(round_down(top) - part, _LARGEST)  # proof: doubles
        else:
            words = part.view(numpy.uint64)
            gaps = numpy.uint64(int(top) % 2**64) - words  # proof: words
        steps = gaps * round_down(mpq(23, 16) / scale)  # proof: steps
    return numpy.minimum(steps, DEPTH - 1).astype(numpy.uint64)  # proof: levels


def as_array(scores: Scores) -> Any:
    """Return the scores as an array of words or doubles; None if they are neither."""
    import numpy

    if not isinstance(scores, Sequence):  # proof: array
        return scores
    if isinstance(scores[0], float):  # proof: floats
        return numpy.fromiter(scores, numpy.float64, len(scores))
    if isinstance(scores[0], int):
        try:
            return numpy.fromiter(scores, numpy.int64, len(scores))  # proof: integers
        except OverflowError:
            return None  # proof: large
    return None
