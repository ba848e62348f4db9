"""For each trap of the engines: a rule of ours that is left out, and what sees it.

A row of the table is a trap, the rule that is left out, by what, and the check that has
to fail then (`checks.py`). Whether an engine has the trap is asked of itself,
by a probe (`probes.py`): where it has, the check must fail, and where it has not, what
is left out changes nothing there, and the check must pass. An engine that lacks a trap,
in one version or in all, is named in its row; no other may be without it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import attrs
import narwhals.stable.v2 as nw
import pyarrow as pa
import pytest

from opendp_lite.base.errors import OpenDPException
from opendp_lite.tables import expressions, lines, planning, terms, translate
from opendp_lite.tables.engines import door, lazy, sources
from opendp_lite.tables.engines import totals as engine_totals
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.written import Written
from tests.tables import checks, faults, probes
from tests.tables.places import ENGINES, Place
from tests.tables.traps import BIG, REAL

EVERY = ("DuckDB", "Polars", "Spark")
HERE = ("DuckDB",)  # the rule stands before engines, and one of them is enough
NATIVE = "the class of the engine"
NEW = ("int", "cast")  # what is not there before: a name of Python, and a method
column = nw.col("x")

Fault = tuple[Any, str, Any]  # where, what, and what stands there instead


@attrs.frozen
class Mutant:
    """A trap, what is left out, and what sees it."""

    trap: str
    left_out: str
    planted: list[Fault]
    seen_by: Callable[[Place], None]
    probe: Callable[[Place], bool]
    lacking: tuple[str, ...] = ()
    engines: tuple[str, ...] = EVERY


def native(attribute: str, fault: Any) -> list[Fault]:
    """Return the fault of what an engine is told natively."""
    return [(NATIVE, attribute, fault)]


HALVES = pa.array(checks.HALVES)
SMALL = pa.array([127, -128], pa.int8())
SINGLE = pa.array([2.0**127], pa.float32())
WIDE_INT = [(expressions, "_LARGEST", 2**70)]
DIVISION: list[Fault] = [
    *WIDE_INT,
    (expressions.Arithmetic, "_symbols", frozenset("+-*") | {"//"}),
    (expressions, "_ARITHMETIC", {"//": operator.floordiv}),
    (translate, "_OPERATORS", {"//": operator.floordiv}),
]
FOUR = pa.array([2**62] * 4)
F = nw.lit(2.0**53, nw.Float64)

MUTANTS = [
    # trap, what is left out, where and how, what sees it, who has the trap
    Mutant(
        "NaN > 1",
        "fill_null asks for null alone",
        [(translate, "_is_there", faults.null_only)],
        checks.trap("NaN > 1"),
        probes.is_not([True, False, None, False, True], REAL, column > nw.lit(1.0)),
    ),
    Mutant(
        "not of null",
        "what may be missing is computed with",
        [(terms.Expr, "present", faults.missing_is_present)],
        checks.not_of_null,
        probes.is_not([False, True], pa.array([True, None]), ~column),
    ),
    Mutant(
        "clip of NaN",
        "the engine fills and clips",
        [(translate, "_clipped", faults.clipped_by_engine)],
        checks.trap("clip of NaN"),
        probes.is_not([1.5, None, None, 0.0, 2.0], REAL, column.clip(-1.0, 2.0)),
    ),
    Mutant(
        "0.0, -0.0 and NaN as keys",
        "floats are keys",
        [(planning, "key_column", faults.any_key)],
        checks.float_keys,
        probes.groups,
    ),
    Mutant(
        "round(2.5)",
        "the engine rounds",
        [(engine_totals, "rint", faults.rounded_by_engine)],
        checks.halves,
        probes.is_not(checks.ROUNDED, HALVES, column.round()),
        lacking=("Polars",),
    ),
    Mutant(
        "cast(1.5)",
        "what is cast is not rounded before",
        [(engine_totals, "rint", lambda value: value)],
        checks.halves,
        probes.is_not(checks.ROUNDED, HALVES, column.cast(nw.Int64)),
        lacking=("DuckDB",),
    ),
    Mutant(
        "cast of NaN",
        "what is cast may be NaN",
        [(translate, "_clipped", faults.not_clipped)],
        checks.halves,
        probes.is_not([None], pa.array([math.nan]), column.cast(nw.Int64)),
    ),
    Mutant(
        "messages with values",
        "what an engine raises is passed on",
        [(lazy, "asked", faults.asked)],
        checks.silent,
        probes.tells,
    ),
    Mutant(
        "logs with values",
        "PySpark logs errors",
        native("fetch_arrow", LazyEngine.fetch_arrow),
        checks.quiet,
        probes.logs,
        engines=("Spark",),
    ),
    Mutant(
        "int8 127 + 127",
        "integers stay as narrow as they are stored",
        native("whole", faults.as_it_is),
        checks.trap("int8 127 + 127"),
        probes.is_not([254, -256], SMALL, column + column),
    ),
    Mutant(
        "float32 2^127 + 2^127",
        "floats stay as narrow as they are stored",
        native("real", faults.as_it_is),
        checks.single,
        probes.is_not([2.0**128], SINGLE, column + column),
    ),
    Mutant(
        "int64 overflow, of a sum",
        "no limbs",
        [(engine_totals, "limb_count", lambda top: 1)],
        checks.large_sums,
        probes.exactly(2**64, FOUR, column.sum()),
        lacking=("DuckDB",),
    ),
    Mutant(
        "int64 overflow, in a cell",
        "no limbs",
        [(engine_totals, "limb_count", lambda top: 1)],
        checks.large_cells,
        probes.exactly(2**64, FOUR, column.sum().cast(nw.Int64)),
    ),
    Mutant(
        "int64 overflow, of an expression",
        "integers of any size are computed with",
        list(WIDE_INT),
        checks.doubled,
        probes.is_not([2**63], pa.array([2**62]), column + column),
    ),
    Mutant(
        "(2^53+1) // 3",
        "integers of any size are divided",
        DIVISION,
        checks.divided,
        probes.is_not([3002399751580331], BIG[2:3], column // nw.lit(3, nw.Int64)),
        lacking=("DuckDB", "Polars"),
    ),
    Mutant(
        "int == float above 2^53",
        "operands of two types",
        [(terms.OfTwo, "operands", faults.any_operands)],
        checks.mixed,
        probes.is_not([False], BIG[2:3], column == F),
    ),
    Mutant(
        "guards",
        "a condition guards the cast beside it",
        [(translate, "_clipped", faults.cast_under_a_guard)],
        checks.guarded,
        probes.computes_all,
        lacking=("Spark",),
    ),
    Mutant(
        "collations",
        "text is compared as its column says",
        native("text", faults.as_it_is),
        checks.cases,
        probes.caseless,
        lacking=("Polars",),
    ),
    Mutant(
        "invalid UTF-8",
        "bytes are not looked at",
        [
            (sources, "_from_arrow", faults.not_validated),
            *native("text", faults.as_it_is),
        ],
        checks.unicode_only,
        probes.always,
        engines=("DuckDB", "Spark"),
    ),
    Mutant(
        "decimals, time zones, uint64",
        "every type is taken for integers",
        [(door, "_sources", faults.all_types)],
        checks.other_types,
        probes.always,
    ),
    Mutant(
        "dates",
        "a date is cast",
        native("days", faults.number),
        checks.days,
        probes.is_not([-1], pa.array([checks.DAY]), column.cast(nw.Int64)),
        lacking=("Polars",),
    ),
    Mutant(
        "names of columns",
        "columns are chosen by name",
        native("chosen", faults.chosen_by_name),
        checks.names,
        probes.by_name,
    ),
    Mutant(
        "is_in of many keys",
        "public keys are a list in the query",
        [(LazyEngine, "joined", faults.listed)],
        checks.many_keys,
        probes.scans,
        lacking=("Polars", "Spark"),
    ),
    Mutant(
        "is_in of many values",
        "lists in expressions are of any length",
        [(expressions, "_MOST_VALUES", 10**6)],
        checks.few_values,
        probes.always,
        engines=HERE,
    ),
    Mutant(
        "sums that are decimals",
        "totals stay as they come",
        [(engine_totals, "int", lambda value: value)],
        checks.plain_integers,
        probes.sum_is_not(6, pa.array([1, 2, 3]), column.sum()),
        lacking=("Polars", "Spark"),
    ),
    Mutant(
        "rows counted in 32 bits",
        "the engine's own number of rows",
        [(engine_totals, "_summed", faults.by_len)],
        checks.wide_counts,
        probes.counts_in_32_bits,
        lacking=("DuckDB", "Spark"),
    ),
    Mutant(
        "CSV, as a table",
        "the engine reads it",
        [(sources, "_from_files", faults.read_csv)],
        checks.no_csv,
        probes.swallows,
        engines=HERE,
    ),
    Mutant(
        "CSV, line by line",
        "a quote that is open swallows the next lines",
        [(lines, "fields", faults.swallowing())],
        checks.lines,
        probes.always,
        engines=HERE,
    ),
    Mutant(
        "files believed, of NaN",
        "bounds of floats are not hidden",
        native("real", faults.as_it_is),
        checks.files_of_nan,
        probes.believes,
        lacking=("Polars", "Spark"),
    ),
    Mutant(
        "files believed, that lie",
        "bounds of integers are not hidden",
        native("whole", faults.as_it_is),
        checks.files_that_lie,
        probes.believes_integers,
        lacking=("Polars", "Spark"),
    ),
    Mutant(
        "codes that depend on other rows",
        "texts are numbered by rank",
        native("text_code", faults.by_rank),
        checks.codes,
        probes.always,
    ),
    Mutant(
        "functions and settings of a user's",
        "they are not looked at",
        native("settings", faults.no_settings),
        checks.settings,
        probes.always,
    ),
    Mutant(
        "text functions, casts",
        "the language has them",
        [(Written, "cast", lambda self, kind: self)],
        checks.no_casts,
        probes.always,
        engines=HERE,
    ),
]


def tried(mutant: Mutant, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Assert that the mutant is seen in this place, if the trap is there."""
    monkeypatch.setattr("opendp_lite.tables.engines.selftest.agrees", lambda *_: True)
    mutant.seen_by(place)  # while nothing is left out, it passes
    there = mutant.probe(place)
    assert there or place.engine in mutant.lacking
    for owner, attribute, fault in mutant.planted:
        where = ENGINES[place.engine] if owner is NATIVE else owner
        monkeypatch.setattr(where, attribute, fault, raising=attribute not in NEW)
    seen = False
    try:
        mutant.seen_by(place)
    except (AssertionError, OpenDPException, pytest.fail.Exception):
        seen = True
    assert seen == there, mutant.left_out
