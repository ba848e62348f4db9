"""Sessions of Spark, one of each kind for a run, started when first asked for.

And self-tests of engines, where they are not what is tested.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from opendp_lite.tables.engines import selftest
from opendp_lite.tables.engines.engine import Frame
from opendp_lite.tables.engines.lazy import LazyEngine

# A short life: much is compiled, little is run often. It halves what a run computes.
_BRIEF = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def _java() -> None:
    if shutil.which("java") is None:
        pytest.fail(
            "Spark needs Java 17 or later, and none was found: "
            "on Debian and Ubuntu, sudo apt install openjdk-17-jre-headless"
        )


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Return a session of Spark in local mode, quiet and small."""
    _java()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Spark warns of the pandas that is installed
        from pyspark.sql import SparkSession

        session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.driver.extraJavaOptions", _BRIEF)
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


_TRIED: set[str] = set()


@pytest.fixture
def tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first session of each engine be tried, and no other.

    Each relation that a test makes is of a session that the library does not know, and
    to ask for its settings takes as long as a query. When sessions are tried is what
    `test_selftest.py` tests.
    """
    require = selftest.require_tested

    def remembered(engine: LazyEngine, frame: Frame) -> None:
        if engine.name not in _TRIED:
            require(engine, frame)
            _TRIED.add(engine.name)

    monkeypatch.setattr(selftest, "require_tested", remembered)
