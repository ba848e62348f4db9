# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/make_clamp; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.clamping:make_clamp ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.containers import is_array
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.transformation import Transformation
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from typing import Any

_INT64 = (-(2**63), 2**63 - 1)
_UINT64 = (0, 2**64 - 1)

def make_clamp(
    input_domain: Domain, input_metric: Metric, bounds: Any
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    element = check_numbers(domain)
    T = element.T
    carrier = "f32" if element.single else T
    wanted = AtomDomain(bounds, False, carrier).bounds
    if wanted is None:
        rule, fix = "must be a pair", "Pass (lower, upper), such as (0, 10)"
        raise refusal("MakeTransformation", "bounds", bounds, rule, fix)
    lower, upper = wanted
    zero = T(0)
    if element.bounds is not None:
        lower, upper = (min(max(end, lower), upper) for end in element.bounds)

    def function(arg: Any) -> Any:
        if is_array(arg):
            return _clamp_array(arg, lower, upper)
        rows = map(T, arg)
        return [lower if x < lower else upper if x > upper else x + zero for x in rows]

    def stability_map(d_in: Any) -> Any:
        return d_in

    fits = T is not int or (lower <= _UINT64[1] and upper >= _INT64[0])
    output_domain = VectorDomain(
        AtomDomain((lower, upper), False, carrier), domain.size
    )
    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=fits,
        clamps=T is float,
    )


# === opendp_lite.transformations.clamping:_clamp_array ===

from typing import Any

_INT64 = (-(2**63), 2**63 - 1)
_UINT64 = (0, 2**64 - 1)

def _clamp_array(array: Any, lower: Any, upper: Any) -> Any:
    import numpy

    if array.dtype.kind == "f":
        clamped = numpy.clip(array.astype(numpy.float64, copy=False), lower, upper)
        clamped += 0.0
        return clamped
    least, greatest = numpy.iinfo(array.dtype).min, numpy.iinfo(array.dtype).max
    low, high = (min(max(end, lower), upper) for end in (least, greatest))
    if low < _INT64[0] or high > _UINT64[1]:
        return [low] * len(array)
    kind = numpy.int64 if high <= _INT64[1] else numpy.uint64
    if high <= _INT64[1] < greatest:
        array = numpy.minimum(array, _INT64[1])
    rows = array.astype(kind, copy=False)
    out = None if array.dtype == kind else rows
    return numpy.clip(rows, low, high, out=out)


# === opendp_lite.transformations.datasets:check_dataset ===

from opendp_lite.core.arguments import check_type
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import ChangeOneDistance
from opendp_lite.core.distance import HammingDistance
from opendp_lite.core.distance import InsertDeleteDistance
from opendp_lite.core.distance import Metric
from opendp_lite.core.distance import SymmetricDistance
from opendp_lite.core.domain import VectorDomain

_VARIANT = "MakeTransformation"
_ROW_METRICS = (
    SymmetricDistance,
    InsertDeleteDistance,
    ChangeOneDistance,
    HammingDistance,
)

def check_dataset(input_domain: Domain, input_metric: Metric) -> VectorDomain:
    fix = "Pass for example vector_domain(atom_domain(T=int))"
    check_type(
        _VARIANT, "input_domain", input_domain, VectorDomain, fix
    )
    fix = "Pass for example symmetric_distance()"
    check_type(
        _VARIANT, "input_metric", input_metric, _ROW_METRICS, fix
    )
    assert isinstance(input_domain, VectorDomain)
    return input_domain


# === opendp_lite.transformations.datasets:check_numbers ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.domain import OptionDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal

_VARIANT = "MakeTransformation"

def check_numbers(domain: VectorDomain) -> AtomDomain:
    element = domain.element_domain
    fix = "Use then_cast_default(TOA=float) first"
    if isinstance(element, OptionDomain):
        rule, fix = (
            "rows may not be missing (None)",
            "Use then_impute_constant(...) first",
        )
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    if not isinstance(element, AtomDomain) or not element.numeric:
        rule = "rows must be numbers of type int, float or Fraction"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    if element.nan:
        rule = "rows may not be NaN"
        fix = "Use then_impute_constant(...) first, or say nan=False in atom_domain"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return element


# === opendp_lite.core.atom:AtomDomain.__init__ ===

from opendp_lite.core.errors import refusal
from typing import Any
import attrs

@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def __init__(self, bounds: Any = None, nan: bool | None = None, T: Any = None):
        element = _element_type(bounds, T)
        if nan is not None and not isinstance(nan, bool):
            rule = "must be True, False or None"
            raise refusal("MakeDomain", "nan", nan, rule, "Say nan=False")
        if nan and element.T is not float:
            rule = f"only floats can be NaN, and T is {element.T.__name__}"
            raise refusal("MakeDomain", "nan", nan, rule, "Leave nan out")
        own = _parse_bounds(bounds, element)
        implied = nan if nan is not None else own is None
        self.__attrs_init__(
            T=element.T,
            bounds=own,
            nan=element.T is float and implied,
            single=element.single,
        )


# === opendp_lite.core.atom:_element_type ===

