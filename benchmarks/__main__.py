"""Measure ours against OpenDP, PyDP, diffprivlib and numpy, side by side.

A full run writes benchmarks/results/latest.json, .md and .svg. A quick run, one of some
rows, and several runs write what --json and --chart name, and nothing else.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import evolve

from benchmarks import peers, report
from benchmarks.chart import draw
from benchmarks.harness import OURS, Absent, Outcome, Row, Settings, measure, select
from benchmarks.rows import FULL, QUICK, all_rows
from benchmarks.runs import merged, repeated

__all__ = ["main"]

RESULTS = Path(__file__).resolve().parent / "results"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--rows",
        nargs="+",
        default=[],
        metavar="ROW",
        help="rows to run: keys, beginnings of keys, or patterns with * (all)",
    )
    parser.add_argument("--list", action="store_true", help="list the rows and stop")
    parser.add_argument(
        "--quick", action="store_true", help="less data and 3 rounds: a trial"
    )
    parser.add_argument(
        "--table-rows", type=int, metavar="N", help="rows of a table, such as 100000000"
    )
    parser.add_argument(
        "--runs",
        type=int,
        default=1,
        metavar="N",
        help="measure N times, in new interpreters, and take the medians (1)",
    )
    parser.add_argument("--json", type=Path, help="write the results here")
    parser.add_argument("--chart", type=Path, help="draw a chart here: .svg or .png")
    options = parser.parse_args(arguments)
    if options.chart is not None and options.chart.suffix not in (".svg", ".png"):
        parser.error("--chart must end in .svg or .png")
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; 0 if ours was measured in every row, whatever came of the goals."""
    options = parse(arguments)
    settings = Settings(rounds=3, batch=0.01) if options.quick else Settings()
    sizes = QUICK if options.quick else FULL
    if options.table_rows is not None:
        sizes = evolve(sizes, tables=max(options.table_rows, 1))
    try:
        rows = select(all_rows(sizes), options.rows)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if options.list:
        for row in rows:
            print(f"{row.key:<30} {row.title}")
        return 0
    versions, absent = peers.versions(), peers.absentees()
    print(report.heading(versions, absent, settings, options.quick), flush=True)
    if options.runs > 1:
        outcomes, document = several(rows, options)
    else:
        outcomes = []
        for row in rows:
            outcomes.append(measure(row, settings))
            print(f"\n{report.row_text(outcomes[-1])}", flush=True)
        document = report.document(outcomes, versions, absent, settings, options.quick)
    print(f"\n{report.summary(outcomes)}")
    write(outcomes, document, options)
    return 0 if all(OURS in outcome.seconds for outcome in outcomes) else 1


def several(
    rows: Sequence[Row], options: argparse.Namespace
) -> tuple[list[Outcome], dict[str, Any]]:
    """Measure in new interpreters; print and return the medians over the runs."""
    # All rows are named, too: a run of some rows replaces no record.
    arguments = ["--rows", *(options.rows or ["*"])]
    arguments += ["--quick"] if options.quick else []
    if options.table_rows is not None:
        arguments += ["--table-rows", str(options.table_rows)]
    documents = []
    for document in repeated(arguments, options.runs):
        documents.append(document)
        goals = [goal["met"] for row in document["rows"] for goal in row["goals"]]
        print(
            f"run {len(documents)} of {options.runs}: "
            f"{goals.count(True)} of {len(goals)} goals met",
            flush=True,
        )
    outcomes = [merged(row, documents) for row in rows]
    for outcome in outcomes:
        spread = report.spread(outcome.row, documents)
        print(f"\n{report.row_text(outcome)}\n{spread}".rstrip())
    return outcomes, {"date": documents[-1]["date"], "runs": documents}


def write(
    outcomes: Sequence[Outcome],
    document: dict[str, Any],
    options: argparse.Namespace,
) -> None:
    """Write the files that were asked for; those of a full run by default."""
    json_path, chart_path = options.json, options.chart
    if not options.quick and not options.rows and options.runs == 1:
        RESULTS.mkdir(exist_ok=True)
        json_path = json_path or RESULTS / "latest.json"
        chart_path = chart_path or RESULTS / "latest.svg"
        (RESULTS / "latest.md").write_text(report.markdown(outcomes), encoding="utf-8")
    if json_path is not None:
        text = json.dumps(document, indent=1) + "\n"
        json_path.write_text(text, encoding="utf-8")
    if chart_path is not None:
        runs = "one run" if options.runs == 1 else f"{options.runs} runs"
        kind = "quick run" if options.quick else f"medians of {runs}"
        caption = f"Ratios of time, {kind}, {str(document['date'])[:10]}"
        try:
            draw(outcomes, chart_path, caption)
        except Absent as absent:
            print(f"No chart: {absent}")


if __name__ == "__main__":
    sys.exit(main())
