"""What an engine is, and the table that it holds.

A table has passed the door: its columns are int64, float64, bool or text that is
compared by its bytes, they are those of its domain, in that order, and a value that is
missing is missing in one way. What is said of a table is said by its meaning, which is
a list of rows in Python; the Python engine holds this list itself, and all others are
shown to compute the same integers (lemma `engines`).

Whatever an engine is asked is asked through `asked`, so that nothing which it says
reaches a person: its messages quote values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar

import attrs

from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains.domain import Domain
from opendp_lite.tables.engines.waiting import wait_for

if TYPE_CHECKING:
    from opendp_lite.tables.cells import Plan
    from opendp_lite.tables.expressions import Expr


Answer = TypeVar("Answer")
Frame: TypeAlias = Any  # of an engine's own, or of Narwhals
Row = dict[str, Any]
Totals = dict[tuple[Any, ...], tuple[int, ...]]

FAILED = (
    "the engine that holds the table failed. What it said may show rows, and is not "
    "passed on; nothing was released. Look for its memory, its files and its versions, "
    "and run a query of your own on the same table to see more"
)


class Engine:
    """One session of something that holds tables and computes on them.

    A method takes a table and returns the frame of another: what its rows become is
    the meaning of the expressions, and nothing else of the rows is looked at.
    """

    name: str = "none"

    def filter(self, table: Table, predicate: Expr) -> Any:
        """Return the frame of the rows for which `predicate` is true."""
        raise NotImplementedError

    def with_columns(self, table: Table, new: Mapping[str, Expr]) -> Any:
        """Return the frame with columns of `new`: those it had first, in their places.

        All expressions are of the columns that the table had before.
        """
        raise NotImplementedError

    def join_public(
        self,
        table: Table,
        on: Sequence[str],
        public: Mapping[str, Sequence[Any]],
        how: str,
    ) -> Any:
        """Return the frame with the columns of a public table, by equal keys.

        Its columns are those of the table, then those of `public` that are not in
        `on`. The keys of `public` are present, and no two are equal.

        :param on: columns of both
        :param public: columns of equal length; None is a missing value
        :param how: "left" (missing where no key fits) or "inner" (no row then)
        """
        raise NotImplementedError

    def totals(self, table: Table, plan: Plan) -> Totals:
        """Return the meaning of `plan` on the rows of the table: exact integers."""
        raise NotImplementedError

    def rows(self, table: Table) -> list[Row]:
        """Return the rows, in any order; a missing value is None."""
        raise NotImplementedError

    def answer_alone(self, question: Callable[[], Answer]) -> Answer:
        """Return what `question` returns; an engine may let one thread in at a time."""
        return question()

    def same(self, frame: Frame, other: Any) -> bool:
        """Return whether two frames are one; of other frames only rows in Python are.

        Contracts ask it of the tables that they run.
        """
        return frame is other


@attrs.frozen(eq=False, repr=False)
class Table:
    """A table that has passed the door: where it is, and what its columns are."""

    engine: Engine
    frame: Frame
    columns: tuple[tuple[str, Domain], ...]

    def names(self) -> dict[str, str]:
        """Return what each column is called inside of engines: c0, c1, ...

        >>> Table(Engine(), None, (("age", Domain()), ("Age", Domain()))).names()
        {'age': 'c0', 'Age': 'c1'}
        """
        return {name: f"c{i}" for i, (name, _) in enumerate(self.columns)}

    def rows(self) -> list[Row]:
        """Return the rows, in any order; a missing value is None."""
        return self.engine.rows(self)

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is Table
            and self.engine is other.engine
            and self.columns == other.columns
            and self.engine.same(self.frame, other.frame)
        )

    def __hash__(self) -> int:
        return hash(self.columns)

    def __deepcopy__(self, memo: Any) -> Table:
        # Rows of Python are copied; other frames never change.
        copied = deepcopy(self.frame, memo) if type(self.frame) is tuple else self.frame
        return Table(self.engine, copied, self.columns)

    def __iter__(self) -> Iterator[Row]:
        """The rows, as metrics compare them: see `rows` of base/containers."""
        return iter(self.rows())

    def __repr__(self) -> str:
        columns = ", ".join(f"{name}: {domain!r}" for name, domain in self.columns)
        return f"Table({columns}; {self.engine.name})"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a table is held by its engine and cannot be copied or pickled: pass on "
            "the frame or the path that it was made of"
        )


def asked(question: Callable[[], Answer], engine: Engine | None = None) -> Answer:
    """Return what `question` returns; whatever an engine raises becomes one error.

    Ctrl-C interrupts it, whatever the engine does, and is raised as KeyboardInterrupt.

    The error stands for itself: neither its text nor its context is the engine's, and
    one that is passed on, as when a person interrupts, brings no context of it either.
    Polars says some of its errors by a class that is no `Exception`.

    :param question: is called once
    :param engine: of which it is asked, if there is one yet
    """
    alone = question if engine is None else lambda: engine.answer_alone(question)
    try:
        return wait_for(alone)
    except (OpenDPException, KeyboardInterrupt, SystemExit) as own:  # proof: own
        own.__cause__ = own.__context__ = None
        raise
    except BaseException:  # proof: failed
        pass
    raise OpenDPException("FailedEngine", FAILED)


def one(value: Any) -> Any:
    """Return the value, or None if it is NaN: missing is one thing."""
    return value if value == value else None
