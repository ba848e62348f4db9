# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.engine; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains.domain import Domain
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.waiting import wait_for
from opendp_lite.tables.terms import Expr
from typing import Any
from typing import TypeVar
import attrs

Totals = dict[tuple[Any, ...], tuple[int, ...]]
Row = dict[str, Any]
Answer = TypeVar("Answer")
FAILED = (
    "the engine that holds the table failed. What it said may show rows, and is not "
    "passed on; nothing was released. Look for its memory, its files and its versions, "
    "and run a query of your own on the same table to see more"
)


# === Engine.filter with Expr, Any
class Engine:
    def filter(self, table: Table, predicate: Expr) -> Any:
        raise NotImplementedError


# === Engine.with_columns with Mapping, Expr, Any
class Engine:
    def with_columns(self, table: Table, new: Mapping[str, Expr]) -> Any:
        raise NotImplementedError


# === Engine.join_public with Mapping, Sequence, Any
class Engine:
    def join_public(
        self,
        table: Table,
        on: Sequence[str],
        public: Mapping[str, Sequence[Any]],
        how: str,
    ) -> Any:
        raise NotImplementedError


# === Engine.totals with Plan, Any, Totals
class Engine:
    def totals(self, table: Table, plan: Plan) -> Totals:
        raise NotImplementedError


# === Engine.rows with Any, Row
class Engine:
    def rows(self, table: Table) -> list[Row]:
        raise NotImplementedError


# === Engine.answer_alone with Callable, TypeVar, Answer
class Engine:
    def answer_alone(self, question: Callable[[], Answer]) -> Answer:
        return question()


# === Table.names with Domain, attrs
@attrs.frozen(eq=False, repr=False)
class Table:
    columns: tuple[tuple[str, Domain], ...]
    def names(self) -> dict[str, str]:
        return {name: f"c{i}" for i, (name, _) in enumerate(self.columns)}


# === Table.rows with Any, attrs, Row
@attrs.frozen(eq=False, repr=False)
class Table:
    engine: Engine
    def rows(self) -> list[Row]:
        return self.engine.rows(self)


# === asked with Callable, OpenDPException, wait_for, TypeVar, Answer, FAILED
def asked(question: Callable[[], Answer], engine: Engine | None = None) -> Answer:
    alone = question if engine is None else lambda: engine.answer_alone(question)
    try:
        return wait_for(alone)
    except (OpenDPException, KeyboardInterrupt, SystemExit) as own:
        own.__cause__ = own.__context__ = None
        raise
    except BaseException:
        pass
    raise OpenDPException("FailedEngine", FAILED)


# === one with Any
def one(value: Any) -> Any:
    return value if value == value else None
