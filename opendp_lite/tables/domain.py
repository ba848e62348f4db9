"""The domain of tables: declared columns, in which nothing is inferred."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import OpenDPException, OpenDPTypeError, refusal
from opendp_lite.core.domains import AtomDomain, Domain, OptionDomain
from opendp_lite.data.edge_values import edited_rows, made_once
from opendp_lite.tables.terms import atom_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from opendp_lite.tables.engines.engine import Table

__all__ = [
    "TableDomain",
    "declare_misfits",
    "lazyframe_domain",
    "misfit_name",
    "series_domain",
    "table_domain",
]

_MOST_ROWS = 5  # of a table that a contract tries
_INT64 = (-(2**63), 2**63 - 1)
_COLUMNS_FIX = "Pass for example {'age': option_domain(atom_domain(T=int))}"


def _declared(columns: Any) -> tuple[tuple[str, Domain], ...]:
    """Return the columns in their order, or refuse them."""
    items = columns
    if isinstance(columns, dict):
        items = tuple(dict.items(columns))
    if type(items) is not tuple or not items:  # proof: some
        rule = "must be a dict from the names of columns to domains, one at least"
        raise refusal("MakeDomain", "columns", columns, rule, _COLUMNS_FIX)
    for item in items:
        _check_column(item)
    if len({name for name, _ in items}) < len(items):  # proof: twice
        rule = "has two columns of one name"
        raise refusal("MakeDomain", "columns", columns, rule, _COLUMNS_FIX)
    return items


def _check_column(item: Any) -> None:
    paired = type(item) is tuple and len(item) == 2
    if not paired or type(item[0]) is not str:  # proof: name
        rule = "names of columns are text"
        raise refusal("MakeDomain", "columns", type(item), rule, _COLUMNS_FIX)
    name, domain = item
    inner = domain.element_domain if type(domain) is OptionDomain else domain
    typed = type(inner) is AtomDomain and inner.T in (int, float, bool, str)
    if not typed:  # proof: atoms
        rule = "a column holds an atom_domain of int, float, bool or str, or an option"
        raise refusal("MakeDomain", "columns", name, rule, _COLUMNS_FIX)
    assert isinstance(inner, AtomDomain)
    if inner.single:  # proof: single
        rule = "floats of a table have 64 bits, whatever they had before"
        raise refusal("MakeDomain", "columns", name, rule, "Declare T=float")


@attrs.frozen(repr=False)
class TableDomain(Domain):
    """Tables with exactly these columns, and rows in any order.

    Columns are declared, never inferred; others that data have are left out. One that
    is declared as an option, or as a float that may be NaN, without bounds, claims
    nothing: its name and its dtype alone decide, and what they decide is public. One
    that is declared present or bounded is a claim, which is looked at when the data
    come in. A float that is null or NaN is missing, which is one thing.
    """

    series: tuple[tuple[str, Domain], ...] = attrs.field(converter=_declared)

    def member(self, value: Data) -> bool:
        """Return whether `value` is a table that came in, of these columns."""
        from opendp_lite.tables.engines.engine import Table

        return type(value) is Table and self._fits(value.columns)  # proof: member

    def _fits(self, columns: tuple[tuple[str, Domain], ...]) -> bool:
        """Return whether these columns have the same names, and hold no more."""
        return len(columns) == len(self.series) and all(
            name == other and mine.contains(theirs)
            for (name, mine), (other, theirs) in zip(self.series, columns, strict=True)
        )

    def received(self, value: Data) -> Any:
        """Return the table of a frame, of files or of a dict; or, refused, `value`."""
        from opendp_lite.tables.engines.door import enter

        try:
            return enter(value, self.declared)  # proof: enter
        except OpenDPException:
            return value  # proof: refused

    def open_data(self, value: Data) -> Any:
        """Return the table of a frame, or raise and name columns that do not fit."""
        from opendp_lite.tables.engines.door import enter

        return value if self.member(value) else enter(value, self.declared)

    @property
    def declared(self) -> dict[str, Domain]:
        """The domains of the columns by name, in their order."""
        return dict(self.series)

    def with_columns(self, new: Mapping[str, Domain]) -> TableDomain:
        """Return the domain with these columns added, or put in place of others."""
        return TableDomain({**self.declared, **new})

    def rule(self) -> str:
        """Return the rule as constant text."""
        return f"a table with the columns {', '.join(name for name, _ in self.series)}"

    def remedy(self, value: Data) -> str:
        """Return what to do of a value that is no member."""
        return (
            "Pass a frame of pandas, Polars, PyArrow or Spark, a relation of DuckDB, "
            "the path of Parquet files, or a dict of lists. Context.compositor says "
            "which column does not fit."
        )

    def contains(self, other: Domain) -> bool:
        """Return whether the columns of `other` have the same names and fit."""
        return isinstance(other, TableDomain) and self._fits(other.series)

    @property
    def has_rows(self) -> bool:
        """A table has rows."""
        return True

    @property
    def query_hint(self) -> str:
        """Tables are asked about by `Context.table`."""
        return (
            "The Context holds a table: begin with context.table(...), as in "
            "context.table(epsilon=0.1).agg(dp.count())."
        )

    @property
    def usual_metric(self) -> str:
        """Tables are as far apart as the rows that were added or removed."""
        return "SymmetricDistance"

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return "Table"

    @property
    def depth(self) -> int:
        """How many domains lie within one another inside."""
        return 1 + max(domain.depth for _, domain in self.series)

    def of_rows(self, entries: list[Any]) -> Table:
        """Return the table of these rows, dicts, in the engine of Python."""
        from opendp_lite.tables.engines.door import enter

        names = [name for name, _ in self.series]
        columns = {name: [row[name] for row in entries] for name in names}
        return enter(columns, self.declared)

    def row(self) -> SearchStrategy[dict[str, Any]]:
        """Return a strategy of rows."""
        from hypothesis import strategies as st

        cells = {name: _cells(domain) for name, domain in self.series}
        name = type(self), *cells.items()
        return made_once(name, lambda: st.fixed_dictionaries(cells))

    def members(self) -> SearchStrategy[Any]:
        """Return a strategy of small tables, of the engine of Python."""
        from hypothesis import strategies as st

        row = self.row()
        few = st.lists(row, min_size=1, max_size=2).flatmap(
            lambda entries: st.lists(st.sampled_from(entries), max_size=_MOST_ROWS)
        )
        lists = made_once(
            ("tables", row), lambda: st.lists(row, max_size=_MOST_ROWS) | few
        )
        return lists.map(self.of_rows)

    def extremes(self) -> list[Any]:
        """Return tables of no rows, and of the extreme values of all columns."""
        values = {name: _extremes(domain) for name, domain in self.series}
        most = max(map(len, values.values()))
        entries = [
            {name: each[i % len(each)] for name, each in values.items()}
            for i in range(most)
        ]
        return [self.of_rows(part) for part in ([], entries[:1], entries)]

    def outside(self) -> list[Any]:
        """Return dicts that lack a column, have one more, or a wrong value."""
        one = {name: _extremes(domain)[:1] for name, domain in self.series}
        first = self.series[0][0]
        values: list[Any] = [
            {name: each for name, each in one.items() if name != first},
            {**one, first: []} if len(one) > 1 else {},
            {**one, first: [b"bytes"]},
        ]
        for name, domain in self.series:
            missing = (
                [] if type(domain) is OptionDomain or atom_of(domain).nan else [None]
            )
            beyond = [x for x in domain.outside() if x == x]
            values += [{**one, name: [wrong]} for wrong in [*missing, *beyond]]
        return values

    def edited(self, x: Data, resize: bool) -> SearchStrategy[Any]:
        """Return a strategy of tables with other rows, or with more and fewer rows."""
        return edited_rows(self.row(), rows(x), resize).map(self.of_rows)

    def reordered(self, x: Data) -> SearchStrategy[Any]:
        """Return a strategy of the rows in any order."""
        from hypothesis import strategies as st

        return st.permutations(rows(x)).map(self.of_rows)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name!r}: {each!r}" for name, each in self.series)
        return f"TableDomain({{{inside}}})"


def _held(domain: Domain, value: Data) -> bool:
    """Return whether a column can hold a value: ints of 64 bits, text of characters."""
    if type(value) is int and atom_of(domain).T is float:
        return False
    if type(value) is int:
        return _INT64[0] <= value <= _INT64[1]
    return type(value) is not str or not any("\ud800" <= c <= "\udfff" for c in value)


def _cells(domain: Domain) -> SearchStrategy[Any]:
    values = domain.members()
    # Of a lambda hypothesis would read the source, for each strategy of a union.
    return made_once(("cells", values), lambda: values.filter(partial(_held, domain)))


def _extremes(domain: Domain) -> list[Any]:
    return [value for value in domain.extremes() if _held(domain, value)]


def table_domain(columns: Mapping[str, Domain]) -> TableDomain:
    """Return the domain of tables with exactly these columns.

    Members are tables that came in; frames of pandas, Polars, PyArrow and Spark,
    relations of DuckDB, paths of Parquet files and dicts of lists stand for them where
    data are passed.

    :param columns: domains by the names of columns; each an atom_domain of int, float,
        bool or str, or an option_domain of one

    >>> from opendp_lite.core.domains import atom_domain, option_domain
    >>> table_domain({"age": option_domain(atom_domain(T=int))})
    TableDomain({'age': OptionDomain(AtomDomain(T=int))})
    """
    return TableDomain(columns)


def misfit_name(name: str) -> str:
    """Return the name of the column that marks where a text did not fit a column.

    :param name: of the column

    >>> misfit_name("age")
    'age_misfit'
    """
    return f"{name}_misfit"


def declare_misfits(columns: Mapping[str, Domain]) -> dict[str, Domain]:
    """Return the columns, and those that mark which values of a text did not fit.

    `csv_to_parquet` writes a column `age_misfit` of bools beside each column `age` that
    is not text: true where the field held text, and not a value of the column's type.
    Declare these columns to count such rows by `Context.table().count_misfits()`.

    :param columns: domains by the names of columns, as `csv_to_parquet` was given them

    >>> from opendp_lite.core.domains import atom_domain, option_domain
    >>> list(declare_misfits({"age": option_domain(atom_domain(T=int))}))
    ['age', 'age_misfit']
    """
    declared = TableDomain(dict(columns)).declared
    flag = OptionDomain(AtomDomain(T=bool))
    found: dict[str, Domain] = {}
    for name in [each for each in declared if atom_of(declared[each]).T is not str]:
        if misfit_name(name) in declared:
            rule = f"is to mark the values that do not fit {name!r}, and is a column "
            rule += "already"
            fix = "Rename this column; csv_to_parquet(..., misfits=False) marks nothing"
            raise refusal("MakeDomain", "columns", misfit_name(name), rule, fix)
        found[misfit_name(name)] = flag
    return {**declared, **found}


@attrs.frozen
class _Series:
    """A column that is declared: a name and a domain."""

    name: str
    element_domain: Domain


def series_domain(name: str, element_domain: Domain) -> _Series:
    """Return a column for `lazyframe_domain`, as OpenDP declares one.

    :param name: the name of the column
    :param element_domain: an atom_domain, or an option_domain of one

    >>> from opendp_lite.core.domains import atom_domain
    >>> lazyframe_domain([series_domain("age", atom_domain(T=int))])
    TableDomain({'age': AtomDomain(T=int)})
    """
    _check_column((name, element_domain))
    return _Series(name, element_domain)


def lazyframe_domain(series_domains: Any) -> TableDomain:
    """Return the domain of tables with these columns, as OpenDP declares it.

    :param series_domains: what `series_domain` returns, one for each column

    >>> from opendp_lite.core.domains import atom_domain
    >>> lazyframe_domain([series_domain("id", atom_domain(T=int))]).carrier_type
    'Table'
    """
    fix = "Pass [series_domain(name, domain), ...]"
    if type(series_domains) not in (list, tuple) or any(
        type(each) is not _Series for each in series_domains
    ):
        rule = "must be a list of what series_domain returns"
        raise refusal(
            "MakeDomain",
            "series_domains",
            series_domains,
            rule,
            fix,
            OpenDPTypeError,
        )
    return TableDomain(
        tuple((each.name, each.element_domain) for each in series_domains)
    )
