"""The table of SECURITY.md: which check sees which planted fault.

`python -m tests.guard.page` writes it anew; the test beside it only compares.
"""

from __future__ import annotations

from tests.guard.checks import CHECKS
from tests.guard.faults import FAULTS
from tests.guard.planting import Fault
from tests.review.example import ROOT

__all__ = ["BEGIN", "END", "PAGE", "row", "rows_of", "table"]

PAGE = ROOT / "SECURITY.md"
BEGIN = "<!-- planted faults: written by `python -m tests.guard.page` -->"
END = "<!-- end of planted faults -->"


def row(fault: Fault) -> str:
    """Plant one fault, ask every check, and return the line of the table."""
    cells = ["sees" if sees(fault) else "-" for sees in CHECKS.values()]
    return f"| {' | '.join([fault.says, *cells])} |"


def table(rows: list[str]) -> str:
    """Return the table of these rows."""
    head = ["planted fault", *CHECKS]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |"]
    return "\n".join([BEGIN, *lines, *rows, END])


def rows_of(text: str) -> list[str]:
    """Return the rows of the table that stands in a text."""
    inside = text[text.index(BEGIN) : text.index(END)].splitlines()
    return [line for line in inside if line.startswith("|")][2:]


def main() -> None:
    """Write the table into SECURITY.md."""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text[: text.index(BEGIN)], text[text.index(END) + len(END) :]
    new = table([row(fault) for fault in FAULTS])
    PAGE.write_text(before + new + after, encoding="utf-8")


if __name__ == "__main__":
    main()
