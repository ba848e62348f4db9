# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/fitting; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.core.atom:Domain.contains ===

from opendp_lite.core.own import Described

class Domain(Described):
    def contains(self, other: Domain) -> bool:
        return self == other


# === opendp_lite.core.atom:Domain.member ===

from opendp_lite.core.own import Described
from typing import Any

class Domain(Described):
    def member(self, value: Any) -> bool:
        raise TypeError(f"{type(self).__name__} does not say what its members are")


# === opendp_lite.core.atom:Domain.all_members ===

from opendp_lite.core.own import Described
from typing import Any

class Domain(Described):
    def all_members(self, values: list[Any]) -> bool:
        return all(map(self.member, values))


# === opendp_lite.core.atom:AtomDomain.member ===

from fractions import Fraction
from opendp_lite.core.containers import native
from opendp_lite.core.containers import scalar_kind
from typing import Any
import attrs

_EXACT_INTEGERS = 2**53
_ARRAY_KINDS = {bool: "b", int: "iu", float: "f", str: "U", Fraction: ""}
_PLAIN_TYPES: dict[type, set[type]] = {
    bool: {bool},
    int: {int},
    float: {float, int},
    str: {str},
    Fraction: {Fraction, int},
}

@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def member(self, value: Any) -> bool:
        T, bounds = self.T, self.bounds
        if T is float and type(value) is int:
            if not -_EXACT_INTEGERS <= value <= _EXACT_INTEGERS:
                return False
            value = float(value)
        elif type(value) is not T or T is Fraction:
            kind = scalar_kind(value)
            if kind is not None and kind not in _ARRAY_KINDS[T]:
                return False
            value = native(value)
            if type(value) not in _PLAIN_TYPES[T] or not _of_integers(value):
                return False
        if T is float:
            if value != value:
                return self.nan
            if self.single and not _is_single(value):
                return False
        return bounds is None or bounds[0] <= value <= bounds[1]


# === opendp_lite.core.atom:AtomDomain.all_members ===

from fractions import Fraction
from typing import Any
import attrs
import math

_EXACT_INTEGERS = 2**53
_PLAIN_TYPES: dict[type, set[type]] = {
    bool: {bool},
    int: {int},
    float: {float, int},
    str: {str},
    Fraction: {Fraction, int},
}

@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def all_members(self, values: list[Any]) -> bool:
        kinds = set(map(type, values))
        plain = kinds <= _PLAIN_TYPES[self.T] and Fraction not in kinds
        if not values or self.single or not plain:
            return all(map(self.member, values))
        if self.T is float and int in kinds:
            integers = values if len(kinds) == 1 else [*filter(_is_int, values)]
            if min(integers) < -_EXACT_INTEGERS or max(integers) > _EXACT_INTEGERS:
                return False
        if float in kinds and not self.nan and any(map(math.isnan, values)):
            return False
        if self.bounds is None:
            return True
        lower, upper = self.bounds
        if self.nan:
            return all(lower <= x <= upper or x != x for x in values)
        return bool(lower <= min(values) and max(values) <= upper)


# === opendp_lite.core.atom:AtomDomain.all_array_members ===

from fractions import Fraction
from opendp_lite.core.containers import all_binary32
from opendp_lite.core.containers import all_characters
from opendp_lite.core.containers import array_extremes
from opendp_lite.core.containers import has_nan
from typing import Any
import attrs

_ARRAY_KINDS = {bool: "b", int: "iu", float: "f", str: "U", Fraction: ""}

@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def all_array_members(self, array: Any) -> bool:
        if array.dtype.kind not in _ARRAY_KINDS[self.T] or (
            array.dtype.kind == "f" and array.dtype.char not in "efd"
        ):
            return False
        if self.T is str:
            return all_characters(array)
        if array.size == 0 or self.T is bool:
            return True
        if self.single and array.dtype.itemsize > 4 and not all_binary32(array):
            return False
        if self.bounds is None:
            return self.T is int or self.nan or not has_nan(array)
        if self.T is int and self._holds_all_of(array.dtype):
            return True
        least, greatest, some_nan = array_extremes(array)
        if some_nan and not self.nan:
            return False
        if least != least:
            return True
        return bool(self.bounds[0] <= least and greatest <= self.bounds[1])


# === opendp_lite.core.atom:AtomDomain._holds_all_of ===

