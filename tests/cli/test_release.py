"""`opendp-lite release`: asked first, recorded whole, and nothing spent by mistake."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from opendp_lite import jobs
from opendp_lite.cli import main
from opendp_lite.cli import release as command
from opendp_lite.context.contexts import Context
from opendp_lite.jobs.records import Reserved
from opendp_lite.tables.questions.queries import TableQuery
from tests.jobs.described import edited, written

Runs = Callable[..., Result]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries that were asked of any Context."""
    found: list[str] = []
    ask = Context._ask

    def counted(self: Context, query: Any, wrap: Any, told: Any = None) -> Any:
        found.append(str(told))
        return ask(self, query, wrap, told)

    monkeypatch.setattr(Context, "_ask", counted)
    return found


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sits there, and can be asked."""
    module = __import__("sys").modules["opendp_lite.cli.release"]
    monkeypatch.setattr(module, "_terminal", lambda: True)


def run(*arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(main, ["release", *arguments], input=answer)


def test_a_record_is_written_and_read_back(
    job: str, data: str, tmp_path: Path, asked: list[str]
) -> None:
    place = tmp_path / "record.json"
    result = run(job, "--data", data, "-o", str(place), "--yes")
    assert result.exit_code == 0
    shown = result.stdout.splitlines()
    assert shown[0] == "by_shop"
    assert shown[1].split() == ["shop", "people", "spent"]
    assert shown[2].split()[0] == "a"
    assert " to " in shown[2]
    # Beside each answer stands how much of a person counts, as in the preview.
    sentence = "at most 2 rows in each of 2 groups of each person count"
    assert shown[5].strip() == sentence
    assert shown[-1].strip() == "at most 1 row of each person counts"
    assert f"\n{sentence}\n" in result.stderr
    assert result.stderr.endswith(f"The record is in {place}.\n")
    assert "whole job: epsilon 1 of epsilon 1" in result.stderr
    record = jobs.read_record(place)
    assert list(record.answers) == ["by_shop", "all"]
    assert len(asked) == 2
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        *("data.csv", "job.toml", "record.json"),
    ]


def test_a_job_without_bounds_of_a_person_releases_nothing(
    data: str, tmp_path: Path, asked: list[str]
) -> None:
    job, ledger = edited(tmp_path, ("rows = 1\n", "")), tmp_path / "ledger.json"
    for options in (["--preview"], ["--data", data, "--yes", "--ledger", str(ledger)]):
        result = run(job, *options)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert "query[1]: the query does not give rows for rows (count)." in (
            result.stderr
        )
        assert "Write rows = 1 below [[query]] if each person has one row, or rows" in (
            result.stderr
        )
    assert asked == []
    assert not ledger.exists()


def test_without_a_file_the_record_goes_to_stdout(job: str, data: str) -> None:
    result = run(job, "--data", data, "--yes")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["job"]["title"] == "Purchases"


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("answer", ["n\n", "\n"])
def test_declined_is_the_default_and_releases_nothing(
    job: str, data: str, tmp_path: Path, asked: list[str], answer: str
) -> None:
    place = tmp_path / "record.json"
    ledger = tmp_path / "ledger.json"
    options = ["-o", str(place), "--ledger", str(ledger)]
    result = run(job, "--data", data, *options, answer=answer)
    assert result.exit_code == 1
    assert "at a cost of epsilon 1? [y/N]" in result.stderr
    assert "Nothing was released, and nothing was spent." in result.stderr
    assert asked == []
    assert not place.exists()
    assert not ledger.exists()


@pytest.mark.usefixtures("terminal")
def test_an_end_of_input_aborts(job: str, data: str, asked: list[str]) -> None:
    result = run(job, "--data", data, answer="")
    assert result.exit_code == 130
    assert result.stderr.endswith("aborted\n")
    assert asked == []


@pytest.mark.usefixtures("terminal")
def test_confirmed(job: str, data: str, asked: list[str]) -> None:
    result = run(job, "--data", data, answer="y\n")
    assert result.exit_code == 0
    assert len(asked) == 2
    assert json.loads(result.stdout)["queries"][0]["state"] == "released"


def test_a_preview_releases_nothing(job: str, data: str, asked: list[str]) -> None:
    for options in ([], ["--data", data]):
        result = run(job, "--preview", *options)
        assert result.exit_code == 0
        assert result.stdout.startswith("Purchases\n\nby_shop: table()")
        assert "Integer Laplace" in result.stdout
    assert asked == []


def test_an_unusual_loss_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    loud = edited(tmp_path, ("epsilon = 1.0", "epsilon = 100"))
    assert run(loud, "--preview").exit_code == 0
    assert len([r for r in caplog.records if "epsilon should be" in r.message]) == 1


MISTAKES = {
    "no terminal": ([], "nobody can be asked whether to release"),
    "no data": (["--yes"], "--data: is missing"),
    "no folder": (["--yes", "-o", "none/r.json"], "cannot be written: no such file"),
    "there": (["--yes", "-o", "{folder}/none.toml"], "is there already, and is not"),
    "is a folder": (["--yes", "-o", "{folder}"], "is a directory"),
    "no such data": (["--yes", "--data", "none.csv"], "none.csv: no such file"),
    "no ledger": (["--yes", "--ledger", "{folder}/none.toml"], "cannot be read as a"),
    "over the data": (["--yes", "--force", "-o", "{folder}/data.csv"], "is the output"),
    "over the job": (["--yes", "--force", "-o", "{folder}/job.toml"], "is the output"),
    "one for both": (
        ["--yes", "-o", "{folder}/a.json", "--ledger", "{folder}/a.json"],
        "is the output and the ledger",
    ),
    "unknown": (["--yess"], "No such option"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_release_nothing(
    name: str, job: str, data: str, tmp_path: Path, asked: list[str]
) -> None:
    options, told = MISTAKES[name]
    given = [each.replace("{folder}", str(tmp_path)) for each in options]
    needed = [] if name == "no data" else ["--data", data]
    (tmp_path / "none.toml").write_text("{}")
    before = sorted(each.name for each in tmp_path.iterdir())
    result = run(job, *needed, *given)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""
    assert asked == []
    assert sorted(each.name for each in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "[privacy]",
            "[privcy]",
            "privcy: there is no such key. Did you mean 'privacy'?",
        ),
        ("spend.fill", "spnd.fill", "there is no column 'spnd'. Did you mean 'spend'?"),
        ("items = ", "thing = ", "query[0].filter[0]: there is no column 'items'"),
        ('member = "bool"', 'membr = "bool"', "data.csv: the first line does not name"),
        ("64.0).sum()", "64.0).sum().x", "is not called. A method has parentheses"),
        (
            "contributions = 1",
            "contributions = 0",
            "must be a whole number of at least 1",
        ),
        ("epsilon = 1.0", "epsilon = inf", "must be an exact number above 0"),
        ("epsilon = 1.0", "rho = 1.0\ndelta = 1", "privacy.delta=1: must be an exact"),
    ],
)
def test_mistakes_in_a_job(
    tmp_path: Path, data: str, asked: list[str], old: str, new: str, told: str
) -> None:
    result = run(edited(tmp_path, (old, new)), "--data", data, "--yes")
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
    assert asked == []


@pytest.mark.parametrize(
    ("unit", "loss", "told"),
    [
        ("dp.unit_of(contributions=0)", "dp.loss_of(1.0)", "contributions=0: data at"),
        ("(dp.symmetric_distance(), 0)", "dp.loss_of(1.0)", "privacy_unit[1]=0: data"),
        ("dp.unit_of(changes=1)", "dp.loss_of(1.0, 1.0)", "delta=1.0: a delta of 1"),
        (
            "dp.unit_of(changes=1)",
            "(dp.max_divergence(), float('inf'))",
            "privacy_loss[1]=inf: an infinite loss",
        ),
    ],
)
def test_a_job_that_promises_nothing_releases_nothing(
    tmp_path: Path, data: str, asked: list[str], unit: str, loss: str, told: str
) -> None:
    job = written(
        tmp_path,
        "job.py",
        "import opendp_lite.prelude as dp\n"
        "def context(data):\n"
        "    rows = dp.vector_domain(dp.atom_domain(T=int))\n"
        f"    return dp.Context.compositor([1, 2, 3], {unit}, {loss}, domain=rows)\n"
        "def queries(context):\n"
        "    return {'rows': context.query().count().laplace(0.0)}\n",
    )
    result = run(job, "--data", data, "--yes")
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert asked == []


def test_a_ledger_is_charged_before_and_refuses_what_passes_its_limit(
    job: str, data: str, tmp_path: Path, asked: list[str]
) -> None:
    ledger = str(tmp_path / "ledger.json")
    options = ["--data", data, "--yes", "--ledger", ledger]
    for number in (1, 2):
        assert run(job, *options).exit_code == 0
        assert jobs.Ledger(ledger).spent() == {"epsilon": number}
    result = run(job, *options)
    assert result.exit_code == 2
    assert "epsilon 2 was spent before, and 1 more would pass the limit" in (
        result.stderr
    )
    assert len(asked) == 4
    assert jobs.Ledger(ledger).spent() == {"epsilon": Fraction(2)}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        # As after a careless merge: the second list, or the second number, would win.
        ("\n  ]\n}", '\n  ],\n  "entries": []\n}', "the name 'entries' stands twice"),
        ('"epsilon": "1"', '"epsilon": "1", "epsilon": "0"', "'epsilon' stands twice"),
        ('"format": 1', '"format": true', "its fields must be"),
    ],
)
def test_a_damaged_ledger_releases_nothing_and_stays_as_it_was(
    job: str, data: str, tmp_path: Path, asked: list[str], old: str, new: str, said: str
) -> None:
    ledger, place = tmp_path / "ledger.json", tmp_path / "record.json"
    options = ["--data", data, "--yes", "--ledger", str(ledger)]
    for _ in range(2):  # which spends the limit
        assert run(job, *options).exit_code == 0
    text = ledger.read_text()
    assert old in text
    ledger.write_text(text.replace(old, new))
    before = ledger.read_bytes()
    result = run(job, *options, "-o", str(place))
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert ledger.read_bytes() == before
    assert len(asked) == 4
    assert not place.exists()


def test_a_ledger_needs_a_limit(tmp_path: Path, data: str, asked: list[str]) -> None:
    path = edited(tmp_path, ("[ledger]\nepsilon = 2.0\n", ""))
    ledger = tmp_path / "ledger.json"
    result = run(path, "--data", data, "--yes", "--ledger", str(ledger))
    assert result.exit_code == 2
    assert "states no limit for a ledger" in result.stderr
    assert asked == []
    assert not ledger.exists()


def test_a_record_that_cannot_be_written_is_printed(
    job: str, data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Reserved, text: str) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Reserved, "fill", full)
    result = run(job, "--data", data, "--yes", "-o", str(tmp_path / "r.json"))
    assert result.exit_code == 1
    assert len(json.loads(result.stdout)["queries"]) == 2
    assert "could not be written: no space left on device" in result.stderr


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (KeyboardInterrupt, 130, "aborted"),
        (RuntimeError, 1, "broken off: RuntimeError. What was charged stays"),
    ],
)
def test_what_is_broken_off_is_recorded(
    job: str,
    data: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: type[BaseException],
    code: int,
    told: str,
) -> None:
    released = TableQuery.release

    def broken(self: TableQuery, alpha: Any = 0.05) -> Any:
        if "people" in repr(self):
            return released(self, alpha)
        raise error("secret")

    monkeypatch.setattr(TableQuery, "release", broken)
    place = tmp_path / "record.json"
    result = run(job, "--data", data, "--yes", "-o", str(place))
    assert result.exit_code == code
    assert told in result.stderr
    assert "secret" not in result.output
    assert list(jobs.read_record(place).answers) == ["by_shop"]


def test_help_has_examples_and_exit_codes() -> None:
    assert command.__name__ == "opendp_lite.cli.release"
    text = run("-h").stdout
    for part in ("Examples:", "Exit codes:", "--preview", "opendp-lite release visits"):
        assert part in text
