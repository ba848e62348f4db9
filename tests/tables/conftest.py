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
# Nor is what Spark ships verified anew, class by class, when it is loaded.
_BRIEF = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:MetaspaceSize=256m -Xmn200m "
    "-XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions "
    "-XX:-BytecodeVerificationRemote"
)
# For a query on a few rows, to write Java, to compile it and to plan anew on the way
# takes longer than the query. The audit runs Spark as users do, and `as_users_run_it`
# some tests of every run.
_INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}
# And one task is run at a time, and calls are not asked for their lines.
_PLAIN = {
    "spark.task.cpus": "2",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
}


def _java() -> None:
    if shutil.which("java") is None:
        pytest.fail(
            "Spark needs Java 17 or later, and none was found: "
            "on Debian and Ubuntu, sudo apt install openjdk-17-jre-headless"
        )


@pytest.fixture(scope="session")
def spark(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Return a session of Spark in local mode, quiet and small."""
    _java()
    every_test = request.config.option.markexpr.strip() != "not audit"
    own = {} if every_test else _PLAIN | _INTERPRETED
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
            .config(map=own)
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


@pytest.fixture
def as_users_run_it(spark: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let Spark generate code and adapt its plans, as it does by itself.

    With these settings the session is tried in the audit, where it has no others.
    """
    before = {
        name: value
        for name, value in _INTERPRETED.items()
        if spark.conf.get(name) == value
    }
    if before:
        monkeypatch.setattr(selftest, "require_tested", lambda *_: None)
    for name in before:
        spark.conf.unset(name)
    assert spark.conf.get("spark.sql.codegen.wholeStage") == "true"
    yield
    for name, value in before.items():
        spark.conf.set(name, value)


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
