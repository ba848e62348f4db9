"""Counts of rows by their values, which need not be known beforehand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from opendp_lite.base.aliases import Array, Data, ExactDistance
from opendp_lite.base.containers import all_of_type, is_array, parts, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain, MapDomain
from opendp_lite.core.metrics import (
    AbsoluteDistance,
    L01InfDistance,
    L02InfDistance,
    Metric,
)
from opendp_lite.core.metrics.metric import MetricArgument
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.spaces import metric_of
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.roots import root
from opendp_lite.transformations.counts.tallies import count_type, offsets
from opendp_lite.transformations.datasets import (
    atom_of,
    changed_rows,
    changes_rows,
    check_dataset,
    read_numbers,
)

_MAKE = "MakeTransformation"
_METRICS = (L01InfDistance, L02InfDistance)
# A table of the integers from the least to the greatest is small, if they are so near.
_SPAN = 2**16
_SLACK = 2**10  # a guess of the least integer is lower by so much
_GUESS = 2**62  # and is not larger than this
_CHARACTERS = 8  # of a text that fits into one number


@constructor(proof="transformations/make_count_by", status="vetted")
def make_count_by(
    input_domain: Domain,
    input_metric: Metric,
    TV: TypeArgument = int,
    MO: MetricArgument | None = None,
) -> Transformation:
    """Return the transformation of a data set into a map from its values to counts.

    The values need not be known beforehand. Which of them occur is as secret as how
    often, so that what follows is a threshold, such as `then_laplace_threshold`.

    Guarantee: let m be min(d_in, n) under the change-one and the Hamming distance, and
    min(floor(d_in / 2), n) under the symmetric and the insert-delete distance, n being
    the number of rows where it is public and infinite otherwise. The maps of data sets
    at distance at most d_in are at distance at most

    * (2 m, 2 m, m) in (L0, L1, LInf), and (2 m, sqrt(2) m, m), exactly, in
      (L0, L2, LInf), where data sets have one size (n is public, or rows are changed
      and d_in is finite),
    * (d_in, d_in, d_in) in both otherwise.

    Rows are compared by value: 0.0 and -0.0 are one key, as are 1 and 1.0 in rows of
    floats, and None is one. Keys come out in the type of the rows.

    :param input_domain: vector_domain of an atom_domain without NaN, or of an
        option_domain of one
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param TV: type of the counts: int, a sized type such as "i32", at whose greatest
        value counts stop, or float, which stops at 2^53
    :param MO: the metric of the maps: L01InfDistance, which Laplace noise needs and
        None stands for, or L02InfDistance, for Gaussian noise

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> counts = space >> dp.t.then_count_by()
    >>> counts(["a", "b", "a"]), counts.map(1)
    ({'a': 2, 'b': 1}, (1, 1, 1))
    >>> noisy = counts >> dp.m.then_laplace_threshold(scale=1, threshold=30)
    >>> list(noisy(["often"] * 1000 + ["once"])), noisy.map(1)
    (['often'], (1.0, 1.8595...e-13))

    Raises `MakeTransformation` for another space, metric or type, and for rows that
    may be NaN.

    Proof: proofs/transformations/make_count_by.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    atom, n = atom_of(domain), domain.size  # proof: atoms
    if atom.nan:  # proof: nan
        rule = "rows may not be NaN, which is no key"
        fix = "Use then_impute_constant(...) first, or say nan=False in atom_domain"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    output, top = count_type("TV", TV)  # proof: type
    metric = _check_metric(MO, output.T)  # proof: metric
    squares = isinstance(metric, L02InfDistance)

    def function(arg: Data) -> dict[Any, Any]:
        return _stopped(key_counts(arg, atom.T), output.T, top)  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        if n is None and (d_in == math.inf or not changes_rows(input_metric)):
            return d_in, d_in, d_in  # proof: added
        m = changed_rows(input_metric, n, d_in)  # proof: rows
        return 2 * m, root(2 * m * m) if squares else 2 * m, m  # proof: changed

    return Transformation(
        input_domain,
        MapDomain(domain.element_domain, output),  # proof: maps
        function,
        input_metric,
        metric,
        stability_map,
        merge=_merger(output.T, top),  # proof: merge
    )


then_count_by = then(make_count_by)


def _check_metric(MO: MetricArgument | None, T: type) -> Metric:
    """Return the metric of maps to counts of type `T`."""
    metric = L01InfDistance(AbsoluteDistance(T)) if MO is None else metric_of(MO, "MO")
    if type(metric) not in _METRICS:  # proof: kinds
        rule = "must be L01InfDistance or L02InfDistance"
        fix = "Leave it out, or pass l02inf_distance(absolute_distance(T=int))"
        raise refusal(_MAKE, "MO", MO, rule, fix)
    return metric


def _stopped(counts: dict[Any, int], T: type, top: Any) -> dict[Any, Any]:
    """Return the same map to numbers of type `T`, none above `top`."""
    return {key: T(min(count, top)) for key, count in counts.items()}  # proof: stop


def _merger(T: type, top: Any) -> Callable[[Iterable[Any]], Any]:
    """Return the function that joins the maps of the parts, key by key."""

    def merge(maps: Iterable[dict[Any, Any]]) -> dict[Any, Any]:
        total: dict[Any, int] = {}
        for each in list(maps):  # proof: all
            _add(total, each.keys(), map(int, each.values()))  # proof: sums
        return _stopped(total, T, top)  # proof: stopped

    return merge


