"""How long an import takes, in fresh interpreters."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from benchmarks.harness import OURS, Call, Contender, Goal, Margin, Row
from benchmarks.peers import PEERS, load

__all__ = ["rows"]

FLOOR = "attrs + gmpy2"

# OpenDP loads scikit-learn where it finds it, which takes a second, and here it is
# only for the sake of diffprivlib. So OpenDP is imported as if it were not there.
HIDDEN = {"OpenDP": ("sklearn",)}

# The interpreter's own start does not count, nor does the writing of bytecode: the
# first import, which is not timed, has written it.
PROGRAM = """
import sys
from time import perf_counter
sys.modules.update(dict.fromkeys({hidden}))
start = perf_counter()
import {modules}
print(perf_counter() - start)
"""


def fresh_import(modules: str, hidden: tuple[str, ...] = ()) -> float:
    """Seconds that the import takes in an interpreter of its own."""
    program = PROGRAM.format(modules=modules, hidden=hidden)
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(run.stdout.split()[-1])


def importing(name: str) -> Callable[[], Call]:
    """Import the library of this name, if it is there."""

    def build() -> Call:
        load(name)
        return lambda: fresh_import(PEERS[name].module, HIDDEN.get(name, ()))

    return build


def rows() -> list[Row]:
    """The preludes, and what ours cannot do without."""
    notes = {"OpenDP": "with scikit-learn hidden, which it would load too"}
    peers = [
        Contender(name, importing(name), note=notes.get(name, ""), self_timed=True)
        for name in (OURS, "OpenDP", "PyDP", "diffprivlib", "numpy")
    ]
    floor = Contender(
        FLOOR,
        lambda: lambda: fresh_import("attrs, gmpy2"),
        note="import attrs, gmpy2",
        self_timed=True,
    )
    return [
        Row(
            "import",
            "import of the prelude",
            "call",
            (*peers, floor),
            (Goal(("OpenDP",), 1 / 0.6), Margin((FLOOR,), 0.06)),
            "fresh interpreters, without their start; <= 0.6x is >= 1.67x as fast",
        )
    ]
