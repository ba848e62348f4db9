"""Several runs, each in an interpreter of its own, and what they say together.

How fast a process is depends on where its memory lies, and a shared machine is busy for
minutes: a ratio of one run scatters by a tenth and more. The median over runs does so
less, and the range tells how far one of them may be off.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.harness import Measured, Outcome, Row

__all__ = ["merged", "repeated"]

REPOSITORY = Path(__file__).resolve().parents[1]

Document = Mapping[str, Any]


def repeated(arguments: Sequence[str], count: int) -> Iterator[Document]:
    """Yield what each of `count` runs of the command with these arguments writes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        command = [sys.executable, "-m", "benchmarks", *arguments, "--json", str(path)]
        for _ in range(count):
            run = subprocess.run(
                command, cwd=REPOSITORY, stdout=subprocess.DEVNULL, check=False
            )
            # It ends with 1 where ours was not measured in a row, and writes that, too.
            if run.returncode not in (0, 1):
                raise ChildProcessError(f"a run ended with {run.returncode}")
            yield json.loads(path.read_text(encoding="utf-8"))
            path.unlink()  # else a run that writes nothing would pass for this one


def merged(row: Row, documents: Sequence[Document]) -> Outcome:
    """The row with the median of each run in the place of a round."""
    found = [each for document in documents for each in document["rows"]]
    runs = [each["contenders"] for each in found if each["key"] == row.key]
    measured = []
    for number, contender in enumerate(row.contenders):
        mine = [run[number] for run in runs]
        times = [each["seconds_per_unit"] for each in mine]
        if None in times:
            # A median over the runs that went well would hide the others.
            failed = mine[times.index(None)]
            status = failed["status"], (), failed["reason"]
            measured.append(Measured(contender, *status))
        else:
            measured.append(Measured(contender, "measured", tuple(times)))
    return Outcome(row, tuple(measured))
