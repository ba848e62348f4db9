"""Writes the pictures of the README and of the documentation: docs/assets/*.svg.

They are those of examples/pictures.py, each on light and on dark paper. The same
matplotlib writes the same files: nothing in them is drawn at random or has a date.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ASSETS = HERE / "assets"
sys.path.insert(0, str(HERE.parent / "examples"))
import pictures  # noqa: E402

# A histogram as it was released once, so that the picture stays the same.
RELEASED = [1, 64, 131, 72, 56, 59]
PICTURES = {**pictures.PICTURES, "counts": partial(pictures.counts, released=RELEASED)}
THEMES = ("light", "dark")


def files() -> dict[str, tuple[str, str]]:
    """Return the names of all files, with the picture and the theme of each."""
    return {f"{n}-{theme}.svg": (n, theme) for n in PICTURES for theme in THEMES}


def write(folder: Path, name: str) -> None:
    """Write one file."""
    import matplotlib

    picture, theme = files()[name]
    figure: Any = PICTURES[picture](theme)
    with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "path"}):
        figure.savefig(folder / name, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    ASSETS.mkdir(exist_ok=True)
    for each in files():
        write(ASSETS, each)
