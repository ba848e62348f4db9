"""Synthetic visits of a museum, as a Parquet file: no person is behind a row.

Every number comes from numpy's generator with a fixed seed, so that the file can be
made again. Other examples import `visits`; to have the file itself, run

    python examples/visits.py visits.parquet 100000
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 60_000
CITIES = ["Aarau", "Bern", "Chur", "Davos", "Engelberg"]


def visits(path: Path, rows: int = ROWS) -> Path:
    """Write the table, some values missing and some absurd, and return its path."""
    rng = np.random.default_rng(15)
    visitor = rng.integers(0, max(rows // 6, 1), rows)
    age = rng.integers(8, 90, rows)
    spend = np.round(rng.gamma(2.0, 11.0, rows), 2)
    spend[rng.random(rows) < 0.001] = 9e9  # a broken till
    city = rng.choice(len(CITIES), rows, p=[0.5, 0.3, 0.15, 0.0499, 0.0001])
    shop = np.minimum(rng.geometric(0.08, rows), 60)
    table = pa.table(
        {
            "visitor": pa.array(visitor, pa.int64()),
            "city": pa.array(
                np.array(CITIES)[city], pa.string(), mask=rng.random(rows) < 0.03
            ),
            "age": pa.array(age, pa.int64(), mask=rng.random(rows) < 0.1),
            "spend": pa.array(spend, pa.float64(), mask=rng.random(rows) < 0.05),
            "bought": pa.array([f"item {each}" for each in shop], pa.string()),
        }
    )
    pq.write_table(table, path)
    return path


def main() -> None:
    """Write the file that is named, or say how large one would be."""
    if len(sys.argv) < 2:
        print(f"synthetic: {ROWS} rows. Say where to: visits.py FILE [ROWS]")
        return
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else ROWS
    print(f"wrote {rows} synthetic rows to {visits(Path(sys.argv[1]), rows)}")


if __name__ == "__main__":
    main()
