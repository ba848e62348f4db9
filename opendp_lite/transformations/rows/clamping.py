"""Rows within bounds: numbers are clamped to an interval, vectors clipped to a norm."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from opendp_lite.base.aliases import Array, Bounds, Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.containers import is_array, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, BallDomain, Domain, VectorDomain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import exponent_at_least, floor_multiple, power_of_two
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.transformations.datasets import (
    check_coordinates,
    check_dataset,
    check_numbers,
)
from opendp_lite.transformations.sums.summands import no_grid

_INT64 = (-(2**63), 2**63 - 1)
_UINT64 = (0, 2**64 - 1)


@constructor(proof="transformations/make_clamp", status="vetted")
def make_clamp(
    input_domain: Domain, input_metric: Metric, bounds: Bounds
) -> Transformation:
    """Return the transformation that brings every row into `bounds`.

    Guarantee: with f(x)_i = min(max(x_i, L), U), where (L, U) is `bounds`,
    d(x, x') <= d_in implies d(f(x), f(x')) <= d_in, and L <= f(x)_i <= U. The distance
    may count rows, or be that of aggregates, vectors of numbers, in L1, L2 or LInf.

    Where the input domain has bounds of its own, those of the output domain are the
    images of its ends. A zero among floats comes out as 0.0, never -0.0.

    :param input_domain: vector_domain of int, float (no NaN) or Fraction
    :param input_metric: a metric that counts rows, such as symmetric_distance(), or
        l1_distance, l2_distance or linf_distance
    :param bounds: the lower and the upper end, which belong to the interval

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> clamp = space >> dp.t.then_clamp((0, 10))
    >>> clamp([-5, 3, 99]), clamp.map(1), clamp.output_domain
    ([0, 3, 10], 1, VectorDomain(AtomDomain(bounds=(0, 10), T=int)))

    Lists come out as lists and arrays as arrays: of float64, of int64, or of uint64
    where dtype and bounds allow rows above int64. Bounds that lie wholly beyond both
    leave one value only, which no array holds: then arrays come out as lists.

    Raises `MakeTransformation` for another space, `MakeDomain` for bad bounds.

    Proof: proofs/transformations/make_clamp.tex
    """
    domain = check_coordinates(input_domain, input_metric)  # proof: space
    element = check_numbers(domain)  # proof: numbers
    T = element.T
    carrier = "f32" if element.single else T
    wanted = AtomDomain(bounds, False, carrier).bounds  # proof: bounds
    if wanted is None:  # proof: pair
        rule, fix = "must be a pair", "Pass (lower, upper), such as (0, 10)"
        raise refusal("MakeTransformation", "bounds", bounds, rule, fix)
    lower, upper = wanted
    zero = T(0)
    if element.bounds is not None:  # proof: image
        lower, upper = (min(max(end, lower), upper) for end in element.bounds)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _clamp_array(arg, lower, upper)  # proof: array
        # -0.0 equals 0.0 but is another row: adding 0 leaves one of them.
        rows = map(T, arg)  # proof: list
        return [lower if x < lower else upper if x > upper else x + zero for x in rows]

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    # Whether an array holds what the bounds leave of one, see _clamp_array.
    fits = T is not int or (lower <= _UINT64[1] and upper >= _INT64[0])  # proof: fits
    output_domain = VectorDomain(  # proof: output
        AtomDomain((lower, upper), False, carrier), domain.size
    )
    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=fits,  # proof: by-rows
        clamps=T in (int, float),  # proof: clamps
    )


then_clamp = then(make_clamp)


def _clamp_array(array: Array, lower: Any, upper: Any) -> Any:
    """Return a new array, of float64, int64 or uint64, with the rows clamped.

    It is a list if the bounds lie beyond int64 and uint64, and all rows end at one.
    """
    import numpy

    if array.dtype.kind == "f":  # proof: floats
        clamped = numpy.clip(array.astype(numpy.float64, copy=False), lower, upper)
        clamped += 0.0  # proof: zero
        return clamped
    least, greatest = numpy.iinfo(array.dtype).min, numpy.iinfo(array.dtype).max
    low, high = (min(max(end, lower), upper) for end in (least, greatest))
    if low < _INT64[0] or high > _UINT64[1]:
        return [low] * len(array)  # proof: beyond
    kind = numpy.int64 if high <= _INT64[1] else numpy.uint64  # proof: kind
    if high <= _INT64[1] < greatest:  # a row above int64, and so above high, ends there
        array = numpy.minimum(array, _INT64[1])  # proof: unsigned
    rows = array.astype(kind, copy=False)  # proof: convert
    # A copy is overwritten, but never the array that was given.
    out = None if array.dtype == kind else rows  # proof: out
    return numpy.clip(rows, low, high, out=out)  # proof: clip


_MAKE = "MakeTransformation"
_TOP = math.ldexp(2**53 - 1, 971)  # the greatest double
_LEAST = Fraction(1, 2**1074)
# Sums of squares up to the square of this fit into int64.
_SMALL = 2**31
# Up to so many columns, and below such a sum, a bound on roundings holds.
_COLUMNS = 2**20
_HUGE = 2.0**900


@constructor(proof="transformations/make_clip_rows", status="vetted")
def make_clip_rows(
    input_domain: Domain,
    input_metric: Metric,
    norm: ExactNumber,
    p: ExactNumber = 2,
    *,
    k: int | None = None,
) -> Transformation:
    """Return the transformation that shortens every row, a vector, to a norm.

    Guarantee: with g = 2^k, s = rint(v / g) for each entry v of a row (k = 0 for
    integers), and C = floor(c / g), where c is `norm`, a row comes out as the s g if
    |s|_p <= C, and otherwise as the sign(s) floor(|s| C / |s|_p) g. So each row that
    comes out has |v|_p <= c, exactly, and d(x, x') <= d_in implies
    d(f(x), f(x')) <= d_in.

    Entries are rounded toward 0 where a row is shortened, so that its norm cannot pass
    c by a rounding. An infinite entry counts as the greatest float of its sign. What
    comes out suits `make_sum`.

    :param input_domain: vector_domain of vector_domain(..., size=columns) of int, float
        (no NaN) or Fraction; a matrix is a member
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param norm: c > 0, exact: int, float, Fraction, Decimal or text; for floats and
        Fractions from 2^-1074 to the greatest float
    :param p: 1 for the sum of the absolute values, 2 for the root of that of squares
    :param k: exponent of the grid, for floats and Fractions. By default 2^k is 2^-30 of
        the least power of two that is at least c

    >>> import opendp_lite.prelude as dp
    >>> points = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=2)
    >>> space = dp.vector_domain(points), dp.symmetric_distance()
    >>> clip = space >> dp.t.then_clip_rows(norm=1.0)
    >>> clip([[3.0, 4.0], [0.25, -0.5]]), clip.map(1)
    ([[0.599999999627471, 0.7999999998137355], [0.25, -0.5]], 1)

    Lists come out as lists of lists, and matrices as matrices of float64 or int64; of
    uint64 where that dtype came in and c is 2^63 or more.

    Raises `MakeTransformation` for another space or grid, `MakeDomain` for a bad norm.

    Proof: proofs/transformations/make_clip_rows.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    T, columns = _entries_of(domain)  # proof: rows
    ball = BallDomain(AtomDomain(None, False, T), columns, norm, p)  # proof: ball
    power, limit = ball.p, to_mpq(ball.norm)
    if limit == 0:  # proof: positive
        rule, fix = "must be above 0", "Pass for example norm=1.0"
        raise refusal(_MAKE, "norm", norm, rule, fix)
    k = no_grid(k) if T is int else _grid(limit, k)  # proof: grid
    C = floor_multiple(limit, k)  # proof: radius
    unit = to_fraction(power_of_two(k))

    def clip(entries: list[Any]) -> list[Any]:
        if T is int:
            return _shortened(entries, C, power)  # proof: integers
        if T is Fraction:
            steps = [round(x / unit) for x in map(Fraction, entries)]  # proof: fraction
            return [s * unit for s in _shortened(steps, C, power)]
        steps = [_nearest(float(x), k) for x in entries]  # proof: floats
        return [math.ldexp(s, k) for s in _shortened(steps, C, power)]  # proof: back

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _clip_matrix(arg, clip, C, power, k)  # proof: matrix
        return [clip(rows(row)) for row in arg]  # proof: list

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    return Transformation(
        input_domain,
        VectorDomain(ball, domain.size),  # proof: output
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,  # proof: by-rows
    )


then_clip_rows = then(make_clip_rows)


def _entries_of(domain: VectorDomain) -> tuple[type, int]:
    """Return the type of the entries of the rows, and how many a row has."""
    row = domain.element_domain
    if not isinstance(row, VectorDomain) or row.size is None:  # proof: vectors
        rule = "each row must be a vector of a public size"
        fix = "Pass vector_domain(vector_domain(atom_domain(...), size=columns))"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    return check_numbers(row).T, row.size  # proof: numbers


def _grid(norm: Any, k: object) -> int:
    """Return the exponent of the grid: `k` itself, checked, or the default."""
    if not _LEAST <= norm <= _TOP:  # proof: range
        rule, fix = "must lie within the range of floats", "Pass for example norm=1.0"
        raise refusal(_MAKE, "norm", to_fraction(norm), rule, fix)
    e = exponent_at_least(norm)
    if k is None:
        return max(e - 30, -1074)  # proof: default
    fix = "Pass a k with 2^k below the norm, by 2^-53 of it at least, or leave k out"
    lowest, highest = max(e - 53, -1074), max(e - 1, -1074)  # proof: ends
    return integer_argument(  # proof: given
        _MAKE, "k", k, fix=fix, at_least=lowest, at_most=highest
    )


def _nearest(x: float, k: int) -> int:
    """Return rint(x / 2^k), for an infinite x that of the greatest float."""
    x = min(max(x, -_TOP), _TOP)  # proof: finite
    try:
        return round(math.ldexp(x, -k))  # proof: nearest
    except OverflowError:
        n, d = x.as_integer_ratio()
        return (n << -k) // d  # proof: whole


def _shortened(steps: list[int], C: int, p: int) -> list[int]:
    """Return integers whose Lp norm is at most C: these, or rounded toward 0."""
    size = sum(abs(s) ** p for s in steps)  # proof: size
    if size <= C**p:
        return steps  # proof: short
    if p == 1:
        lengths = [abs(s) * C // size for s in steps]  # proof: quotients
    else:
        lengths = [math.isqrt(s * s * C * C // size) for s in steps]  # proof: roots
    return [-t if s < 0 else t for s, t in zip(steps, lengths, strict=True)]


def _clip_matrix(
    array: Array, clip: Callable[[list[Any]], list[Any]], C: int, p: int, k: int
) -> Any:
    """Return a new matrix of the rows, each as `clip` makes it; C is the norm in steps.

    Which rows are short enough is seen at once, and most of the others are shortened at
    once; those of which floats leave a doubt go one by one.
    """
    import numpy

    floats = array.dtype.kind == "f"
    unsigned = array.dtype.kind == "u" and array.dtype.itemsize == 8
    if C >= _SMALL or array.shape[1] > _COLUMNS:
        kind = "float64" if floats else "uint64" if unsigned and C >= 2**63 else "int64"
        clipped = [clip(row) for row in array.tolist()]
        return numpy.array(clipped, kind).reshape(array.shape)  # proof: by-rows
    with numpy.errstate(all="ignore"):
        if floats:
            whole = numpy.rint(numpy.ldexp(array.astype("float64"), -k))  # proof: rint
        else:
            least = numpy.minimum(array, 2**63 - 1) if unsigned else array
            whole = least.astype("int64")  # proof: int64
        steps = numpy.clip(whole, -C - 1, C + 1).astype("int64")  # proof: near
        size = numpy.zeros(len(array), "int64")
        for column in steps.T:
            size = numpy.minimum(size + abs(column) ** p, C**p + 1)  # proof: capped
        long = (size > C**p).nonzero()[0]  # proof: long
        about = (whole if floats else array)[long].astype("float64")  # proof: about
        steps[long], sure = _shortened_at_once(about, C, p)  # proof: shortened
        out = numpy.ldexp(steps.astype("float64"), k) if floats else steps  # proof: out
    for i in long[~sure].tolist():
        out[i] = clip(array[i].tolist())  # proof: doubt
    return out


def _shortened_at_once(rows: Array, C: int, p: int) -> tuple[Any, Any]:
    """Return what `_shortened` makes of rows, as int64, and of which rows this is sure.

    The rows are integers as doubles, each within 2^-53 of its size. A floor is sure if
    what is rounded there is farther from all integers than roundings can bring it.
    """
    import numpy

    sizes, total = numpy.abs(rows), numpy.zeros(len(rows))
    for column in sizes.T:
        total += column if p == 1 else column * column  # proof: total
    norm = numpy.minimum(total, _HUGE)
    if p == 2:
        roots = [math.isqrt(int(x) << 110) for x in norm.tolist()]  # proof: isqrt
        norm = numpy.array([math.ldexp(x, -55) for x in roots])  # proof: root
    lengths = sizes * (C / norm)[:, None]  # proof: lengths
    slack = lengths * ((rows.shape[1] + 8) * 2.0**-52)  # proof: slack
    least = numpy.floor(lengths - slack)
    sure = (least == numpy.floor(lengths + slack)).all(axis=1)  # proof: sure
    return numpy.copysign(least, rows).astype("int64"), sure & (total < _HUGE)
