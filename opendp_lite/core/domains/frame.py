"""The domain of data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import is_array, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import DOMAIN_FIX, Domain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.data.columns import frame_columns
from opendp_lite.data.edge_values import edited_rows, made_once

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


_MOST_ROWS = 5  # of a frame that a contract tries


def _named(series: Any) -> tuple[tuple[Any, Domain], ...]:
    """Return the columns in the order of their names: numbers first."""
    fix = "Pass for example {'age': atom_domain(T=int)}"
    if not isinstance(series, dict):
        rule = "must be a dict from names of columns to domains"
        raise refusal("MakeDomain", "columns", series, rule, fix)
    # Not series.items(): a derived class may say a name twice.
    items = list(dict.items(series))
    for name, domain in items:
        if type(name) is not str and type(name) is not int:
            raise refusal("MakeDomain", "columns", name, "names are text or int", fix)
        inner = domain.element_domain if type(domain) is OptionDomain else domain
        if type(inner) is not AtomDomain:
            rule = "a column holds an atom_domain, or an option_domain of one"
            raise refusal("MakeDomain", "columns", name, rule, DOMAIN_FIX)
    return tuple(sorted(items, key=lambda item: (type(item[0]) is str, item[0])))


@attrs.frozen(repr=False)
class FrameDomain(Domain):
    """Dicts of columns of one length, with at least those that are named.

    A column that is named is a list or a one-dimensional numpy array of members of its
    domain; others are lists or arrays of anything. The rows of a frame are the dicts of
    the entries of its columns. Where data are passed, data frames of pandas and Polars
    stand for such dicts, see `received`.
    """

    series: tuple[tuple[Any, Domain], ...] = attrs.field(converter=_named)

    def member(self, value: Data) -> bool:
        """Return whether `value` is a dict of columns, among them those named."""
        if type(value) is not dict:
            return False
        if not all(type(name) is str or type(name) is int for name in value):
            return False
        columns = list(value.values())
        if not all(type(each) is list or _has_rows(each) for each in columns):
            return False
        if len(set(map(len, columns))) > 1:
            return False
        return all(
            name in value and VectorDomain(domain).member(value[name])
            for name, domain in self.series
        )

    def received(self, value: Data) -> Any:
        """Return a data frame of pandas or Polars as a dict of its named columns.

        >>> from opendp_lite.core.domains.atom import atom_domain
        >>> frame_domain({"a": atom_domain(T=int)}).received({"a": (1, 2)})
        {'a': [1, 2]}
        """
        names = {name: isinstance(each, AtomDomain) for name, each in self.series}
        return frame_columns(value, names)

    def also_taken(self) -> str:
        """Return what else is taken."""
        return (
            " Data frames of pandas and Polars are taken too, and dicts of what a "
            "vector_domain takes; of anything else pass a dict of lists."
        )

    def rule(self) -> str:
        """Return the rule as constant text."""
        each = [f"{name!r}: {domain.rule()}" for name, domain in self.series]
        return (
            "a dict of columns, lists or numpy arrays of one length, in which each "
            f"element of these is: {'; '.join(each)}"
        )

    def column(self, name: object) -> Domain | None:
        """Return the domain of the entries of a column; None if it is not named."""
        return next((each for own, each in self.series if _is_name(own, name)), None)

    def with_column(self, name: object, domain: Domain) -> FrameDomain:
        """Return the domain in which the entries of a column are of another domain."""
        return FrameDomain({**dict(self.series), name: domain})

    def contains(self, other: Domain) -> bool:
        """Return whether `other` names all the columns, and their entries fit."""
        if not isinstance(other, FrameDomain):
            return False
        theirs = dict(other.series)
        return all(
            name in theirs and VectorDomain(each).contains(VectorDomain(theirs[name]))
            for name, each in self.series
        )

    @property
    def has_rows(self) -> bool:
        """A frame has rows."""
        return True

    @property
    def usual_metric(self) -> str:
        """Data sets are as far apart as the rows that were added or removed."""
        return "SymmetricDistance"

    def _frame(self, entries: list[dict[Any, Any]], names: list[Any]) -> dict[Any, Any]:
        return {name: [row[name] for row in entries] for name in names}

    def _row(self) -> SearchStrategy[dict[Any, Any]]:
        from hypothesis import strategies as st

        cells = {name: each.members() for name, each in self.series}
        name = type(self), *cells.items()
        return made_once(name, lambda: st.fixed_dictionaries(cells))

    def members(self) -> SearchStrategy[dict[Any, Any]]:
        """Return a strategy of frames, some with a column more."""
        from hypothesis import strategies as st

        names = [name for name, _ in self.series]
        frames = st.lists(self._row(), max_size=_MOST_ROWS).map(
            lambda entries: self._frame(entries, names)
        )
        if not names:
            return frames
        return frames | frames.map(
            lambda frame: {"one more": list(range(len(frame[names[0]]))), **frame}
        )

    def outside(self) -> list[Any]:
        """Return frames that lack a column, or have a column too long or wrong."""
        one = {name: each.extremes()[:1] for name, each in self.series}
        values: list[Any] = [
            {"one more": []},
            {**one, "longer": [1, 2]},
            {**one, 0.5: []},
        ]
        for name, each in self.series:
            values += [{**one, name: [wrong]} for wrong in each.outside()]
            values += [{k: v for k, v in one.items() if k != name}]
        return [value for value in values if not self.member(value)]

    def edited(self, x: Data, resize: bool) -> SearchStrategy[dict[Any, Any]]:
        """Return a strategy of frames with other rows, or with more and fewer rows."""
        others = dict.fromkeys(x)
        row = self._row().map(lambda row: {**others, **row})
        return edited_rows(row, rows(x), resize).map(lambda y: self._frame(y, list(x)))

    def reordered(self, x: Data) -> SearchStrategy[dict[Any, Any]]:
        """Return a strategy of the rows in any order."""
        from hypothesis import strategies as st

        return st.permutations(rows(x)).map(lambda y: self._frame(y, list(x)))

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return "DataFrame"

    @property
    def depth(self) -> int:
        """How many domains lie within one another inside."""
        return 1 + max((each.depth for _, each in self.series), default=0)

    def __reduce__(self) -> Any:
        return FrameDomain, (dict(self.series),)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name!r}: {each!r}" for name, each in self.series)
        return f"FrameDomain({{{inside}}})"


def _has_rows(value: Data) -> bool:
    return is_array(value) and value.ndim > 0


def _is_name(own: object, name: object) -> bool:
    return type(own) is type(name) and own == name


def frame_domain(columns: dict[Any, Domain]) -> FrameDomain:
    """Return the domain of data frames that have at least these columns.

    :param columns: a dict from the names of the columns, text or int, to the domains of
        their entries: an atom_domain, or an option_domain of one

    >>> from opendp_lite.core.domains.atom import atom_domain
    >>> people = frame_domain({"age": atom_domain(T=int), "name": atom_domain(T=str)})
    >>> people.member({"age": [31, 27], "name": ["ann", "bob"], "more": [None, None]})
    True
    >>> people.member({"age": [31, 27]})
    False
    """
    return FrameDomain(columns)
