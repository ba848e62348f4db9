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


_AGREED: dict[tuple[str, str], bool] = {}


@pytest.fixture
def tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the self-test say of a session what it said of one with the same settings.

    Each relation that a test makes is of a session that the library does not know.
    """
    agrees = selftest.agrees

    def remembered(engine: LazyEngine, frame: Frame) -> bool:
        key = engine.name, engine.settings(frame)
        if key not in _AGREED:
            _AGREED[key] = agrees(engine, frame)
        return _AGREED[key]

    monkeypatch.setattr(selftest, "agrees", remembered)
