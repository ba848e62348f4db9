"""What editors say of pipelines: the types that mypy and pyright reveal and refuse.

pyright runs as basedpyright, whose wheels bring all that it needs, so that the test
downloads nothing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import opendp_lite.prelude as dp
from tests.test_repository import ROOT

OPENING = """\
import opendp_lite.prelude as dp
space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
loss, unit = dp.loss_of(epsilon=1.0), dp.unit_of(contributions=1)
context = dp.Context.compositor([1, 2, 3], unit, loss, domain=space[0])
age = dp.option_domain(dp.atom_domain(T="i64"))
columns, rows = dp.table_domain({"age": age}), {"age": [31, 33]}
table = dp.Context.compositor(rows, unit, loss, domain=columns)
count = space >> dp.t.then_count()
clamped = space >> dp.t.then_clamp((0, 10))
late = dp.t.then_clamp((0, 10)) >> dp.t.then_sum() >> dp.m.then_laplace(20.0)
noisy = space >> late
"""

PIPELINES = {
    "space >> dp.t.then_count()": "Transformation",
    "clamped >> dp.t.make_sum(*clamped.output_space)": "Transformation",
    "clamped >> dp.t.then_sum() >> dp.m.then_gaussian(scale=9.0)": "Measurement",
    "count >> dp.m.make_laplace(*count.output_space, 2.0)": "Measurement",
    "dp.t.then_clamp((0, 10)) >> dp.t.then_sum()": "Partial[Transformation]",
    "dp.t.then_count() >> dp.m.then_laplace(2.0)": "Partial[Measurement]",
    "space >> late": "Measurement",
    "clamped >> (dp.t.then_sum() >> dp.m.then_laplace(20.0))": "Measurement",
    "space >> dp.t.then_histogram([1, 2]) >> dp.m.then_laplace(1) >> dp.t.make_cdf()": (
        "Measurement"
    ),
    "dp.binary_search_chain(lambda s: count >> dp.m.then_laplace(s), 1, 0.5)": (
        "Measurement"
    ),
    "count >> dp.PartialChain(dp.m.then_laplace)": "PartialChain",
    "space >> dp.c.then_fully_adaptive_composition(dp.max_divergence())": "Odometer",
    "context.query().clamp((0, 10)).sum().laplace(20.0)": "Query",
    "context.query(epsilon=0.1).private_quantile([1, 2], alpha=0.5)": "Query",
    "context.query(epsilon=0.5).count().laplace().resolve()": "Measurement",
    "dp.col('age').fill_null(0).clip(0, 100).sum()": "Aggregate",
    "table.table(epsilon=0.1).agg(people=dp.count())": "TableQuery",
}
"""Pipelines, and the types that they have: for a type checker, and when they run."""

SIGNATURES = {
    "count.map": "(d_in: object, *, exact: bool) -> Any",
    "noisy.check": "(d_in: object, d_out: object, *, debug: bool) -> bool",
    "noisy.__call__": "(arg: Any) -> Any",
    "context.query().drop_null": "() -> Query",
    "context.query().impute_constant": "(constant: object) -> Query",
}

REFUSED = [
    "context.query().coutn()",
    "context.query().clamp()",
    "dp.t.then_cuont()",
    "count.mapp(1)",
    "count >> float",
    "count >> dp.m.then_laplace",
    "count >> dp.m.then_laplace(scale=[1])",
    "context.query().clamp(3)",
    "noisy >> dp.m.then_laplace(1.0)",
    "noisy >> 3",
    "late >> 3",
    "space[::-1] >> dp.t.then_count()",
    "[*space] >> dp.t.then_count()",
    "dp.col('age').groupby()",
]


def run(*command: str) -> str:
    """Return what a type checker prints; that it finds mistakes is no failure."""
    found = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True
    )
    assert found.returncode in (0, 1), found.stderr
    return found.stdout


def ask_mypy(file: Path) -> list[tuple[int, str, str]]:
    """Return line, severity and text of all that mypy says about a file."""
    lines = run("mypy", "--output", "json", str(file)).splitlines()
    told = [json.loads(line) for line in lines]
    return [(each["line"], each["severity"], each["message"]) for each in told]


def ask_pyright(file: Path) -> list[tuple[int, str, str]]:
    """Return line, severity and text of all that pyright says about a file."""
    settings: dict[str, Any] = {"include": [file.name], "typeCheckingMode": "standard"}
    settings |= {"extraPaths": [str(ROOT)], "pythonVersion": "3.11"}
    settings |= dict.fromkeys(
        ("reportUnknownMemberType", "reportUnknownVariableType"), "error"
    )
    project = file.with_name("pyrightconfig.json")
    project.write_text(json.dumps(settings), encoding="utf-8")
    options = ("--project", str(project), "--pythonpath", sys.executable)
    told = json.loads(run("basedpyright", "--outputjson", *options))
    return [
        (each["range"]["start"]["line"] + 1, each["severity"], each["message"])
        for each in told["generalDiagnostics"]
    ]


def plain(message: str) -> str | None:
    """Return the type in a message, without modules and defaults; None if none is."""
    revealed = re.search(r'(?:Revealed type is|Type of ".*" is) "(.*)"$', message)
    if revealed is None:
        return None
    named = re.sub(r"\w+\.(?=\w)", "", revealed[1]).removeprefix("def ")
    return re.sub(r" = ?\w*(?=[,)])", "", named)


@pytest.mark.parametrize("ask", [ask_mypy, ask_pyright])
def test_types_are_revealed_and_mistakes_are_found(
    ask: Callable[[Path], list[tuple[int, str, str]]], tmp_path: Path
) -> None:
    revealed = PIPELINES | SIGNATURES
    lines = OPENING.splitlines()
    asked = {len(lines) + i: each for i, each in enumerate(revealed, 1)}
    lines += [f"reveal_type({each})" for each in revealed]
    wrong = {len(lines) + i: each for i, each in enumerate(REFUSED, 1)}
    lines += [f"_{i} = {each}" for i, each in enumerate(REFUSED)]
    file = tmp_path / "pipelines.py"
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    told = ask(file)
    types = {asked.get(n, n): plain(text) for n, _, text in told if plain(text)}
    assert types == revealed
    errors = {wrong.get(n, n): text for n, kind, text in told if kind == "error"}
    assert set(errors) == set(REFUSED), errors
    assert "coutn" in errors["context.query().coutn()"]


def test_what_is_revealed_is_so_and_what_is_refused_fails() -> None:
    namespace: dict[str, Any] = {}
    exec(OPENING, namespace)
    for text, kind in PIPELINES.items():
        assert type(eval(text, namespace)).__name__ == kind.partition("[")[0], text
    for text in REFUSED:
        with pytest.raises((AttributeError, TypeError, dp.OpenDPException)):
            eval(text, namespace)