from typing import Any
import attrs

@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    bounds: tuple[Any, Any] | None
    def _holds_all_of(self, dtype: Any) -> bool:
        assert self.bounds is not None
        signed = dtype.kind == "i"
        top = 1 << 8 * dtype.itemsize - signed
        return bool(
            self.bounds[0] <= (-top if signed else 0) and top - 1 <= self.bounds[1]
        )


# === opendp_lite.core.atom:AtomDomain.contains ===

from typing import Any
import attrs

@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, AtomDomain) or other.T is not self.T:
            return False
        if (other.nan and not self.nan) or (self.single and not other.single):
            return False
        if self.bounds is None:
            return True
        if other.bounds is None:
            return False
        return bool(
            self.bounds[0] <= other.bounds[0] and other.bounds[1] <= self.bounds[1]
        )


# === opendp_lite.core.atom:AtomDomain.numeric ===

from fractions import Fraction
import attrs

@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    @property
    def numeric(self) -> bool:
        return self.T in (int, float, Fraction)


# === opendp_lite.core.atom:_of_integers ===

from fractions import Fraction
from typing import Any

def _of_integers(value: Any) -> bool:
    return type(value) is not Fraction or (
        type(value.numerator) is int and type(value.denominator) is int
    )


# === opendp_lite.core.atom:_is_int ===

def _is_int(value: object) -> bool:
    return type(value) is int


# === opendp_lite.core.atom:_is_single ===

import struct

def _is_single(value: float) -> bool:
    try:
        return bool(struct.unpack(">f", struct.pack(">f", value))[0] == value)
    except OverflowError:
        return False


# === opendp_lite.core.containers:_numpy ===

from typing import Any
import sys

def _numpy() -> Any:
    return sys.modules.get("numpy")


# === opendp_lite.core.containers:is_array ===

def is_array(value: object) -> bool:
    numpy = _numpy()
    return numpy is not None and type(value) in (numpy.ndarray, numpy.memmap)


# === opendp_lite.core.containers:scalar_kind ===

def scalar_kind(value: object) -> str | None:
    numpy = _numpy()
    if numpy is None or not issubclass(type(value), numpy.generic):
        return None
    dtype = numpy.generic.dtype.__get__(value)
    if dtype.type is not type(value) or (dtype.kind in "iuf" and dtype.itemsize > 8):
        return None
    return str(dtype.kind)


# === opendp_lite.core.containers:native ===

from typing import Any

def native(value: Any) -> Any:
    return value.item() if scalar_kind(value) is not None else value


# === opendp_lite.core.containers:rows ===

from typing import Any

def rows(data: Any) -> list[Any]:
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]


# === opendp_lite.core.containers:all_binary32 ===

from typing import Any

def all_binary32(array: Any) -> bool:
    numpy, step = _numpy(), 1 << 20
    with numpy.errstate(all="ignore"):
        for start in range(0, array.size, step):
            part = array[start : start + step]
            if not ((part.astype(numpy.float32) == part) | (part != part)).all():
                return False
    return True


# === opendp_lite.core.containers:all_characters ===

from typing import Any
import sys

def all_characters(array: Any) -> bool:
    numpy, step = _numpy(), 1 << 20
    code = numpy.dtype("u4").newbyteorder(array.dtype.byteorder)
    for start in range(0, array.size if array.dtype.itemsize else 0, step):
        part = numpy.ascontiguousarray(array[start : start + step])
        if part.view(code).max() > sys.maxunicode:
            return False
    return True


# === opendp_lite.core.containers:array_extremes ===

from typing import Any

def array_extremes(array: Any) -> tuple[Any, Any, bool]:
    if array.dtype.kind != "f":
        return int(array.min()), int(array.max()), False
    numpy = _numpy()
    with numpy.errstate(all="ignore"):
        least, greatest = array.min(), array.max()
        some_nan = bool(numpy.isnan(least))
        if some_nan and (numbers := array[~numpy.isnan(array)]).size:
            least, greatest = numbers.min(), numbers.max()
    return float(least), float(greatest), some_nan


# === opendp_lite.core.containers:has_nan ===

from typing import Any

def has_nan(array: Any) -> bool:
    numpy = _numpy()
    with numpy.errstate(all="ignore"):
        return bool(numpy.isnan(array.min()))


