# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.lazy; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from collections.abc import Sequence
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.engine import Engine
from opendp_lite.tables.engines.engine import Frame
from opendp_lite.tables.engines.engine import Row
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.engines.engine import Totals
from opendp_lite.tables.engines.engine import asked
from opendp_lite.tables.engines.engine import one
from opendp_lite.tables.terms import Column as Column
from opendp_lite.tables.terms import Expr
from typing import Any

opendp_lite.tables.engines.engine.Frame: typing.TypeAlias = typing.Any
opendp_lite.tables.engines.engine.Totals = dict[tuple[typing.Any, ...], tuple[int, ...]]
opendp_lite.tables.engines.engine.Row = dict[str, typing.Any]
_HELD = 2**14


# === LazyEngine.chosen with Sequence, Engine, Frame, Any,
#    opendp_lite.tables.engines.engine.Frame
class LazyEngine(Engine):
    def chosen(self, native: Frame, names: Sequence[str], places: Sequence[int]) -> Any:
        raise NotImplementedError


# === LazyEngine.text with Engine, Frame, Any, opendp_lite.tables.engines.engine.Frame
class LazyEngine(Engine):
    def text(self, frame: Frame, name: str) -> Any:
        raise NotImplementedError


# === LazyEngine.real with Engine, Frame, Any, opendp_lite.tables.engines.engine.Frame
class LazyEngine(Engine):
    def real(self, frame: Frame, name: str) -> Any:
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.col(name).cast(nw.Float64))


# === LazyEngine.whole with Engine, Frame, Any, opendp_lite.tables.engines.engine.Frame
class LazyEngine(Engine):
    def whole(self, frame: Frame, name: str) -> Any:
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.col(name).cast(nw.Int64))


# === LazyEngine.days with Engine, Frame, Any, opendp_lite.tables.engines.engine.Frame
class LazyEngine(Engine):
    def days(self, frame: Frame, name: str) -> Any:
        raise NotImplementedError


# === LazyEngine.text_code with Engine, Frame, Any,
#    opendp_lite.tables.engines.engine.Frame
class LazyEngine(Engine):
    def text_code(self, frame: Frame, name: str, new: str) -> Any:
        raise NotImplementedError


# === LazyEngine.public with Mapping, Sequence, Engine, Frame, Any,
#    opendp_lite.tables.engines.engine.Frame
class LazyEngine(Engine):
    def public(self, frame: Frame, table: Mapping[str, Sequence[Any]]) -> Any:
        raise NotImplementedError


# === LazyEngine.settings with Engine, Frame, opendp_lite.tables.engines.engine.Frame
class LazyEngine(Engine):
    def settings(self, frame: Frame) -> str:
        raise NotImplementedError


# === LazyEngine.filter with Engine, Table, asked, Expr, Any
class LazyEngine(Engine):
    def filter(self, table: Table, predicate: Expr) -> Any:
        from opendp_lite.tables.translate import translated

        condition = translated(predicate, dict(table.columns), table.names())
        return asked(lambda: table.frame.filter(condition), self)


# === LazyEngine.with_columns with Mapping, Engine, Table, asked, Column, Expr, Any
class LazyEngine(Engine):
    def with_columns(self, table: Table, new: Mapping[str, Expr]) -> Any:
        import narwhals.stable.v2 as nw

        from opendp_lite.tables.expressions import Column, Cut
        from opendp_lite.tables.translate import translated

        columns, names = dict(table.columns), table.names()
        chosen, operands = [], []
        for i, name in enumerate({**columns, **new}):
            expr = new.get(name)
            if expr is None:
                value = nw.col(names[name])
            elif isinstance(expr, Cut) and not expr.constant:
                one_of = {name: expr.x.domain(columns)}
                operand = translated(expr.x, columns, names)
                operands.append(operand.alias(f"x{i}"))
                alone = Cut(Column(name), expr.edges)
                value = translated(alone, one_of, {name: f"x{i}"})
            else:
                value = translated(expr, columns, names)
            chosen.append(value.alias(f"c{i}"))
        inside = [f"c{i}" for i in range(len(chosen))]
        frame = table.frame
        return asked(
            lambda: (
                (frame.with_columns(*operands) if operands else frame)
                .with_columns(*chosen)
                .select(*inside)
            ),
            self,
        )


# === LazyEngine.join_public with Mapping, Sequence, Engine, Table, asked, Any
class LazyEngine(Engine):
    def join_public(
        self,
        table: Table,
        on: Sequence[str],
        public: Mapping[str, Sequence[Any]],
        how: str,
    ) -> Any:
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
        )


# === LazyEngine.joined with Mapping, Sequence, Engine, Frame, asked, Any,
#    opendp_lite.tables.engines.engine.Frame
class LazyEngine(Engine):
    def joined(
        self,
        frame: Frame,
        on: Sequence[str],
        public: Mapping[str, Sequence[Any]],
        how: str,
    ) -> Any:
        return asked(
            lambda: frame.join(self.public(frame, public), on=list(on), how=how), self
        )


# === LazyEngine.totals with Plan, Engine, Table, Totals, asked,
#    opendp_lite.tables.engines.engine.Totals
class LazyEngine(Engine):
    def totals(self, table: Table, plan: Plan) -> Totals:
        from opendp_lite.tables.engines.selftest import require_tested
        from opendp_lite.tables.engines.totals import lazy_totals

        require_tested(self, table.frame)
        return asked(lambda: lazy_totals(self, table.frame, plan, table.names()), self)


# === LazyEngine.collect with Engine, Frame, Row, asked,
#    opendp_lite.tables.engines.engine.Frame, opendp_lite.tables.engines.engine.Row
class LazyEngine(Engine):
    def collect(self, frame: Frame) -> list[Row]:
        return asked(lambda: _make_rows(self.fetch_arrow(frame)), self)


# === LazyEngine.fetch_arrow with Engine, Frame, Any,
#    opendp_lite.tables.engines.engine.Frame
class LazyEngine(Engine):
    def fetch_arrow(self, frame: Frame) -> Any:
        return frame.collect("pyarrow").to_arrow()


# === LazyEngine.rows with Engine, Row, Table, one,
#    opendp_lite.tables.engines.engine.Row
class LazyEngine(Engine):
    def rows(self, table: Table) -> list[Row]:
        names = {inside: name for name, inside in table.names().items()}
        return [
            {names[inside]: one(value) for inside, value in row.items()}
            for row in self.collect(table.frame)
        ]


# === _make_rows with Row, Any, opendp_lite.tables.engines.engine.Row, _HELD
def _make_rows(table: Any) -> list[Row]:
    parts = table.to_batches(max_chunksize=_HELD)
    return [row for part in parts for row in part.to_pylist()]


# === kind_of with Sequence, Any
def kind_of(values: Sequence[Any]) -> type:
    return next((type(value) for value in values if value is not None), str)
