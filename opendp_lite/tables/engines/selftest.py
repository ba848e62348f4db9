"""An engine is tried on a hostile table of 64 rows before it is believed.

The table is public and fixed. It is put into the session of the user's data, where
expressions, joins and plans are run on it, and every integer and truth value must be
what Python says. This is done before the first totals in a session, and again when its
settings have changed. It is evidence, not proof: the lemma `engines` says what is
assumed of an engine, and this is to refuse one of which it is not true.
"""

from __future__ import annotations

import hashlib
from typing import Any

from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.engine import Frame, Row, Table, asked, one
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.engines.python import PYTHON
from opendp_lite.tables.engines.totals import lazy_totals
from opendp_lite.tables.expressions import Expr, col, lit
from opendp_lite.tables.steps import as_steps

REFUSED = (
    "the engine that holds the table, with the settings of its session, does not "
    "compute what the proofs assume: on a fixed table of 64 rows its integers are "
    "others than Python's. Nothing was released. Use a session with usual settings, "
    "functions and versions, or bring the table as Parquet files"
)
_FLOATS = [None, *map(float, ("nan", "inf", "-inf")), 0.0, -0.0, 5e-324, -5e-324]
_FLOATS += [1e308, -1e308, 0.1, 0.5, 1.5, 2.5, -0.5, 1 / 3, 4503599627370497.5, 2.0**60]
_INTS = [None, 0, 1, -1, 7, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 119]
_TEXTS = [
    None,
    "",
    "a",
    "A",
    "a ",
    "\u00e9",
    "e\u0301",
    "\U0001f600",
    "\uffff",
    "\u00df",
]
_TEXTS += ["a\x00", "'", '"', "nan", "null", "b", "B", "\\", "\u0130", "i"]
_BOOLS = [None, True, False, True, False]
_ROWS = 64


def _cycle(values: list[Any], stride: int) -> list[Any]:
    return [values[i * stride % len(values)] for i in range(_ROWS)]


HOSTILE: dict[str, list[Any]] = {
    "row": list(range(_ROWS)),
    "id": _cycle([0, 1, 2, 3, 2**62, -5, None], 1),
    "name": _cycle(_TEXTS, 3),
    "x": _cycle(_FLOATS, 1),
    "a": _cycle(_INTS, 1),
    "b": _cycle(_BOOLS, 1),
    "s": _cycle(_TEXTS, 1),
}
COLUMNS = {
    "row": AtomDomain(T=int),
    "id": OptionDomain(AtomDomain(T=int)),
    "name": OptionDomain(AtomDomain(T=str)),
    "x": OptionDomain(AtomDomain(T=float)),
    "a": OptionDomain(AtomDomain(T=int)),
    "b": OptionDomain(AtomDomain(T=bool)),
    "s": OptionDomain(AtomDomain(T=str)),
}
PUBLIC: dict[str, list[Any]] = {
    "s": ["a", "A", "\u00e9", "", "a\x00", "'"],
    "weight": [0.1, None, float("inf"), -0.0, 5e-324, 1.5],
    "word": ["A", "a", None, "\U0001f600", "", '"'],
}


def require_tested(engine: LazyEngine, frame: Frame) -> None:
    """Raise unless the engine computes what Python does, in this session, as it is.

    :param engine: the engine
    :param frame: a frame of the session that is tried
    """
    settings = asked(lambda: engine.settings(frame), engine)
    digest = hashlib.sha256(settings.encode()).hexdigest()  # they may hold passwords
    if digest in engine.tested:
        return
    if not asked(lambda: agrees(engine, frame), engine):
        raise OpenDPException("FailedEngine", REFUSED)
    engine.tested.add(digest)


