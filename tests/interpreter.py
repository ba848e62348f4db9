"""Programs in an interpreter of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

__all__ = ["loaded_after", "printed_by"]

ROOT = Path(__file__).resolve().parents[1]


def printed_by(program: str) -> str:
    """What a program prints."""
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def loaded_after(program: str) -> set[str]:
    """The modules that are loaded after a program."""
    return set(printed_by(f"import sys\n{program}\nprint(*sys.modules)").split())
