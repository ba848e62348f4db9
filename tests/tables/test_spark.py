"""Spark says what Python says, as all other engines do, and in its own traps."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from tests.tables.agreement import disagreements, plan_disagreements, random_table
from tests.tables.samples import arrow

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


def frame_of(spark: Any, rows: list[Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return spark.createDataFrame(arrow(rows)).repartition(3)


def test_spark_says_what_python_says(spark: Any) -> None:
    for seed, size in enumerate((0, 40)):
        rng, rows = random_table(seed, size)
        frame = frame_of(spark, rows)
        assert disagreements(rng, rows, frame) == []
        assert plan_disagreements(rng, rows, frame) == []
