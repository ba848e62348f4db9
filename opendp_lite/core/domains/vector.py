"""The domain of lists and arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Array, Data, ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import is_array
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import LONG, Domain
from opendp_lite.data.arrays import array_forms
from opendp_lite.data.columns import (
    HOW_TO_CONVERT,
    INSTALL,
    column_rows,
    extension_type,
    holds_integers,
    reads_libraries,
)
from opendp_lite.data.edge_values import edited_rows, made_once
from opendp_lite.show.texts import is_row_form

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy
from opendp_lite.core.domains.domain import DOMAIN_FIX, check_inside, public_size

_MOST_ROWS = 8  # of a vector that a contract tries


@attrs.frozen(repr=False)
class VectorDomain(Domain):
    """Lists and numpy arrays of members of `element_domain`.

    `size`, if given, is the number of elements, and is public. Arrays have one
    dimension, of atoms, or two where the rows are vectors of atoms of a public size.
    Where data are passed, other columns stand for the lists and arrays of their rows:
    see `received`.
    """

    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=public_size)

    def __attrs_post_init__(self) -> None:
        check_inside(element_domain=self.element_domain)

    def member(self, value: Data) -> bool:
        """Return whether `value` is a list or array of members, of the right size."""
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

    def all_array_members(self, array: Array) -> bool:
        """Return whether every row of an array of two dimensions is a member."""
        if self.columns is None or array.shape[1] != self.columns:
            return False
        return self.element_domain.all_array_members(array.ravel(order="K"))

    @property
    def columns(self) -> int | None:
        """The size, if the elements are atoms."""
        return self.size if isinstance(self.element_domain, AtomDomain) else None

    def read(self, value: Data, least: int = LONG) -> tuple[bool, Any]:
        """Return whether `value` is a member; and it, or the array of a list of floats.

        Lists of fewer than `least`, which is at least 1, are not read.

        >>> from opendp_lite.core.domains.atom import atom_domain
        >>> vector_domain(atom_domain(T=float)).read([0.5])
        (True, [0.5])
        """
        if type(value) is list and len(value) >= least:
            array = _reader()(value)  # proof: array
            if array is not None and self.member(array):
                return True, array  # proof: floats
        return self.member(value), value  # proof: others

    def received(self, value: Data) -> Any:
        """Return the rows of a column of another kind as a list or an array.

        >>> from opendp_lite.core.domains.atom import atom_domain
        >>> vector_domain(atom_domain(T=int)).received((1, 2))
        [1, 2]
        """
        return column_rows(value, isinstance(self.element_domain, AtomDomain))

    def remedy(self, value: Data) -> str:
        """Return what to do of a value that is no member; its form and type decide."""
        if extension := extension_type(value):
            return f"Columns of the type {extension} are not read. {HOW_TO_CONVERT}"
        if self.atom_type is float and holds_integers(value):
            return (
                "A column of integers is not taken for one of floats: pass "
                "data.astype(float), of Polars and PyArrow data.cast(), or .tolist()."
            )
        if is_row_form(value):
            return f"A row, or their number, does not fit. {super().remedy(value)}"
        libraries = "columns of pandas, Polars and PyArrow"
        if reads_libraries():
            taken, needed = f"array.array, object arrays and {libraries}", ""
        else:
            taken = "array.array and object arrays"
            needed = (
                f" To read {libraries} run {INSTALL}, or pass their .to_numpy() or "
                ".to_list()."
            )
        return (
            f"Tuples, ranges, {taken} are taken too, missing rows only where they are "
            f"floats or options.{needed} Of a data frame, a dict or an array of "
            "several dimensions pass one column, of an iterator or a set list(data), "
            "of anything else its .tolist() or .to_numpy()."
        )

    def rule(self) -> str:
        """Return the rule as constant text."""
        size = "" if self.size is None else f" of length {self.size}"
        words = self.element_domain.array_words
        array = f", or a {words}" if words else ""
        each = self.element_domain.rule()
        return f"a list{size} in which each element is {each}{array}"

    @property
    def array_words(self) -> str | None:
        """Matrices, if the elements are atoms that arrays hold."""
        words = self.element_domain.array_words if self.columns is not None else None
        return words and f"{words.replace('1-d', '2-d')} with {self.size} columns"

    def contains(self, other: Domain) -> bool:
        """Return whether elements and size of `other` fit.

        Where arrays are members of `other`, they must be members here.
        """
        if not isinstance(other, VectorDomain) or self.size not in (None, other.size):
            return False
        mine, theirs = self.element_domain, other.element_domain
        arrays = isinstance(mine, AtomDomain) == isinstance(theirs, AtomDomain)
        matrices = theirs.columns is None or mine.columns is not None
        return arrays and matrices and mine.contains(theirs)

    @property
    def row_domain(self) -> Domain:
        """The domain of the rows."""
        return self.element_domain

    @property
    def atom_type(self) -> type | None:
        """The type of the single values that the rows are made of."""
        return self.element_domain.atom_type

    @property
    def usual_metric(self) -> str:
        """Data sets are as far apart as the rows that were added or removed."""
        return "SymmetricDistance"

    def without_nan(self) -> VectorDomain:
        """Return the same domain without NaN in the rows."""
        return VectorDomain(self.element_domain.without_nan(), self.size)

    def hint(self, expected: Domain) -> str | None:
        """Return a step for the size, or for the rows."""
        if not isinstance(expected, VectorDomain):
            return None  # casts and the like work on rows
        if expected.size not in (None, self.size):
            return f"The right side needs the public size {expected.size}."
        return self.element_domain.row_hint(expected.element_domain)

    def members(self) -> SearchStrategy[list[Any]]:
        """Return a strategy of lists, of many rows and of a few that repeat."""
        row = self.element_domain.members()
        least = self.size or 0
        most = _MOST_ROWS if self.size is None else self.size
        name = type(self), row, least, most
        return made_once(name, lambda: self._lists(row, least, most))

    def _lists(
        self, row: SearchStrategy[Any], least: int, most: int
    ) -> SearchStrategy[list[Any]]:
        from hypothesis import strategies as st

        few = st.lists(row, min_size=1, max_size=2).flatmap(
            lambda rows: st.lists(st.sampled_from(rows), min_size=least, max_size=most)
        )
        return st.lists(row, min_size=least, max_size=most) | few

    def extremes(self) -> list[Any]:
        """Return lists of the extreme rows: each alone, all of them, none."""
        rows = self.element_domain.extremes()
        lists = [[row] * (self.size or 1) for row in rows]
        lists += [rows, rows[::-1], []]
        return [each for each in lists if self.member(each)]

    def outside(self) -> list[Any]:
        """Return lists with a wrong row, and with a row too many."""
        lists = [[row] * (self.size or 1) for row in self.element_domain.outside()]
        if self.size is not None:
            lists += [[row] * (self.size + 1) for row in self.element_domain.extremes()]
        return [each for each in lists if not self.member(each)]

    def edited(self, x: Data, resize: bool) -> SearchStrategy[list[Any]]:
        """Return a strategy of lists with other rows, or with more and fewer rows."""
        row = self.element_domain.members()
        return edited_rows(row, list(x), resize and self.size is None)

    def moved(self, x: Data) -> SearchStrategy[list[Any]]:
        """Return a strategy of lists in which each row is moved a little."""
        from hypothesis import strategies as st

        rows = map(self.element_domain.moved, x)
        return st.tuples(*rows).map(list)

    def reordered(self, x: Data) -> SearchStrategy[list[Any]]:
        """Return a strategy of the rows in any order."""
        from hypothesis import strategies as st

        return st.permutations(x)

    def forms(self, value: Data) -> list[Any]:
        """Return arrays with exactly the rows of a list of atoms, or of lists of them.

        One of them is not contiguous and one cannot be written to.
        """
        T, columns = self.atom_type, self.element_domain.columns
        if type(value) is not list or T is None:
            return []
        shape, flat = [len(value)], value
        if columns is not None:
            if any(type(row) is not list for row in value):
                return []
            shape, flat = [len(value), columns], [x for row in value for x in row]
        arrays = [form.reshape(shape) for form in array_forms(flat, T)]
        forms = [form for form in arrays if self.member(form)]
        if forms:
            apart = forms[0].repeat(2, axis=0)[::2]
            fixed = forms[0].copy()
            fixed.flags.writeable = False
            forms += [apart, fixed]
        return forms

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return f"Vec<{self.element_domain.carrier_type}>"

    @property
    def depth(self) -> int:
        """How many domains lie within one another inside."""
        return 1 + self.element_domain.depth

    def __repr__(self) -> str:
        size = "" if self.size is None else f", size={self.size}"
        return f"VectorDomain({self.element_domain!r}{size})"


@cache
def _reader() -> Callable[[list[Any]], Any]:
    """`read_doubles`, which loads much; to import it anew takes longer."""
    from opendp_lite.data.doubles import read_doubles

    return read_doubles  # proof: reader


def vector_domain(atom_domain: Domain, size: ExactNumber | None = None) -> VectorDomain:
    """Return the domain of lists and arrays, of public `size` if given.

    :param atom_domain: domain of the rows
    :param size: number of rows, if it is public

    >>> from opendp_lite.core.domains.atom import atom_domain
    >>> vector_domain(atom_domain(T=int), size=2).member([1, 2])
    True
    """
    check_type("MakeDomain", "atom_domain", atom_domain, Domain, DOMAIN_FIX)
    return VectorDomain(atom_domain, size)
