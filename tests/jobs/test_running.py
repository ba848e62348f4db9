"""Jobs are run: the same rows from lines and from Parquet, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import opendp_lite.prelude as dp
from opendp_lite import jobs
from opendp_lite.jobs.previews import answer_lines, plain
from opendp_lite.jobs.records import Record, reserved
from opendp_lite.jobs.running import Job, Stopped
from opendp_lite.jobs.shapes import JobError
from opendp_lite.tables.questions.queries import TableQuery
from tests.jobs.described import LINES, edited, written
from tests.test_repository import ROOT

EXACT = ("epsilon = 1.0", "epsilon = 1000000000")  # noise of scale 1e-8: none
COARSE = ("64.0).sum()", "64.0).sum(k=-2)")  # on a grid that all amounts are on

ROWS = {
    "person": [1, 1, 2, 3, 3, 4, None, 5],
    "shop": ["a", "b", "a", None, "a,4,oops,no", "b", None, "b"],
    "spend": [9.5, None, 20.0, 1e9, None, None, None, 2.25],
    "items": [2, 1, 3, 1, None, 7, None, 1],
    "member": [True, False, None, True, None, True, None, False],
}


def parquet_file(
    folder: Path,
    columns: dict[str, Any] = ROWS,
    without: str = "",
    name: str = "data.parquet",
) -> str:
    path = folder / name
    kept = {name: each for name, each in columns.items() if name != without}
    parquet.write_table(pa.table(kept), path)
    return str(path)


@pytest.fixture
def exact(tmp_path: Path) -> Job:
    """The job with a loss so large that no noise is seen."""
    return jobs.read(edited(tmp_path, EXACT, COARSE))


def test_lines_and_parquet_are_the_same_rows(tmp_path: Path, exact: Job) -> None:
    lines = exact.release(written(tmp_path, "data.csv", LINES))
    rows = exact.release(parquet_file(tmp_path))
    assert lines.answers == rows.answers
    by_shop = lines.answers["by_shop"]
    assert by_shop["shop"] == ["a", "b", "?"]
    assert by_shop["people"] == [2, 3, 1]
    assert by_shop["spent"] == [29.5, 2.25, 64.0]
    assert lines.answers["all"]["rows"] == [5]  # a person counts with one row
    assert (lines.content["data"]["kind"], rows.content["data"]["kind"]) == (
        "csv",
        "parquet",
    )


def test_other_separators_and_no_header(tmp_path: Path) -> None:
    options = ("[data.columns]", "[data]\nseparator=';'\nheader=false\n[data.columns]")
    job = jobs.read(edited(tmp_path, EXACT, options))
    body = "".join(LINES.replace(",", ";").splitlines(keepends=True)[1:])
    record = job.release(written(tmp_path, "data.tsv", body))
    assert record.answers["by_shop"]["people"] == [2, 3, 1]


def test_a_python_file_asks_the_same_as_toml() -> None:
    folder, data = ROOT / "examples" / "jobs", ROOT / "examples" / "data" / "survey.csv"
    said = [jobs.read(folder / f"survey.{end}") for end in ("toml", "py")]
    first, second = (each.preview(str(data)) for each in said)
    assert [item.text for item in first.items] == [item.text for item in second.items]
    assert [i.parameters() for i in first.items] == [
        i.parameters() for i in second.items
    ]
    assert first.loss == second.loss == 1


def test_the_record_tells_everything_but_the_data(tmp_path: Path) -> None:
    job = jobs.read(edited(tmp_path))
    record = job.release(parquet_file(tmp_path))
    assert record.complete
    content = record.content
    assert content["job"]["sha256"] == job.sha256
    assert content["job"]["text"] == Path(job.file).read_text()
    assert content["data"]["file"] == "data.parquet"
    assert content["privacy"]["unit"] == "IdentifierDistance('person')"
    charged = {"epsilon": {"exact": "1", "at_most": 1.0}}
    assert content["privacy"]["charged"] == charged == content["privacy"]["budget"]
    losses = [query["charged"]["epsilon"]["exact"] for query in content["queries"]]
    assert losses == ["3/4", "1/4"]
    bounds = [query["bounds"] for query in content["queries"]]
    assert bounds == [
        "at most 2 rows in each of 2 groups of each person count",
        "at most 1 row of each person counts",
    ]
    first = content["queries"][0]
    assert first["noise"][0]["scale"] == 4.0
    assert first["noise"][0]["accuracy"] > 0
    assert first["asked"].startswith("table().with_columns(shop=")
    assert {"opendp_lite", "python", "duckdb"} <= set(content["versions"])
    assert str(tmp_path) not in record.to_json()  # names of files, not of folders
    path = tmp_path / "record.json"
    record.write(path)
    assert jobs.read_record(path) == record
    assert json.loads(path.read_text()) == content


def test_a_preview_spends_nothing_and_looks_at_no_row(tmp_path: Path) -> None:
    job = jobs.read(edited(tmp_path))
    with job.opened(parquet_file(tmp_path)) as opened:
        assert opened.preview.loss == 1
        assert opened.context.current_privacy_loss() == 0
        assert opened.context.queryable.asked == 0


WRONG: list[tuple[str, Callable[[Path], str], str]] = [
    ("missing", lambda f: str(f / "none.csv"), "no such file"),
    ("folder", lambda f: str(f), "is a directory"),
    ("other", lambda f: written(f, "a.xlsx", "PK"), "is neither a Parquet file nor"),
    ("text", lambda f: written(f, "a.parquet", "no"), "is neither a Parquet file nor"),
    ("cut", lambda f: written(f, "a.parquet", "PAR1"), "cannot be read as Parquet"),
    (
        "column",
        lambda f: parquet_file(f, {**ROWS, "spent": ROWS["spend"]}, "spend"),
        "has no column 'spend'. Did you mean 'spent'?",
    ),
    (
        "pattern",
        lambda f: parquet_file(f, ROWS, "", "data[1].parquet"),
        "which engines take for a pattern of many files",
    ),
    (
        "type",
        lambda f: parquet_file(f, {**ROWS, "items": ["2"] * 8}),
        "column 'items' is stored as string, and declared as 'int'",
    ),
    (
        "unsigned",
        lambda f: parquet_file(f, {**ROWS, "items": pa.array([2] * 8, pa.uint64())}),
        "column 'items' is stored as uint64",
    ),
    (
        "header",
        lambda f: written(f, "a.csv", LINES.replace("spend", "spent")),
        "the first line does not name each of the columns",
    ),
    ("empty", lambda f: written(f, "a.csv", ""), "the first line does not name each"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "told"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_data_that_do_not_fit(
    tmp_path: Path, data: Callable[[Path], str], told: str
) -> None:
    job, path = jobs.read(edited(tmp_path)), data(tmp_path)
    with pytest.raises(JobError) as caught:
        job.release(path)
    assert caught.value.message.startswith(f"{path}: ")
    assert told in caught.value.message


def test_what_is_broken_off_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = jobs.read(edited(tmp_path))
    released = TableQuery.release

    def broken(self: TableQuery, alpha: Any = 0.05) -> Any:
        if "people" in repr(self):
            return released(self, alpha)
        raise KeyboardInterrupt

    monkeypatch.setattr(TableQuery, "release", broken)
    with pytest.raises(Stopped, match="broken off: KeyboardInterrupt") as caught:
        job.release(parquet_file(tmp_path))
    record = caught.value.record
    assert not record.complete
    assert [q["state"] for q in record.content["queries"]] == ["released", "refused"]
    assert list(record.answers) == ["by_shop"]
    assert record.content["privacy"]["charged"]["epsilon"]["exact"] == "3/4"


def test_nothing_is_recorded_where_nothing_was_charged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: TableQuery, alpha: Any = 0.05) -> Any:
        raise dp.OpenDPException("Context", "no.")

    monkeypatch.setattr(TableQuery, "release", broken)
    with pytest.raises(dp.OpenDPException, match="no") as caught:
        jobs.read(edited(tmp_path)).release(parquet_file(tmp_path))
    assert not isinstance(caught.value, Stopped)


def test_a_temporary_copy_is_removed(
    tmp_path: Path, exact: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    with exact.opened(written(tmp_path, "data.csv", LINES)):
        (folder,) = scratch.iterdir()
        assert folder.stat().st_mode & 0o077 == 0
    assert list(scratch.iterdir()) == []


def test_progress_is_told(tmp_path: Path, exact: Job) -> None:
    told: list[tuple[int, int, str]] = []
    exact.release(written(tmp_path, "data.csv", LINES), lambda *each: told.append(each))
    assert told == [
        (0, 0, "reading data.csv"),
        (0, 0, "opening the data"),
        (0, 2, "by_shop"),
        (1, 2, "all"),
        (2, 2, "done"),
    ]


# Records.


def test_a_file_is_replaced_only_if_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    Record({"a": 1}).write(path)
    with pytest.raises(JobError, match="is there already, and is not replaced"):
        Record({"a": 2}).write(path)
    assert json.loads(path.read_text()) == {"a": 1}
    path.chmod(0o640)
    Record({"a": 2}).write(path, force=True)
    assert json.loads(path.read_text()) == {"a": 2}
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["record.json"]


def test_a_file_that_came_in_between_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    with reserved(path, force=False) as place:
        path.write_text("theirs")
        with pytest.raises(FileExistsError):
            place.fill("ours")
    assert path.read_text() == "theirs"
    assert [each.name for each in tmp_path.iterdir()] == ["record.json"]


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(JobError, match="cannot be written: no such file"),
        reserved(tmp_path / "none" / "record.json", force=False),
    ):
        pass
    with pytest.raises(JobError, match="is a folder"), reserved(tmp_path, force=True):
        pass


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"record": 1}', "[" * 9999, "\x00"])
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(JobError, match="is no record of a release"):
        jobs.read_record(written(tmp_path, "record.json", text))
    with pytest.raises(JobError, match="no such file"):
        jobs.read_record(tmp_path / "none.json")


def test_a_damaged_record_is_refused(tmp_path: Path) -> None:
    text = jobs.read(edited(tmp_path)).release(parquet_file(tmp_path)).to_json()
    for old, new in (
        ('"queries": [', '"queries": [], "queries": ['),
        ('"exact": "1"', '"exact": "1", "exact": "0"'),
        ('"format": 1', '"format": true'),
        ('"format": 1', '"format": 1, "more": 1'),
        ('"queries": [', '"queries": {}, "more": ['),
        ('"record": ', '"Record": '),
        ('"format": 1', '"format": NaN'),
    ):
        assert old in text
        with pytest.raises(JobError, match="is no record of a release"):
            jobs.read_record(written(tmp_path, "record.json", text.replace(old, new)))
    assert jobs.read_record(written(tmp_path, "record.json", text)).complete


def test_of_a_long_answer_some_rows_are_shown() -> None:
    rows = {
        "n": [*range(30)],
        "n_low": [0] * 30,
        "n_high": [99] * 30,
        "x_low": [1] * 30,
    }
    lines = answer_lines(rows)
    assert lines[:2] == ["n             x_low", "0 (0 to 99)   1"]
    assert lines[-2:] == ["19 (0 to 99)  1", "and 10 more"]
    assert len(answer_lines({"n": [*range(20)]})) == 21


def test_answers_of_every_kind_become_plain() -> None:
    import numpy as np
    import pandas as pd
    import polars as pl

    columns = {"a": [1, 2], "b": ["x", None]}
    assert plain(pa.table(columns)) == columns
    assert plain(pl.DataFrame(columns)) == columns
    assert plain(pd.DataFrame({"a": [1, 2]})) == {"a": [1, 2]}
    assert plain(np.array([1.5, np.inf])) == [1.5, "inf"]
    assert plain(np.int64(3)) == 3
    assert plain((float("nan"), float("-inf"), Fraction(1, 3))) == [
        "nan",
        "-inf",
        "1/3",
    ]
    assert plain({1: {True}}) == {"1": [True]}
    assert plain(dp.max_divergence()) == "MaxDivergence()"
