# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.vector; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from functools import cache
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import is_array
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.domain import LONG
from opendp_lite.core.domains.domain import check_inside
from opendp_lite.core.domains.domain import public_size
from opendp_lite.data.columns import column_rows
from typing import Any
import attrs

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.core.domains.domain.LONG = 2 ** 8


# === VectorDomain.__attrs_post_init__ with Domain, check_inside, public_size, attrs
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=public_size)
    def __attrs_post_init__(self) -> None:
        check_inside(element_domain=self.element_domain)


# === VectorDomain.member with Data, is_array, Domain, public_size, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=public_size)
    def member(self, value: Data) -> bool:
        if is_array(value):
            element = self.element_domain
            if value.ndim != (1 if element.columns is None else 2):
                return False
            if self.size is not None and len(value) != self.size:
                return False
            return element.all_array_members(value)
        if type(value) is not list:
            return False
        if self.size is not None and len(value) != self.size:
            return False
        return self.element_domain.all_members(value)


# === VectorDomain.all_array_members with Array, Domain, attrs, ?
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    def all_array_members(self, array: Array) -> bool:
        if self.columns is None or array.shape[1] != self.columns:
            return False
        return self.element_domain.all_array_members(array.ravel(order="K"))


# === VectorDomain.columns with AtomDomain, Domain, public_size, attrs
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=public_size)
    @property
    def columns(self) -> int | None:
        return self.size if isinstance(self.element_domain, AtomDomain) else None


# === VectorDomain.read with Data, Domain, LONG, Any, attrs,
#    opendp_lite.base.aliases.Data, opendp_lite.core.domains.domain.LONG
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    def read(self, value: Data, least: int = LONG) -> tuple[bool, Any]:
        if type(value) is list and len(value) >= least:
            array = _reader()(value)
            if array is not None and self.member(array):
                return True, array
        return self.member(value), value


# === VectorDomain.received with Data, AtomDomain, Domain, column_rows, Any, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    def received(self, value: Data) -> Any:
        return column_rows(value, isinstance(self.element_domain, AtomDomain))


# === VectorDomain.contains with AtomDomain, Domain, public_size, attrs
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=public_size)
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, VectorDomain) or self.size not in (None, other.size):
            return False
        mine, theirs = self.element_domain, other.element_domain
        arrays = isinstance(mine, AtomDomain) == isinstance(theirs, AtomDomain)
        matrices = theirs.columns is None or mine.columns is not None
        return arrays and matrices and mine.contains(theirs)


# === VectorDomain.row_domain with Domain, attrs
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    @property
    def row_domain(self) -> Domain:
        return self.element_domain


# === _reader with Callable, cache, Any
@cache
def _reader() -> Callable[[list[Any]], Any]:
    from opendp_lite.data.doubles import read_doubles

    return read_doubles
