# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.clipping; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from fractions import Fraction
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.ball import BallDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from opendp_lite.transformations.sums.summands import no_grid
from typing import Any
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeTransformation"
_TOP = math.ldexp(2**53 - 1, 971)
_LEAST = Fraction(1, 2**1074)
_SMALL = 2**31
_COLUMNS = 2**20
_HUGE = 2.0**900


# === make_clip_rows with Fraction, Data, ExactDistance, ExactNumber, is_array, rows,
#    refusal, AtomDomain, BallDomain, Domain, VectorDomain, Metric, Transformation,
#    floor_multiple, power_of_two, to_fraction, to_mpq, check_dataset, no_grid, Any,
#    math, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE
def make_clip_rows(
    input_domain: Domain,
    input_metric: Metric,
    norm: ExactNumber,
    p: ExactNumber = 2,
    *,
    k: int | None = None,
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    T, columns = _entries_of(domain)
    ball = BallDomain(AtomDomain(None, False, T), columns, norm, p)
    power, limit = ball.p, to_mpq(ball.norm)
    if limit == 0:
        rule, fix = "must be above 0", "Pass for example norm=1.0"
        raise refusal(_MAKE, "norm", norm, rule, fix)
    k = no_grid(k) if T is int else _grid(limit, k)
    C = floor_multiple(limit, k)
    unit = to_fraction(power_of_two(k))

    def clip(entries: list[Any]) -> list[Any]:
        if T is int:
            return _shortened(entries, C, power)
        if T is Fraction:
            steps = [round(x / unit) for x in map(Fraction, entries)]
            return [s * unit for s in _shortened(steps, C, power)]
        steps = [_nearest(float(x), k) for x in entries]
        return [math.ldexp(s, k) for s in _shortened(steps, C, power)]

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _clip_matrix(arg, clip, C, power, k)
        return [clip(rows(row)) for row in arg]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        input_domain,
        VectorDomain(ball, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,
    )


# === _entries_of with refusal, VectorDomain, check_numbers, _MAKE
def _entries_of(domain: VectorDomain) -> tuple[type, int]:
    row = domain.element_domain
    if not isinstance(row, VectorDomain) or row.size is None:
        rule = "each row must be a vector of a public size"
        fix = "Pass vector_domain(vector_domain(atom_domain(...), size=columns))"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    return check_numbers(row).T, row.size


# === _grid with Fraction, integer_argument, refusal, exponent_at_least, to_fraction,
#    Any, math, _MAKE, _TOP, _LEAST
def _grid(norm: Any, k: object) -> int:
    if not _LEAST <= norm <= _TOP:
        rule, fix = "must lie within the range of floats", "Pass for example norm=1.0"
        raise refusal(_MAKE, "norm", to_fraction(norm), rule, fix)
    e = exponent_at_least(norm)
    if k is None:
        return max(e - 30, -1074)
    fix = "Pass a k with 2^k below the norm, by 2^-53 of it at least, or leave k out"
    lowest, highest = max(e - 53, -1074), max(e - 1, -1074)
    return integer_argument(
        _MAKE, "k", k, fix=fix, at_least=lowest, at_most=highest
    )


# === _nearest with math, _TOP
def _nearest(x: float, k: int) -> int:
    x = min(max(x, -_TOP), _TOP)
    try:
        return round(math.ldexp(x, -k))
    except OverflowError:
        n, d = x.as_integer_ratio()
        return (n << -k) // d


# === _shortened with math
def _shortened(steps: list[int], C: int, p: int) -> list[int]:
    size = sum(abs(s) ** p for s in steps)
    if size <= C**p:
        return steps
    if p == 1:
        lengths = [abs(s) * C // size for s in steps]
    else:
        lengths = [math.isqrt(s * s * C * C // size) for s in steps]
    return [-t if s < 0 else t for s, t in zip(steps, lengths, strict=True)]


# === _clip_matrix with Callable, Array, Any, ?, _SMALL, _COLUMNS
def _clip_matrix(
    array: Array, clip: Callable[[list[Any]], list[Any]], C: int, p: int, k: int
) -> Any:
    import numpy

    floats = array.dtype.kind == "f"
    unsigned = array.dtype.kind == "u" and array.dtype.itemsize == 8
    if C >= _SMALL or array.shape[1] > _COLUMNS:
        kind = "float64" if floats else "uint64" if unsigned and C >= 2**63 else "int64"
        clipped = [clip(row) for row in array.tolist()]
        return numpy.array(clipped, kind).reshape(array.shape)
    with numpy.errstate(all="ignore"):
        if floats:
            whole = numpy.rint(numpy.ldexp(array.astype("float64"), -k))
        else:
            least = numpy.minimum(array, 2**63 - 1) if unsigned else array
            whole = least.astype("int64")
        steps = numpy.clip(whole, -C - 1, C + 1).astype("int64")
        size = numpy.zeros(len(array), "int64")
        for column in steps.T:
            size = numpy.minimum(size + abs(column) ** p, C**p + 1)
        long = (size > C**p).nonzero()[0]
        about = (whole if floats else array)[long].astype("float64")
        steps[long], sure = _shortened_at_once(about, C, p)
        out = numpy.ldexp(steps.astype("float64"), k) if floats else steps
    for i in long[~sure].tolist():
        out[i] = clip(array[i].tolist())
    return out


# === _shortened_at_once with Array, Any, math, ?, _HUGE
def _shortened_at_once(rows: Array, C: int, p: int) -> tuple[Any, Any]:
    import numpy

    sizes, total = numpy.abs(rows), numpy.zeros(len(rows))
    for column in sizes.T:
        total += column if p == 1 else column * column
    norm = numpy.minimum(total, _HUGE)
    if p == 2:
        roots = [math.isqrt(int(x) << 110) for x in norm.tolist()]
        norm = numpy.array([math.ldexp(x, -55) for x in roots])
    lengths = sizes * (C / norm)[:, None]
    slack = lengths * ((rows.shape[1] + 8) * 2.0**-52)
    least = numpy.floor(lengths - slack)
    sure = (least == numpy.floor(lengths + slack)).all(axis=1)
    return numpy.copysign(least, rows).astype("int64"), sure & (total < _HUGE)