from fractions import Fraction
from opendp_lite.core.carrier import AtomType
from opendp_lite.core.carrier import parse_atom
from opendp_lite.core.containers import native
from opendp_lite.core.errors import refusal
from typing import Any

def _element_type(bounds: Any, T: Any) -> AtomType:
    if T is not None:
        return parse_atom(T)
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        rule = "is needed when the bounds do not tell it"
        fix = "Pass T=int, float, bool, str or Fraction"
        raise refusal("MakeDomain", "T", T, rule, fix)
    kinds = [type(native(bound)) for bound in bounds]
    for kind in (float, Fraction, int, str):
        if kind in kinds:
            return AtomType(kind)
    rule = "must be two numbers of type int, float or Fraction"
    raise refusal("MakeDomain", "bounds", bounds, rule, "Pass for example (0, 10)")


# === opendp_lite.core.carrier:parse_atom ===

from fractions import Fraction
from opendp_lite.core.errors import refusal
from typing import Any
import types

_NAMED: dict[Any, AtomType] = {
    **{T: AtomType(T) for T in (bool, int, float, str, Fraction)},
    **{T.__name__: AtomType(T) for T in (bool, int, float, str, Fraction)},
    "String": AtomType(str),
    "f64": AtomType(float),
    "f32": AtomType(float, single=True),
    **{f"i{bits}": _sized(bits, True) for bits in (8, 16, 32, 64, 128)},
    **{f"u{bits}": _sized(bits, False) for bits in (8, 16, 32, 64, 128)},
    "isize": _sized(64, True),
    "usize": _sized(64, False),
}
_ATOMS = _NAMED | {atom: atom for atom in _NAMED.values()}
_FIX = "Pass one of bool, int, float, str, Fraction, or a name such as 'i32' or 'f64'"

def parse_atom(descriptor: Any, argument: str = "T") -> AtomType:
    try:
        return _ATOMS[descriptor]
    except (KeyError, TypeError):
        if not isinstance(descriptor, str | type | types.GenericAlias):
            descriptor = type(descriptor)
        raise refusal(
            "TypeParse", argument, descriptor, "is not an element type", _FIX
        ) from None


# === opendp_lite.core.carrier:_sized ===

def _sized(bits: int, signed: bool) -> AtomType:
    top = 1 << (bits - signed)
    return AtomType(int, (-top if signed else 0, top - 1))


# === opendp_lite.core.atom:_parse_bounds ===

from opendp_lite.core.carrier import AtomType
from opendp_lite.core.errors import refusal
from typing import Any

def _parse_bounds(bounds: Any, element: AtomType) -> tuple[Any, Any] | None:
    if bounds is None:
        return element.bounds
    fix = "Pass (lower, upper) with lower <= upper, such as (0, 10)"
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        raise refusal("MakeDomain", "bounds", bounds, "must be a pair", fix)
    if element.T in (bool, str):
        rule = f"only numbers have bounds, and T is {element.T.__name__}"
        raise refusal("MakeDomain", "bounds", bounds, rule, "Leave bounds out")
    lower, upper = (_parse_bound(bounds, bound, element) for bound in bounds)
    if lower > upper:
        raise refusal(
            "MakeDomain", "bounds", bounds, "lower may not be above upper", fix
        )
    if element.bounds is not None:
        low, high = element.bounds
        if lower < low or upper > high:
            rule = f"must be within the type's range {element.bounds}"
            raise refusal("MakeDomain", "bounds", bounds, rule, "Use T=int or narrower")
    return lower, upper


# === opendp_lite.core.atom:_parse_bound ===

from fractions import Fraction
from opendp_lite.core.carrier import AtomType
from opendp_lite.core.errors import refusal
from opendp_lite.core.errors import shown
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.rationals import to_fraction
from typing import Any
import math

def _parse_bound(bounds: Any, bound: Any, element: AtomType) -> Any:
    fix = "Pass finite numbers of the element type, such as (0, 10)"
    try:
        exact = to_extended(bound)
    except (TypeError, ValueError) as error:
        raise refusal("MakeDomain", "bounds", bounds, str(error), fix) from None
    if isinstance(exact, float):
        if element.T is float:
            return exact
        rule = f"bounds of {element.T.__name__} must be finite"
        raise refusal("MakeDomain", "bounds", bounds, rule, fix)
    if element.T is Fraction:
        return to_fraction(exact)
    if element.T is int:
        if exact.denominator != 1:
            raise refusal("MakeDomain", "bounds", bounds, "must be integers", fix)
        return int(exact)
    try:
        value = int(exact.numerator) / int(exact.denominator)
    except OverflowError:
        value = math.inf
    if to_extended(value) != exact or (element.single and not _is_single(value)):
        rule = f"{shown(bound)} is not exactly a float of this type"
        fix = "Pass the float you mean, or use T=Fraction"
        raise refusal("MakeDomain", "bounds", bounds, rule, fix)
    return value + 0.0


# === opendp_lite.core.atom:_is_single ===

import struct

def _is_single(value: float) -> bool:
    try:
        return bool(struct.unpack(">f", struct.pack(">f", value))[0] == value)
    except OverflowError:
        return False
