"""The notebook of the examples: run from the first cell to the last, as people do.

`make test` runs its code here, and shows values as IPython does; `make audit` has a
kernel run it as well.
"""

from __future__ import annotations

import ast
import asyncio
import io
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.formatters import DisplayFormatter
from IPython.core.pylabtools import print_figure
from matplotlib.figure import Figure
from nbclient import NotebookClient
from traitlets.config import Config

from tests.longer import shortened

PATH = Path(__file__).parents[1] / "examples" / "notebooks" / "first_release.ipynb"
COMMAND = (
    "run examples/notebooks/first_release.ipynb and save it, with what it puts out"
)


@pytest.fixture(scope="module")
def written() -> Any:
    return nbformat.read(PATH, as_version=4)


Said = list[dict[str, str]]  # of a cell: its outputs, as texts by their kind


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(data: Any) -> dict[str, str]:
    """An output as text and as HTML; a picture by its kind alone."""
    kinds = {kind: "" for kind in data if kind.startswith("image/")}
    return kinds | {kind: data[kind] for kind in data if kind.startswith("text/")}


def said(cell: Any) -> Said:
    """What a cell puts out, as it is written in a notebook."""
    return [
        texts(output.get("data", {"text/plain": output.get("text", "")}))
        for output in cell.outputs
    ]


def run_here(notebook: Any) -> list[Said]:
    """What the cells put out in this process: what they print, and their last value."""
    shown, names, found = DisplayFormatter(), {"__name__": "__main__"}, []
    shown.formatters["image/png"].for_type(Figure, print_figure)
    for cell in code(notebook):
        *body, last = ast.parse(cell.source).body
        value, printed = None, io.StringIO()
        with redirect_stdout(printed):
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            else:
                exec(compile(ast.Module([last], []), "cell", "exec"), names)
        outputs = [{"text/plain": printed.getvalue()}] if printed.getvalue() else []
        if value is not None:
            outputs.append(texts(shown.format(value)[0]))
        found.append(outputs)
    return found


def run_by_kernel(notebook: Any) -> list[Said]:
    """What the cells put out, whatever else the machine does meanwhile.

    By sockets with names: of ports the kernel is told numbers that were free a moment
    ago, and others may have taken them. What a cell prints counts as one output, in
    however many parts it comes.
    """
    client = NotebookClient(
        notebook,
        timeout=600,
        startup_timeout=600,
        coalesce_streams=True,
        resources={"metadata": {}},
        config=Config({"KernelManager": {"transport": "ipc"}}),
    )
    asyncio.run(client.async_execute())
    return [said(cell) for cell in code(notebook)]


@pytest.mark.parametrize("run", shortened([run_here, run_by_kernel], run_by_kernel))
def test_it_runs_and_says_what_it_said(
    written: Any, run: Callable[[Any], list[Said]]
) -> None:
    """Cells tagged `fixed` put out the same again; the others have noise."""
    fixed = 0
    ran = run(nbformat.read(PATH, as_version=4))
    for cell, now in zip(code(written), ran, strict=True):
        if "fixed" in cell.metadata.get("tags", ()):
            assert said(cell) == now, COMMAND
            fixed += 1
        else:
            assert [*map(len, said(cell))] == [*map(len, now)], COMMAND
    assert fixed >= 8


def test_it_shows_pictures_trees_and_tables(written: Any) -> None:
    kinds = [kind for cell in code(written) for each in said(cell) for kind in each]
    assert kinds.count("image/png") == 2
    assert kinds.count("text/html") >= 3
