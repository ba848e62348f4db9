"""A release that is interrupted, or cannot be told: what was charged is recorded."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import pytest
from click.testing import CliRunner, Result

from opendp_lite import jobs
from opendp_lite.cli import main
from opendp_lite.jobs.previews import Item, answer_lines, plain
from opendp_lite.jobs.records import Record, Reserved
from opendp_lite.jobs.running import Stopped, held
from opendp_lite.jobs.shapes import JobError
from opendp_lite.tables.engines.duckdb import DuckDBEngine
from opendp_lite.tables.engines.waiting import _Worker
from opendp_lite.tables.questions.queries import TableQuery
from tests.jobs.described import written


@pytest.fixture(autouse=True)
def _interruptible() -> Iterator[None]:
    """A process that a shell starts in the background ignores Ctrl-C, and so do we."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["release", *arguments, "--yes"])


def interrupt(number: int = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize(
    ("where", "number"),
    [("entry", signal.SIGINT), ("to_json", signal.SIGTERM), ("fill", signal.SIGINT)],
)
def test_an_interruption_waits_for_the_record(
    job: str,
    data: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    number: int,
) -> None:
    kind: Any = {"entry": Item, "to_json": Record, "fill": Reserved}[where]
    own = getattr(kind, where)

    def interrupted(self: Any, *arguments: Any) -> Any:
        interrupt(number)
        return own(self, *arguments)

    monkeypatch.setattr(kind, where, interrupted)
    place = tmp_path / "record.json"
    before = signal.getsignal(number)
    result = run(job, "--data", data, "-o", str(place))
    assert result.exit_code == 130
    record = jobs.read_record(place)
    states = [q["state"] for q in record.content["queries"]]
    assert states == ["released", "refused" if where == "entry" else "released"]
    assert signal.getsignal(number) is before


def test_an_interruption_is_heard_while_a_query_is_asked(
    job: str, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(self: TableQuery, alpha: Any = 0.05) -> Any:
        interrupt()
        raise AssertionError("it was not heard")

    monkeypatch.setattr(TableQuery, "release", asked)
    with pytest.raises(KeyboardInterrupt):
        jobs.read(job).release(data)


SLOW = "SELECT sum(a.range % 97) AS x FROM range(10000000) AS a, range(10000000)"


@pytest.mark.parametrize("again", [False, True])
def test_ctrl_c_during_a_query_says_what_was_charged(
    job: str, data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    fetch, release = DuckDBEngine.fetch_arrow, TableQuery.release
    asked, began, stop = list[Any](), threading.Event(), _Worker.abandon

    def asks(self: TableQuery, alpha: Any = 0.05) -> Any:
        asked.append(self)
        return release(self, alpha=alpha)

    def slowly(self: Any, frame: Any) -> Any:
        """As if the table were long, from the second query on."""
        if len(asked) < 2:
            return fetch(self, frame)
        began.set()
        return fetch(self, nw.from_native(self.connection.sql(SLOW)))

    def press() -> None:
        assert began.wait(60)
        time.sleep(0.1)
        interrupt()

    def abandon(self: Any) -> None:
        if again:
            interrupt()
        stop(self)

    monkeypatch.setattr(_Worker, "abandon", abandon)
    monkeypatch.setattr(TableQuery, "release", asks)
    monkeypatch.setattr(DuckDBEngine, "fetch_arrow", slowly)
    place, ledger = tmp_path / "record.json", tmp_path / "ledger.json"
    presser = threading.Thread(target=press)
    presser.start()
    result = run(job, "--data", data, "-o", str(place), "--ledger", str(ledger))
    presser.join()
    assert result.exit_code == 130
    told = f"interrupted: epsilon 1 was charged, and stays charged.\n{ledger}: was "
    assert f"{told}charged epsilon 1, the whole job.\n\naborted\n" in result.stderr
    record = jobs.read_record(place)
    assert [q["state"] for q in record.content["queries"]] == ["released", "failed"]
    assert jobs.Ledger(str(ledger)).spent() == {"epsilon": 1}


def test_a_ledger_that_was_charged_in_vain_is_named(
    job: str, data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = [KeyboardInterrupt(), JobError("no.")]

    def broken(self: TableQuery, alpha: Any = 0.05) -> Any:
        raise errors.pop()

    monkeypatch.setattr(TableQuery, "release", broken)
    ledger = tmp_path / "ledger.json"
    told = f"{ledger}: was charged, and stays so, though nothing was released."
    for code, start in ((1, "Error: no. "), (130, "")):
        result = run(job, "--data", data, "--ledger", str(ledger))
        assert result.exit_code == code  # and not 2, which says that nothing was spent
        assert start + told in result.stderr
    assert jobs.Ledger(str(ledger)).spent() == {"epsilon": 2}


def test_a_progress_that_fails_costs_no_record(job: str, data: str) -> None:
    def broken(done: int, total: int, text: str) -> None:
        if total and done:
            raise RuntimeError

    with pytest.raises(Stopped) as caught:
        jobs.read(job).release(data, broken)
    assert list(caught.value.record.answers) == ["by_shop"]

    def broken_in_the_end(done: int, total: int, text: str) -> None:
        if text == "done":
            raise RuntimeError

    assert jobs.read(job).release(data, broken_in_the_end).complete


def test_a_record_that_stdout_does_not_take_goes_to_stderr(job: str, data: str) -> None:
    command = [sys.executable, "-m", "opendp_lite.cli", "release", job, "--yes"]
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [*command, "--data", data],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    text = result.stderr[result.stderr.index("{\n") : result.stderr.rindex("}\n") + 1]
    assert len(json.loads(text)["queries"]) == 2


def test_a_ledger_on_a_full_disk_is_a_sentence(
    job: str, data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Reserved, text: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Reserved, "fill", full)
    ledger = tmp_path / "ledger.json"
    result = run(job, "--data", data, "--ledger", str(ledger))
    assert result.exit_code == 2
    assert "no space left on device. Nothing was charged" in result.stderr
    assert not ledger.exists()


def test_a_full_temporary_folder_is_a_sentence(
    job: str, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: Any, **options: Any) -> str:
        raise OSError(errno.ENOSPC, "Error writing bytes to file. Detail: ...")

    monkeypatch.setattr("opendp_lite.tables.lines.csv_to_parquet", full)
    result = run(job, "--data", data)
    assert result.exit_code == 2
    told = "temporary folder: no space left on device. Set TMPDIR to another one."
    assert result.stderr == f"Error: {data}: cannot be copied to a {told}\n"


def test_ledgers_of_two_names_and_of_endless_numbers(tmp_path: Path) -> None:
    ledger, one = jobs.Ledger(str(tmp_path / "a.json")), {"epsilon": Fraction(1)}
    limit = {"epsilon": Fraction(9)}
    ledger.charge("job", "unit", one, limit)
    os.link(ledger.path, tmp_path / "b.json")
    for name in ("a.json", "b.json"):  # each would count what the other does not
        with pytest.raises(JobError, match="is the same file as another name"):
            jobs.Ledger(str(tmp_path / name)).charge("j", "unit", one, limit)
    os.remove(tmp_path / "b.json")
    text = Path(ledger.path).read_text().replace('"1"', '"1e999999999"')
    Path(ledger.path).write_text(text)
    with pytest.raises(JobError, match="cannot be read as a ledger"):
        ledger.spent()


def test_errors_of_code_that_has_seen_the_data_are_not_shown(
    tmp_path: Path, data: str
) -> None:
    text = "from pathlib import Path\ndef queries(context): return {}\n"
    text += "def context(data):\n    return float(Path(data).read_text())\n"
    path = written(tmp_path, "own.py", text)
    with pytest.raises(JobError) as caught:
        jobs.read(path).preview(data)
    assert "own.py, line 4: could not be run: ValueError, whose" in caught.value.message
    assert "person" not in caught.value.message


def test_answers_are_shown_and_kept_whatever_they_are() -> None:
    assert answer_lines({"a\x1b": ["\x1b[2J\u202e"]}) == [
        "a[U+001B]",
        "[U+001B][2J[U+202E]",
    ]
    assert json.dumps(plain([10**6000])) == f'["{hex(10**6000)}"]'
    assert plain(-(10**4000)) == -(10**4000)


def test_handlers_of_a_program_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with held("SIGTERM", "SIGNONE"):
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)
    with pytest.raises(KeyboardInterrupt), held():
        interrupt()