def agrees(engine: LazyEngine, frame: Frame) -> bool:
    """Return whether the engine says of the hostile table what Python says."""
    inside = {f"c{i}": values for i, values in enumerate(HOSTILE.values())}
    declared = tuple(COLUMNS.items())
    there = Table(engine, engine.public(frame, inside), declared)
    here = Table(PYTHON, tuple(_rows(HOSTILE)), declared)
    new = expressions()
    known = dict(there.columns) | {name: e.domain(COLUMNS) for name, e in new.items()}
    ours, theirs = (
        Table(table.engine, table.engine.with_columns(table, new), tuple(known.items()))
        for table in (here, there)
    )
    if not _same(ours, theirs):
        return False
    # From here on the rows are given as they were found to be: queries stay short.
    found = {c: [row[name] for row in ours.frame] for name, c in ours.names().items()}
    theirs = Table(engine, engine.public(frame, found), theirs.columns)
    for name in ("near", "named", "either"):
        kept = [
            Table(t.engine, t.engine.filter(t, col(name)), t.columns)
            for t in (ours, theirs)
        ]
        if not _same(*kept):
            return False
    brought = {
        "weight": OptionDomain(AtomDomain(T=float)),
        "word": OptionDomain(AtomDomain(T=str)),
    }
    for how in ("left", "inner"):
        joined = [
            Table(
                t.engine,
                t.engine.join_public(t, ["s"], PUBLIC, how),
                (*t.columns, *brought.items()),
            )
            for t in (ours, theirs)
        ]
        if not _same(*joined):
            return False
    return all(
        lazy_totals(engine, theirs.frame, plan, theirs.names())
        == plan.meaning(ours.frame)
        for plan in plans(known)
    )


def expressions() -> dict[str, Expr]:
    """Return the expressions that are tried, by name: each kind, on extremes."""
    x, a, s = col("x").fill_null(0.25), col("a").fill_null(-3), col("s").fill_null("?")
    near = col("x").fill_null(-7.5).clip(-9.5, 9.5)
    small = a.clip(-1000, 1000)
    return {
        "near": near > lit(0.25),
        "named": s.is_in(["a", "A", "a\x00", "\u00df", "'"]),
        "either": (col("b").fill_null(False) == lit(True)) | ~(x <= lit(0.1)),
        "both": col("x").is_null() & (a != lit(2**31)),
        "gone": col("s").is_null(),
        "bin": near.cut((-0.5, 0.0, 0.1, 0.5, 1.5, 2.5)),
        "step": small.cut((-1, 0, 1, 7, 119)),
        "sum": near * lit(0.1) + near - lit(1 / 3),
        "product": small * small - a.clip(-5, 2**40),
        "far": x.clip(-1e300, 1e300),
        "wide": a.clip(-(2**52), 2**52),
        "text": s,
        "who": col("name").fill_null("?"),
        "flag": col("b").fill_null(True),
    }


def plans(columns: Any) -> list[Plan]:
    """Return the plans that are tried, with and without people and public keys."""
    sums = (
        as_steps("far", col("far").clip(-8.0, 8.0), columns),
        as_steps("half", col("sum"), columns, 0),
        as_steps("wide", col("wide"), columns),
        as_steps("product", col("product").clip(-5, 70), columns),
    )
    few = sums[:2] + sums[3:]
    keys = (("a", True), ("A", False), ("\u00e9", True), ("absent", True), ("?", False))
    return [
        Plan(columns, (), sums, None, 1, 1, 0, None, None),
        Plan(columns, ("text", "flag"), sums, None, 1, 1, 0, None, None),
        Plan(columns, ("text", "flag"), few, "name", 1, 2, 20261117, keys, None),
        Plan(columns, ("bin",), few, "id", 2, 3, 7, None, None),
        Plan(columns, ("flag",), (), "id", 1, 2, 7, None, "text"),
    ]


def _rows(columns: dict[str, list[Any]]) -> list[Row]:
    return [
        dict(zip(columns, map(one, row), strict=True))
        for row in zip(*columns.values(), strict=True)
    ]


def _same(ours: Table, theirs: Table) -> bool:
    """Return whether two tables have the same rows, by their numbers."""
    left, right = (
        sorted(table.rows(), key=lambda row: int(row["row"]))
        for table in (ours, theirs)
    )
    return left == right
