"""A synthetic survey, made by a deterministic generator: no person is behind a row.

Answers come from a counter run through SHA-256, so the file `data/survey.csv` can be
made again, byte for byte, by `python examples/survey.py`. Like real data it has gaps
and typing errors: some answers are empty, some are not numbers.
"""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path

PATH = Path(__file__).parent / "data" / "survey.csv"
COLUMNS = ("age", "hours", "income")
ROWS = 2000


def digits(row: int, question: str, modulus: int) -> int:
    """Return a number below `modulus` that looks random and never changes."""
    digest = hashlib.sha256(f"{question} {row}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % modulus


def answer(row: int) -> tuple[str, str, str]:
    """Return the answers of one synthetic respondent, as typed."""
    age = 18 + digits(row, "age", 40) + digits(row, "older", 30)
    hours = max(
        0, 10 + digits(row, "hours", 25) + digits(row, "overtime", 25) - age // 9
    )
    income = (
        900 + digits(row, "income", 2500) + 35 * hours + digits(row, "cents", 100) / 100
    )
    gap = digits(row, "gap", 50)
    return (
        "" if gap == 0 else str(age),
        "full time" if gap == 1 else str(hours),
        "n/a" if gap in (2, 3) else f"{income:.2f}",
    )


def table() -> str:
    """Return the whole survey as CSV text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(answer(row) for row in range(ROWS))
    return out.getvalue()


def columns() -> dict[str, list[str]]:
    """Return the bundled survey, column by column, as text."""
    with PATH.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in COLUMNS}


if __name__ == "__main__":
    PATH.write_text(table())
    print(f"wrote {ROWS} synthetic rows to {PATH.relative_to(Path(__file__).parent)}")