# === opendp_lite.core.domain:VectorDomain.member ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.containers import is_array
from typing import Any
import attrs

@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=_public_size)
    def member(self, value: Any) -> bool:
        if is_array(value):
            element = self.element_domain
            if value.ndim != 1 or not isinstance(element, AtomDomain):
                return False
            if self.size is not None and value.size != self.size:
                return False
            return element.all_array_members(value)
        if type(value) is not list:
            return False
        if self.size is not None and len(value) != self.size:
            return False
        return self.element_domain.all_members(value)


# === opendp_lite.core.domain:VectorDomain.contains ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
import attrs

@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=_public_size)
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, VectorDomain) or self.size not in (None, other.size):
            return False
        mine, theirs = self.element_domain, other.element_domain
        arrays = isinstance(mine, AtomDomain) == isinstance(theirs, AtomDomain)
        return arrays and mine.contains(theirs)


# === opendp_lite.core.domain:OptionDomain.member ===

from opendp_lite.core.atom import Domain
from typing import Any
import attrs

@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def member(self, value: Any) -> bool:
        return value is None or self.element_domain.member(value)


# === opendp_lite.core.domain:OptionDomain.all_members ===

from opendp_lite.core.atom import Domain
from typing import Any
import attrs

@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def all_members(self, values: list[Any]) -> bool:
        return self.element_domain.all_members([v for v in values if v is not None])


# === opendp_lite.core.domain:OptionDomain.contains ===

from opendp_lite.core.atom import Domain
import attrs

@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def contains(self, other: Domain) -> bool:
        inner = other.element_domain if isinstance(other, OptionDomain) else other
        return self.element_domain.contains(inner)


# === opendp_lite.core.domain:MapDomain.member ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.containers import native
from typing import Any
import attrs

@attrs.frozen(repr=False)
class MapDomain(Domain):
    key_domain: Domain
    value_domain: Domain
    def member(self, value: Any) -> bool:
        return (
            type(value) is dict
            and self.key_domain.all_members(list(value.keys()))
            and self.value_domain.all_members(list(value.values()))
            and len(set(map(native, value))) == len(value)
        )


# === opendp_lite.core.domain:MapDomain.contains ===

from opendp_lite.core.atom import Domain
import attrs

@attrs.frozen(repr=False)
class MapDomain(Domain):
    key_domain: Domain
    value_domain: Domain
    def contains(self, other: Domain) -> bool:
        return (
            isinstance(other, MapDomain)
            and self.key_domain.contains(other.key_domain)
            and self.value_domain.contains(other.value_domain)
        )


# === opendp_lite.core.domain:BitVectorDomain.member ===

from opendp_lite.core.atom import Domain
from typing import Any
import attrs

@attrs.frozen(repr=False)
class BitVectorDomain(Domain):
    max_weight: int | None = attrs.field(default=None, converter=_public_weight)
    size: int | None = attrs.field(default=None, converter=_public_size)
    def member(self, value: Any) -> bool:
        if type(value) is not bytes:
            return False
        bits = int.from_bytes(value, "big")
        if self.size is not None:
            padding = -self.size % 8
            if 8 * len(value) != self.size + padding or bits & ((1 << padding) - 1):
                return False
        return self.max_weight is None or bits.bit_count() <= self.max_weight


# === opendp_lite.core.domain:BitVectorDomain.contains ===

from opendp_lite.core.atom import Domain
import attrs

@attrs.frozen(repr=False)
class BitVectorDomain(Domain):
    max_weight: int | None = attrs.field(default=None, converter=_public_weight)
    size: int | None = attrs.field(default=None, converter=_public_size)
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, BitVectorDomain):
            return False
        if self.size not in (None, other.size):
            return False
        if self.max_weight is None:
            return True
        return other.max_weight is not None and other.max_weight <= self.max_weight


# === opendp_lite.core.domain:UserDomain.member ===

from collections.abc import Callable
from opendp_lite.core.atom import Domain
from typing import Any
import attrs

@attrs.frozen(repr=False)
class UserDomain(Domain):
    test: Callable[[Any], bool] = attrs.field(eq=False)
    def member(self, value: Any) -> bool:
        try:
            return bool(self.test(value))
        except Exception:
            return False


# === opendp_lite.core.distance:Metric.matches ===

