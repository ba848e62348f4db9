"""The notebook of the examples: run from the first cell to the last, as people do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

PATH = Path(__file__).parents[1] / "examples" / "notebooks" / "first_release.ipynb"
COMMAND = (
    "run examples/notebooks/first_release.ipynb and save it, with what it puts out"
)


@pytest.fixture(scope="module")
def written() -> Any:
    return nbformat.read(PATH, as_version=4)


@pytest.fixture(scope="module")
def ran() -> Any:
    """The notebook as it runs, whatever else the machine does meanwhile.

    By sockets with names: of ports the kernel is told numbers that were free a moment
    ago, and others may have taken them. What a cell prints counts as one output, in
    however many parts it comes.
    """
    notebook = nbformat.read(PATH, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=600,
        startup_timeout=600,
        coalesce_streams=True,
        resources={"metadata": {}},
        config=Config({"KernelManager": {"transport": "ipc"}}),
    )
    asyncio.run(client.async_execute())
    return notebook


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def said(cell: Any) -> list[dict[str, str]]:
    """What a cell puts out, as text and as HTML; pictures by their kind alone."""
    found = []
    for output in cell.outputs:
        data = output.get("data", {"text/plain": output.get("text", "")})
        kinds = {kind: "" for kind in data if kind.startswith("image/")}
        text = {kind: data[kind] for kind in data if kind.startswith("text/")}
        found.append(kinds | text)
    return found


def test_it_runs_and_says_what_it_said(written: Any, ran: Any) -> None:
    """Cells tagged `fixed` put out the same again; the others have noise."""
    fixed = 0
    for before, now in zip(code(written), code(ran), strict=True):
        if "fixed" in before.metadata.get("tags", ()):
            assert said(before) == said(now), COMMAND
            fixed += 1
        else:
            assert [*map(len, said(before))] == [*map(len, said(now))], COMMAND
    assert fixed >= 8


def test_it_shows_pictures_trees_and_tables(written: Any) -> None:
    kinds = [kind for cell in code(written) for each in said(cell) for kind in each]
    assert kinds.count("image/png") == 2
    assert kinds.count("text/html") >= 3
