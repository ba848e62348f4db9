"""The same query on Spark: one line differs, the frame that is passed.

Spark runs in local mode here, and needs Java 17 or later. On a cluster the session is
another, and the query is the same: it is exact integers that come back from it.

    python examples/tables_spark.py
"""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from pathlib import Path
from typing import Any

from tables_duckdb import by_city, opened
from visits import visits


def started() -> Any:
    """Return a small session in local mode."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config(
        "spark.ui.enabled", "false"
    )
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.driver.host", "127.0.0.1")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def shown(session: Any, folder: Path) -> tuple[Any, Any]:
    """Ask Spark, and DuckDB on the same file; show and return what both answer."""
    path = str(visits(folder / "visits.parquet", 20_000))
    on_spark = by_city(opened(session.read.parquet(path))).release()
    on_duckdb = by_city(opened(path)).release()
    print(f"a frame of Spark: {type(on_spark).__module__}")
    for row, other in zip(on_spark.collect(), on_duckdb.to_pylist(), strict=True):
        print(f"{row.city:10} {row.people:6} people, {row.average:5.1f}", end="")
        print(f"   (DuckDB, other noise: {other['people']:6} people)")
    return on_spark, on_duckdb


def main() -> None:
    """Start a session, ask, and stop it."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        print("Java is not there: on Debian, sudo apt install openjdk-17-jre-headless")
        return
    warnings.simplefilter("ignore")  # Spark warns of the versions of others
    session = started()
    try:
        with tempfile.TemporaryDirectory() as folder:
            shown(session, Path(folder))
    finally:
        session.stop()


if __name__ == "__main__":
    main()
