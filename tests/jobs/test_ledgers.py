"""Ledgers: what was lost about the same data adds up, exactly, whoever asks at once."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from opendp_lite import jobs
from opendp_lite.jobs.errors import JobError

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


@pytest.mark.parametrize(
    "entry",
    [
        {"unit": "unit", "loss": {"epsilon": "-1"}},
        {"unit": "unit", "loss": {"epsilon": "1/0"}},
        {"unit": "unit", "loss": {"epsilon": "nan"}},
        {"unit": "unit", "loss": {}},
        {"unit": "unit", "loss": 3},
        {"loss": {"epsilon": "1"}},
        3,
    ],
)
def test_what_is_no_ledger_is_not_charged(ledger: jobs.Ledger, entry: object) -> None:
    kind = {"ledger": "opendp-lite ledger", "format": 1}
    for content in ({**kind, "entries": [entry]}, {**kind, "format": 2}, [], entry):
        text = json.dumps(content)
        Path(ledger.path).write_text(text)
        with pytest.raises(JobError, match="cannot be read as a ledger"):
            ledger.charge("job", "unit", TENTH, ONE)
        assert Path(ledger.path).read_text() == text


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
from opendp_lite.jobs.errors import JobError
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
