"""Jobs and data that the tests of jobs and of the command begin with."""

from __future__ import annotations

from pathlib import Path

JOB = """\
title = "Purchases"

[data.columns]
person = "int"
shop = "text"
spend = "float"
items = "int"
member = "bool"

[privacy]
contributions = 1
identifier = "person"
epsilon = 1.0

[ledger]
epsilon = 2.0

[[query]]
name = "by_shop"
share = 3
columns = { shop = "shop.fill_null('?')" }
filter = ["items.fill_null(0) >= 1"]
group_by = { keys = { shop = ["a", "b", "?"] }, rows = 2, groups = 2 }
weights = { people = 2 }

[query.aggregates]
people = "people()"
spent = "spend.fill_null(0.0).clip(0.0, 64.0).sum()"

[[query]]
name = "all"
rows = 1
aggregates = { rows = "count()" }
"""

# Quotes that stay open, numbers that are none, missing fields: all of it stays a row.
LINES = """\
person,shop,spend,items,member
1,a,9.5,2,true
1,b,,1,false
2,a,20,3,
3,,1e9,1,true
3,"a,4,oops,no
4,b,nan,7,TRUE
,,,,
5,"b",2.25,1,false
"""


def written(folder: Path, name: str, text: str) -> str:
    """Write a file and return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def edited(folder: Path, *edits: tuple[str, str], name: str = "job.toml") -> str:
    """Write the job with some of its text replaced, and return its path."""
    text = JOB
    for old, new in edits:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return written(folder, name, text)
