"""The notebook of the examples: run from the first cell to the last, as people do.

`make test` runs its code here, and shows values as the notebook has them; `make audit`
has a kernel run it as well, with what only it installs.
"""

from __future__ import annotations

import ast
import asyncio
import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from tests.longer import shortened

PATH = Path(__file__).parents[1] / "examples" / "notebooks" / "first_release.ipynb"
COMMAND = (
    "run examples/notebooks/first_release.ipynb and save it, with what it puts out"
)


@pytest.fixture(scope="module")
def written() -> Any:
    return json.loads(PATH.read_text(encoding="utf-8"))


Said = list[dict[str, str]]  # of a cell: its outputs, as texts by their kind


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def texts(data: Any) -> dict[str, str]:
    """An output as text and as HTML; a picture by its kind alone."""
    kinds = {kind: "" for kind in data if kind.startswith("image/")}
    # In a file a text is a list of its lines.
    return kinds | {
        kind: "".join(data[kind]) for kind in data if kind.startswith("text/")
    }


def said(cell: Any) -> Said:
    """What a cell puts out, as it is written in a notebook."""
    return [
        texts(output.get("data", {"text/plain": output.get("text", "")}))
        for output in cell["outputs"]
    ]


def shown(value: object) -> dict[str, str]:
    """A value as a notebook shows one."""
    data = {"text/plain": repr(value)}
    if isinstance(value, Figure):
        return data | {"image/png": ""}
    html = getattr(value, "_repr_html_", None)
    return data | {"text/html": html()} if html else data


def run_here(notebook: Any) -> list[Said]:
    """What the cells put out in this process: what they print, and their last value."""
    names, found = {"__name__": "__main__"}, []
    for cell in code(notebook):
        *body, last = ast.parse("".join(cell["source"])).body
        value, printed = None, io.StringIO()
        with redirect_stdout(printed):
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            else:
                exec(compile(ast.Module([last], []), "cell", "exec"), names)
        outputs = [{"text/plain": printed.getvalue()}] if printed.getvalue() else []
        if value is not None:
            outputs.append(shown(value))
        found.append(outputs)
    return found


def run_by_kernel(notebook: Any) -> list[Said]:
    """What the cells put out, whatever else the machine does meanwhile.

    By sockets with names: of ports the kernel is told numbers that were free a moment
    ago, and others may have taken them. What a cell prints counts as one output, in
    however many parts it comes.
    """
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    ran = nbformat.reads(json.dumps(notebook), as_version=4)
    client = NotebookClient(
        ran,
        timeout=600,
        startup_timeout=600,
        coalesce_streams=True,
        resources={"metadata": {}},
        config=Config({"KernelManager": {"transport": "ipc"}}),
    )
    asyncio.run(client.async_execute())
    return [said(cell) for cell in code(ran)]


@pytest.mark.parametrize("run", shortened([run_here, run_by_kernel], run_by_kernel))
def test_it_runs_and_says_what_it_said(
    written: Any, run: Callable[[Any], list[Said]]
) -> None:
    """Cells tagged `fixed` put out the same again; the others have noise."""
    fixed = 0
    ran = run(written)
    for cell, now in zip(code(written), ran, strict=True):
        if "fixed" in cell["metadata"].get("tags", ()):
            assert said(cell) == now, COMMAND
            fixed += 1
        else:
            assert [*map(len, said(cell))] == [*map(len, now)], COMMAND
    assert fixed >= 8


def test_it_shows_pictures_trees_and_tables(written: Any) -> None:
    kinds = [kind for cell in code(written) for each in said(cell) for kind in each]
    assert kinds.count("image/png") == 2
    assert kinds.count("text/html") >= 3