def key_counts(data: Data, T: type) -> dict[Any, int]:
    """Return how many rows have each value that occurs, as a key of type `T`, or None.

    The rows are atoms of the type `T`, without NaN, or None.
    """
    array = is_array(data)
    counts = _entry_counts(data) if array else _row_counts(data, T)  # proof: counts
    if T is float:
        return {_double(key): count for key, count in counts.items()}  # proof: doubles
    if T is Fraction:
        return {_fraction(key): count for key, count in counts.items()}  # proof: exact
    return dict(counts)  # proof: plain


def _row_counts(data: list[Data], T: type) -> dict[Any, int]:
    """Return how many rows of a list have each value."""
    numbers = read_numbers(data, T) if T is int else None  # proof: read
    if numbers is not None:
        least, greatest = int(numbers.min()), int(numbers.max())
        if greatest - least <= _SPAN:  # proof: near
            keys, counts = _table_counts(offsets(numbers, least), least)
            return dict(zip(keys, counts, strict=True))  # proof: table
    return Counter(data if all_of_type(data, T) else rows(data))  # proof: list


def _double(key: Any) -> Any:
    return None if key is None else float(key) + 0.0  # proof: zero


def _fraction(key: Any) -> Any:
    return None if key is None else Fraction(key)  # proof: equal


def _entry_counts(array: Array) -> dict[Any, int]:
    """Return how many entries of an array without NaN have each value."""
    import numpy

    if array.dtype.kind == "b":
        true = int(numpy.count_nonzero(array))
        both = {True: true, False: len(array) - true}
        return {key: count for key, count in both.items() if count}  # proof: truths
    total: dict[Any, int] = {}
    guess = 0
    for part in parts(array):
        keys, counts = _part_counts(part, guess)
        _add(total, keys, counts)  # proof: parts
        if array.dtype == numpy.int64 and keys:
            guess = keys[0] - _SLACK  # most parts begin near where the last one did
    return total


def _add(total: dict[Any, int], keys: Iterable[Any], counts: Iterable[int]) -> None:
    """Add to the counts in `total`."""
    for key, count in zip(keys, counts, strict=True):
        total[key] = total.get(key, 0) + count  # proof: added


def _part_counts(part: Array, guess: int) -> tuple[list[Any], list[int]]:
    """Return the different entries of a part, and how often each occurs.

    The guess, a number that int64 are not much above, saves a look at the extremes.
    """
    import numpy

    if part.dtype.kind == "U":
        return _text_counts(part)  # proof: text
    if part.dtype == numpy.int64 and len(part) and abs(guess) <= _GUESS:
        places = part - numpy.int64(guess)  # modulo 2^64
        if int(places.view(numpy.uint64).max()) <= _SPAN:  # proof: guessed
            return _table_counts(places, guess)  # proof: above-guess
    if part.dtype.kind != "f" and len(part):
        least, greatest = int(part.min()), int(part.max())
        if greatest - least <= _SPAN:  # proof: near
            return _table_counts(offsets(part, least), least)  # proof: above-least
    return _sorted_counts(part)  # proof: sorted


def _table_counts(places: Array, least: int) -> tuple[list[int], list[int]]:
    """As `_part_counts`, of integers by how much they are above `least`."""
    import numpy

    table = numpy.bincount(places)  # proof: table
    found = numpy.flatnonzero(table)
    keys = [least + place for place in found.tolist()]  # proof: keys
    return keys, table[found].tolist()  # proof: counted


def _sorted_counts(part: Array) -> tuple[list[Any], list[int]]:
    """As `_part_counts`, of numbers, by sorting."""
    import numpy

    ordered, new = numpy.sort(part), numpy.ones(len(part), bool)  # proof: ordered
    new[1:] = ordered[1:] != ordered[:-1]  # proof: new
    firsts = numpy.flatnonzero(new)
    counts = numpy.diff(firsts, append=len(part))  # proof: lengths
    return ordered[firsts].tolist(), counts.tolist()  # proof: runs


def _text_counts(part: Array) -> tuple[list[str], list[int]]:
    """As `_part_counts`, of text: short text is sorted as numbers."""
    import numpy

    width = part.dtype.itemsize // 4  # proof: width
    if 0 < width <= _CHARACTERS and len(part):
        bits = 64 // width
        own = numpy.ascontiguousarray(part, part.dtype.newbyteorder("="))
        codes = own.view(numpy.uint32).reshape(-1, width)  # proof: codes
        if int(codes.max()) < 1 << bits:  # proof: fits
            words = codes[:, 0].astype(numpy.uint64)
            for column in range(1, width):
                words = words << numpy.uint64(bits) | codes[:, column]  # proof: packed
            found, counts = _sorted_counts(words)  # proof: words
            return [_text(word, width, bits) for word in found], counts
    listed = Counter(part.tolist())  # proof: long
    return list(listed.keys()), list(listed.values())


def _text(word: int, width: int, bits: int) -> str:
    """Return the text whose characters have been packed into a number."""
    shifts = range(bits * (width - 1), -1, -bits)
    letters = [chr(word >> shift & ((1 << bits) - 1)) for shift in shifts]
    return "".join(letters).rstrip("\0")  # proof: letters