from opendp_lite.core.own import Described

class Metric(Described):
    def matches(self, other: Metric) -> bool:
        return self == other


# === opendp_lite.core.metric:_NumberMetric.matches ===

from opendp_lite.core.distance import Metric
import attrs

@attrs.frozen(repr=False)
class _NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def matches(self, other: Metric) -> bool:
        if type(self) is not type(other) or not isinstance(other, _NumberMetric):
            return False
        return (self.T is int) == (other.T is int)


# === opendp_lite.core.metric:gap ===

from gmpy2 import mpq
from opendp_lite.core.containers import native
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def gap(x: Any, y: Any) -> Extended:
    x, y = native(x), native(y)
    if x == y:
        return 0
    if x in (math.inf, -math.inf) or y in (math.inf, -math.inf):
        return math.inf
    if isinstance(x, int) and isinstance(y, int):
        return abs(x - y)
    difference: mpq = to_mpq(x) - to_mpq(y)
    return abs(difference)


# === opendp_lite.core.metric:_vector_gaps ===

from opendp_lite.core.containers import rows
from opendp_lite.exact.rationals import Extended
from typing import Any

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _vector_gaps(x: Any, y: Any) -> list[Extended] | None:
    left, right = rows(x), rows(y)
    if len(left) != len(right):
        return None
    return [gap(a, b) for a, b in zip(left, right, strict=True)]


# === opendp_lite.core.metric:_sum_of_squares ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _sum_of_squares(gaps: list[Extended]) -> mpq:
    return sum((mpq(each) * mpq(each) for each in gaps), mpq(0))


# === opendp_lite.core.metric:AbsoluteDistance.distance ===

from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class AbsoluteDistance(_NumberMetric):
    def distance(self, x: Any, y: Any) -> Extended:
        return gap(x, y)


# === opendp_lite.core.metric:L1Distance.distance ===

from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class L1Distance(_NumberMetric):
    def distance(self, x: Any, y: Any) -> Extended:
        gaps = _vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum(gaps)


# === opendp_lite.core.metric:L2Distance.squared ===

from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class L2Distance(_NumberMetric):
    def squared(self, x: Any, y: Any) -> Extended:
        gaps = _vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return _sum_of_squares(gaps)


# === opendp_lite.core.metric:LInfDistance.distance ===

from opendp_lite.core.containers import rows
from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class LInfDistance(_NumberMetric):
    monotonic: bool = False
    def distance(self, x: Any, y: Any) -> Extended:
        gaps = _vector_gaps(x, y)
        if gaps is None:
            return math.inf
        if self.monotonic:
            pairs = list(zip(rows(x), rows(y), strict=True))
            if any(a < b for a, b in pairs) and any(a > b for a, b in pairs):
                return math.inf
        return max(gaps, default=0)


# === opendp_lite.core.metric:LInfDistance.matches ===

from opendp_lite.core.distance import Metric
import attrs

@attrs.frozen(repr=False)
class LInfDistance(_NumberMetric):
    monotonic: bool = False
    def matches(self, other: Metric) -> bool:
        return super().matches(other) and (
            isinstance(other, LInfDistance) and self.monotonic is other.monotonic
        )


# === opendp_lite.core.metric:_L0PInfDistance._powers ===

from opendp_lite.core.distance import Metric
from opendp_lite.core.identity import key
from opendp_lite.exact.rationals import Extended
from typing import Any
from typing import ClassVar
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    p: ClassVar[int]
    def _powers(self, x: Any, y: Any) -> tuple[int, Extended, Extended]:
        left = {key(k): v for k, v in x.items()}
        right = {key(k): v for k, v in y.items()}
        gaps: list[Extended] = []
        differing = 0
        for each in left.keys() | right.keys():
            gaps.append(gap(left.get(each, 0), right.get(each, 0)))
            differing += (each in left) != (each in right) or gaps[-1] != 0
        if math.inf in gaps:
            return differing, math.inf, math.inf
        power = sum(gaps) if self.p == 1 else _sum_of_squares(gaps)
        return differing, power, max(gaps, default=0)


# === opendp_lite.core.metric:_L0PInfDistance.matches ===

from opendp_lite.core.distance import Metric
import attrs

@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def matches(self, other: Metric) -> bool:
        return type(self) is type(other) and self.metric.matches(other.metric)
