"""Each rule that keeps an engine out of a trap is left out once, and it is seen.

The table is in `mutants.py`; Spark's part of it is run by `test_spark.py`, in the
session that is there.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tables.mutants import MUTANTS, Mutant, tried
from tests.tables.places import Place

CASES = [
    (mutant, engine)
    for mutant in MUTANTS
    for engine in mutant.engines
    if engine != "Spark"
]


@pytest.mark.parametrize(
    ("mutant", "engine"), CASES, ids=[f"{m.trap}, {e}" for m, e in CASES]
)
def test_what_is_left_out_is_seen_where_the_trap_is(
    mutant: Mutant, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried(mutant, Place(engine, tmp_path), monkeypatch)
