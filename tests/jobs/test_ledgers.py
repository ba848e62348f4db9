"""Ledgers: what was lost about the same data adds up, exactly, whoever asks at once."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from opendp_lite import jobs
from opendp_lite.jobs.shapes import JobError
from tests.rows import for_each

TENTH = {"epsilon": Fraction(1, 10)}
ONE = {"epsilon": Fraction(1)}


@pytest.fixture
def ledger(tmp_path: Path) -> jobs.Ledger:
    return jobs.Ledger(str(tmp_path / "ledger.json"))


def test_ten_tenths_are_one_and_no_more_fits(ledger: jobs.Ledger) -> None:
    assert ledger.spent() == {}
    for number in range(10):
        assert ledger.check("unit", TENTH, ONE)["epsilon"] == Fraction(number + 1, 10)
        ledger.charge("job", "unit", TENTH, ONE)
    before = Path(ledger.path).read_bytes()
    with pytest.raises(JobError, match="epsilon 1 was spent before, and 1/10 more"):
        ledger.charge("job", "unit", TENTH, ONE)
    assert Path(ledger.path).read_bytes() == before
    assert ledger.spent() == ONE
    entries = json.loads(before)["entries"]
    assert len(entries) == 10
    assert entries[0]["loss"] == {"epsilon": "1/10"}


def test_pairs_add_up_by_their_parts(ledger: jobs.Ledger) -> None:
    loss = {"epsilon": Fraction(1), "delta": Fraction(1, 10**6)}
    limit = {"epsilon": Fraction(9), "delta": Fraction(3, 2 * 10**6)}
    ledger.charge("job", "unit", loss, limit)
    with pytest.raises(JobError, match="delta 1/1000000 was spent before"):
        ledger.charge("job", "unit", loss, limit)


def test_units_and_kinds_of_loss_are_not_mixed(ledger: jobs.Ledger) -> None:
    ledger.charge("job", "unit", TENTH, ONE)
    with pytest.raises(JobError, match="another unit of privacy"):
        ledger.charge("job", "other", TENTH, ONE)
    rho = {"rho": Fraction(1, 10)}
    with pytest.raises(JobError, match="another kind of loss"):
        ledger.charge("job", "unit", rho, {"rho": Fraction(1)})
    with pytest.raises(JobError, match="Tell both in the same terms"):
        ledger.charge("job", "unit", rho, ONE)
    assert ledger.spent() == TENTH


ENTRY = """\
    {
      "time": "2024-01-01T00:00:00+00:00",
      "job": "job",
      "unit": "unit",
      "loss": {
        "epsilon": "1/10"
      }
    }"""
TEXT = f"""\
{{
  "ledger": "opendp-lite ledger",
  "format": 1,
  "entries": [
{ENTRY}
  ]
}}
"""
LOSS = """{
        "epsilon": "1/10"
      }"""
# Each is a change to a good ledger, and a part of what is said.
DAMAGED: list[tuple[str, str, str]] = [
    # A careless merge leaves both sides; the last one would win.
    ('"entries": [', '"entries": [],\n  "entries": [', "'entries' stands twice"),
    ("  ]\n}", '  ],\n  "entries": []\n}', "'entries' stands twice"),
    ('"1/10"', '"1/10", "epsilon": "0"', "'epsilon' stands twice"),
    ('"unit": "unit"', '"unit": "unit", "unit": "unit"', "'unit' stands twice"),
    (LOSS, f'{LOSS}, "loss": {{"epsilon": "0"}}', "'loss' stands twice"),
    ('"format": 1', '"format": 1, "format": 1', "'format' stands twice"),
    # Types.
    (f"[\n{ENTRY}\n  ]", "{}", "its fields must be ledger, format, entries"),
    (f"[\n{ENTRY}\n  ]", '""', "its fields must be"),
    (f"[\n{ENTRY}\n  ]", "null", "its fields must be"),
    (f"[\n{ENTRY}\n  ]", f'{{"0": {ENTRY}}}', "its fields must be"),
    ('"format": 1', '"format": true', "its fields must be"),
    ('"format": 1', '"format": 1.0', "its fields must be"),
    ('"format": 1', '"format": "1"', "its fields must be"),
    ('"format": 1', '"format": 2', "no opendp-lite ledger in format 1"),
    ('"opendp-lite ledger"', '"a ledger"', "no opendp-lite ledger in format 1"),
    (ENTRY, "3", "the fields of an entry must be"),
    (ENTRY, "[]", "the fields of an entry must be"),
    ('"unit": "unit"', '"unit": ["unit"]', "the fields of an entry must be"),
    ('"job": "job"', '"job": null', "the fields of an entry must be"),
    (LOSS, "3", "the fields of an entry must be"),
    (LOSS, "{}", "exact numbers as texts in loss"),
    (LOSS, '["epsilon"]', "exact numbers as texts in loss"),
    ('"1/10"', "0.1", "exact numbers as texts in loss"),
    ('"1/10"', "true", "exact numbers as texts in loss"),
    ('"1/10"', '["1/10"]', "exact numbers as texts in loss"),
    ('"1/10"', '"-1"', "exact numbers as texts in loss"),
    ('"1/10"', '"1/0"', "exact numbers as texts in loss"),
    ('"1/10"', '"1/000"', "exact numbers as texts in loss"),
    ('"1/10"', '"1/10\\n"', "exact numbers as texts in loss"),
    ('"1/10"', '"\u0661"', "exact numbers as texts in loss"),
    ('"1/10"', '"nan"', "exact numbers as texts in loss"),
    # Names.
    ('"format": 1', '"format": 1, "Entries": []', "its fields must be"),
    ('"ledger": ', '"Ledger": ', "its fields must be"),
    ('"job": "job"', '"job": "job", "refund": "1"', "the fields of an entry must be"),
    ('"time": "2024-01-01T00:00:00+00:00",', "", "the fields of an entry must be"),
    ('"epsilon"', '"Epsilon"', "exact numbers as texts in loss"),
    ('"1/10"', '"1/10", "note": "0"', "exact numbers as texts in loss"),
    ('"1/10"', '"1/10", "rho": "1"', "exact numbers as texts in loss"),
    # No JSON.
    (ENTRY, f"<<<<<<< ours\n{ENTRY}", "Expecting value"),
    (TEXT, "", "Expecting value"),
    (TEXT, "[" * 100_000, "it nests too deep"),
    ('"1/10"', "NaN", "the number 'NaN' is not finite"),
    ('"1/10"', "1e999", "the number '1e999' is not finite"),
    ('"1/10"', "9" * 5000, "digits, too many"),
]  # fmt: skip


def test_the_ledger_that_the_next_test_damages_is_good(ledger: jobs.Ledger) -> None:
    Path(ledger.path).write_text(TEXT, encoding="utf-8")
    assert ledger.spent() == TENTH
    ledger.charge("job", "unit", TENTH, ONE)
    assert json.loads(Path(ledger.path).read_text())["entries"][0] == json.loads(ENTRY)


@for_each(("old", "new", "said"), DAMAGED, ids=str)
def test_a_damaged_ledger_is_refused_and_stays_as_it_was(
    old: str, new: str, said: str
) -> None:
    assert TEXT.count(old) == 1, old
    damaged = TEXT.replace(old, new).encode()
    with TemporaryDirectory() as folder:
        path = Path(folder, "ledger.json")
        path.write_bytes(damaged)
        ledger = jobs.Ledger(str(path))
        for ask in (
            ledger.spent,
            lambda: ledger.check("unit", TENTH, ONE),
            lambda: ledger.charge("job", "unit", TENTH, ONE),
        ):
            with pytest.raises(JobError, match="cannot be read as a ledger") as caught:
                ask()
            assert said in caught.value.message
            assert caught.value.message.isprintable()
        assert path.read_bytes() == damaged
        assert {each.name for each in path.parent.iterdir()} <= {
            *("ledger.json", "ledger.json.lock"),
        }


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="cannot be locked: no such file"):
        jobs.Ledger(str(tmp_path / "none" / "a.json")).charge("job", "u", TENTH, ONE)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    link.symlink_to(real)
    jobs.Ledger(str(link)).charge("job", "unit", TENTH, ONE)
    assert link.is_symlink()
    assert jobs.Ledger(str(real)).spent() == TENTH


CHARGES = """\
import sys
from fractions import Fraction
from opendp_lite.jobs.ledgers import Ledger
from opendp_lite.jobs.shapes import JobError
done = 0
for _ in range(12):
    try:
        Ledger(sys.argv[1]).charge("job", "unit", {"epsilon": Fraction(1, 10)},
                                   {"epsilon": Fraction(2)})
        done += 1
    except JobError:
        pass
print(done)
"""


def test_processes_that_charge_at_once_are_all_counted(ledger: jobs.Ledger) -> None:
    command = [sys.executable, "-c", CHARGES, ledger.path]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    done = [int(each.communicate()[0]) for each in running]
    assert sum(done) == 20
    assert ledger.spent() == {"epsilon": Fraction(2)}
