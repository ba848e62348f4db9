"""The synthetic tables of `dp.examples`: made by their script, complete and small."""

from __future__ import annotations

import csv
import inspect
import sys

import pytest
from opendp.extras import examples as theirs

import opendp_lite.prelude as dp
from tests.test_repository import ROOT

sys.path.insert(0, str(ROOT / "examples"))
import synthetic_data  # type: ignore[import-not-found]

PUMS = dp.examples.get_california_pums_path()
LFS = dp.examples.get_france_lfs_path()


def test_the_files_are_what_the_script_makes() -> None:
    assert PUMS.read_text(encoding="ascii") == synthetic_data.california_pums()
    assert LFS.read_text(encoding="ascii") == synthetic_data.france_lfs()
    ages = {synthetic_data.digits(row, "age", 45) for row in range(1000)}
    assert ages == set(range(45))


def test_everything_says_that_they_are_synthetic() -> None:
    for each in (dp.examples, *map(vars(dp.examples).get, dp.examples.__all__[2:])):
        assert "synthetic" in str(inspect.getdoc(each)).lower()
    assert "synthetic" in PUMS.name
    assert "synthetic" in LFS.name


def test_they_are_small() -> None:
    folder = PUMS.parent
    assert sum(path.stat().st_size for path in folder.glob("*.csv")) < 300_000


@pytest.mark.parametrize("name", ["get_california_pums_path", "get_france_lfs_path"])
def test_the_names_are_those_of_opendp(name: str) -> None:
    assert not inspect.signature(getattr(theirs, name)).parameters
    assert getattr(dp.examples, name)().is_file()


def test_the_columns_are_those_that_opendp_names() -> None:
    text = inspect.getdoc(theirs.get_california_pums_path) or ""
    listed = [line[2:] for line in text.splitlines() if line.startswith("* ")]
    assert [*dp.examples.CALIFORNIA_PUMS_COLUMNS] == listed


def test_the_residents_are_within_their_codes() -> None:
    with PUMS.open(newline="") as file:
        rows = [[*map(int, row)] for row in csv.reader(file)]
    assert len(rows) == 1000
    ranges = [(18, 93), (0, 1), (1, 16), (1, 6), (0, 500_000), (0, 1)]
    for column, (least, most) in zip(zip(*rows, strict=True), ranges, strict=True):
        assert least <= min(column) < max(column) <= most
    assert 0 < sum(row[4] == 0 for row in rows) < 500


def test_the_interviews_are_within_their_codes() -> None:
    with LFS.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == dp.examples.FRANCE_LFS_COLUMNS
    assert {row["SEX"] for row in rows} == {"1", "2"}
    assert {row["QUARTER"] for row in rows} == set("1234")
    assert {row["ILOSTAT"] for row in rows} == set("12359")
    assert {int(row["YEAR"]) for row in rows} == set(range(2004, 2013))
    hours = {row["HWUSUAL"] for row in rows}
    assert {"", "0", "99", "35"} <= hours
    for row in rows:
        assert (row["ILOSTAT"] in "12") == (row["HWUSUAL"] != "99")
        assert (int(row["AGE"]) < 15) == (row["ILOSTAT"] == "9")
    times = [(row["PIDENT"], row["YEAR"], row["QUARTER"]) for row in rows]
    assert len(set(times)) == len(times)
    asked = [row["PIDENT"] for row in rows]
    assert max(map(asked.count, set(asked))) == 6


def test_a_script_for_opendp_reads_them() -> None:
    import pandas

    table = pandas.read_csv(PUMS, names=[*dp.examples.CALIFORNIA_PUMS_COLUMNS])
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    count = space >> dp.t.then_count() >> dp.m.then_laplace(scale=0)
    assert count(table.age) == 1000
