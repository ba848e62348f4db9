"""The synthetic tables behind `dp.examples`: no person is behind a row.

They have the columns of the two data sets that OpenDP's documentation uses, so that its
scripts find what they ask for, and nothing else of them: every number comes from a
counter run through SHA-256. The files of the package can be made again, byte for byte,
by `python examples/synthetic_data.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from opendp_lite import examples

RESIDENTS, PERSONS = 1000, 1200
FIRST_YEAR, QUARTERS = 2004, 36


def digits(row: int, question: str, modulus: int) -> int:
    """Return a number below `modulus` that looks random and never changes."""
    digest = hashlib.sha256(f"{question} {row}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % modulus


def resident(row: int) -> tuple[int, ...]:
    """Return age, sex, education, race, income and whether married."""
    age = 18 + digits(row, "age", 45) + digits(row, "older", 32)
    education = 1 + min(15, digits(row, "school", 9) + digits(row, "college", 9))
    worth = 2 + education * education
    income = 100 * (digits(row, "work", 9) > 1) * digits(row, "income", 3 * worth)
    income += 50 * digits(row, "pension", 400) * (age > 64)
    race = (1, 1, 1, 1, 1, 2, 3, 4, 5, 6)[digits(row, "race", 10)]
    married = int(digits(row, "married", 90) < min(age, 60))
    return age, digits(row, "sex", 2), education, race, income, married


def california_pums() -> str:
    """Return the table of residents, without a header."""
    rows = map(resident, range(RESIDENTS))
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def interviews(person: int) -> Iterator[tuple[object, ...]]:
    """Yield the answers of one person, of one to six quarters in a row."""
    start = digits(person, "start", QUARTERS)
    age = digits(person, "age", 60) + digits(person, "older", 31)
    sex = 1 + digits(person, "sex", 2)
    usual = 20 + 5 * digits(person, "part", 3) + digits(person, "hours", 16)
    for quarter in range(start, min(start + 1 + digits(person, "stay", 6), QUARTERS)):
        key = person * QUARTERS + quarter
        now = age + (quarter - start) // 4
        status = 5
        if now < 15:
            status = 9
        elif 18 <= now < 65:
            status = (1, 1, 1, 1, 1, 1, 1, 2, 3, 5)[digits(key, "status", 10)]
        answer = digits(key, "answer", 40)
        hours: object = 99
        if status in (1, 2):
            hours = "" if answer == 0 else 0 if answer == 1 else usual
        year = FIRST_YEAR + quarter // 4
        yield year, quarter % 4 + 1, person + 1, sex, now, status, hours


def france_lfs() -> str:
    """Return the table of interviews, with a header."""
    rows: list[tuple[object, ...]] = [examples.FRANCE_LFS_COLUMNS]
    for person in range(PERSONS):
        rows += interviews(person)
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


if __name__ == "__main__":
    for path, text in (
        (examples.get_california_pums_path(), california_pums()),
        (examples.get_france_lfs_path(), france_lfs()),
    ):
        path.write_text(text, encoding="ascii", newline="\n")
        print(f"wrote {text.count(chr(10))} synthetic lines to {path.name}")
