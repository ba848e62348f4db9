"""Row-wise work, said once, in Narwhals: for DuckDB, Polars and Spark.

An engine is told seven things natively: which frames are its own, which columns are
chosen, what a column is as text that is compared by bytes, the days of a date, the code
of a text, a public table in its own session, and what its settings are. Everything else
is what `translate` makes of expressions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from opendp_lite.tables.engines.engine import (
    Engine,
    Frame,
    Row,
    Table,
    Totals,
    asked,
    one,
)

if TYPE_CHECKING:
    from opendp_lite.base.aliases import Data
    from opendp_lite.tables.cells import Plan
    from opendp_lite.tables.expressions import Expr


Opened: TypeAlias = "tuple[LazyEngine, Frame, list[Any]]"

_HELD = 2**14  # rows that become values of Python at a time


class LazyEngine(Engine):
    """An engine with frames that Narwhals reads; columns are called c0, c1, ..."""

    wide_sum: bool = False
    """Whether a sum of int64 is exact beyond int64."""

    def __init__(self) -> None:
        self.tested: set[str] = set()
        """Digests of the settings under which the engine passed its self-test."""

    # What an engine is told natively: frames are lazy frames of Narwhals.

    @classmethod
    def open_frame(cls, data: Data) -> Opened | None:
        """Return the engine of a frame, the frame, and the names of its columns.

        Return None if `data` is not one of the frames that engines of this class hold.
        Compare classes by identity: a derived class may give out other rows each time.

        :param data: what somebody passes as a table
        """
        return None

    def chosen(self, native: Frame, names: Sequence[str], places: Sequence[int]) -> Any:
        """Return the columns of a frame of the engine's own at `places`, as c0, ...

        :param native: the frame
        :param names: the names of all of its columns
        :param places: which columns are wanted, by their places, in this order
        """
        raise NotImplementedError

    def text(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column as valid text that is compared by bytes."""
        raise NotImplementedError

    def real(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column of floats as doubles."""
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.col(name).cast(nw.Float64))

    def whole(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column of integers as int64."""
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.col(name).cast(nw.Int64))

    def days(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column of dates as int64 days since 1970-01-01."""
        raise NotImplementedError

    def text_code(self, frame: Frame, name: str, new: str) -> Any:
        """Return the frame with a column `new`: codes of a column of present texts.

        The code of a text is the first 60 bits of SHA-256 of its UTF-8, as int64.
        """
        raise NotImplementedError

    def public(self, frame: Frame, table: Mapping[str, Sequence[Any]]) -> Any:
        """Return a public table as a frame in the session of `frame`.

        Types are those of the values; a column whose values are all missing is text.
        """
        raise NotImplementedError

    def settings(self, frame: Frame) -> str:
        """Return the settings of the session of `frame`, on which answers may rest."""
        raise NotImplementedError

    # What is said in Narwhals.

    def filter(self, table: Table, predicate: Expr) -> Any:
        """Return the frame of the rows for which `predicate` is true."""
        from opendp_lite.tables.translate import translated

        condition = translated(predicate, dict(table.columns), table.names())
        return asked(lambda: table.frame.filter(condition), self)  # proof: filter

    def with_columns(self, table: Table, new: Mapping[str, Expr]) -> Any:
        """Return the frame with new columns, all computed from the old ones."""
        import narwhals.stable.v2 as nw

        from opendp_lite.tables.expressions import Column, Cut
        from opendp_lite.tables.translate import translated

        columns, names = dict(table.columns), table.names()
        chosen, operands = [], []
        for i, name in enumerate({**columns, **new}):  # proof: order
            expr = new.get(name)
            if expr is None:
                value = nw.col(names[name])  # proof: kept
            elif isinstance(expr, Cut) and not expr.constant:
                # It is told once for each edge: as a column, it is computed once.
                one_of = {name: expr.x.domain(columns)}
                operand = translated(expr.x, columns, names)
                operands.append(operand.alias(f"x{i}"))  # proof: operand
                alone = Cut(Column(name), expr.edges)
                value = translated(alone, one_of, {name: f"x{i}"})  # proof: cut
            else:
                value = translated(expr, columns, names)  # proof: new
            chosen.append(value.alias(f"c{i}"))
        # Where all are constants, a selection would have one row.
        inside = [f"c{i}" for i in range(len(chosen))]
        frame = table.frame
        return asked(
            lambda: (
                (frame.with_columns(*operands) if operands else frame)
                .with_columns(*chosen)
                .select(*inside)
            ),
            self,
        )  # proof: select

    def join_public(
        self,
        table: Table,
        on: Sequence[str],
        public: Mapping[str, Sequence[Any]],
        how: str,
    ) -> Any:
        """Return the frame with what the public table says of its keys."""
        names = table.names()
        inside = {name: names[name] for name in on}
        brought = [name for name in public if name not in inside]
        for i, name in enumerate(brought, len(names)):
            inside[name] = f"c{i}"
        renamed = {inside[name]: public[name] for name in public}
        keys = [inside[name] for name in on]
        new = [inside[name] for name in brought]
        return asked(
            lambda: self.joined(table.frame, keys, renamed, how).select(
                *names.values(), *new
            ),
            self,
        )  # proof: joined

    def joined(
        self,
        frame: Frame,
        on: Sequence[str],
        public: Mapping[str, Sequence[Any]],
        how: str,
    ) -> Any:
        """Return a frame joined with a public table, by the names of the frame.

        Keys that are missing fit none. The order of the columns is the engine's.
        """
        return asked(
            lambda: frame.join(self.public(frame, public), on=list(on), how=how), self
        )

    def totals(self, table: Table, plan: Plan) -> Totals:
        """Return what the engine computes of the plan, once it is tested."""
        from opendp_lite.tables.engines.selftest import require_tested
        from opendp_lite.tables.engines.totals import lazy_totals

        require_tested(self, table.frame)  # proof: tested
        return asked(lambda: lazy_totals(self, table.frame, plan, table.names()), self)

    def collect(self, frame: Frame) -> list[Row]:
        """Return the rows of a frame, by its own names; a missing value is None."""
        return asked(lambda: _make_rows(self.fetch_arrow(frame)), self)

    def fetch_arrow(self, frame: Frame) -> Any:
        """Return the rows of a frame as a table of Arrow.

        An engine that can be stopped in the middle says how, by `allow_stop`.
        """
        return frame.collect("pyarrow").to_arrow()

    def rows(self, table: Table) -> list[Row]:
        """Return the rows, in any order; a missing value is None."""
        names = {inside: name for name, inside in table.names().items()}
        return [
            {names[inside]: one(value) for inside, value in row.items()}
            for row in self.collect(table.frame)
        ]


def _make_rows(table: Any) -> list[Row]:
    """Return the rows of a table of Arrow, which lets other threads in between."""
    parts = table.to_batches(max_chunksize=_HELD)
    return [row for part in parts for row in part.to_pylist()]


def kind_of(values: Sequence[Any]) -> type:
    """Return the type of the values that are not missing; text if there are none.

    >>> kind_of([None, 3]), kind_of([])
    (<class 'int'>, <class 'str'>)
    """
    return next((type(value) for value in values if value is not None), str)
