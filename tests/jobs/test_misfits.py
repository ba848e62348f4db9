"""Jobs that read text: integers as pandas writes them, and values that do not fit."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import opendp_lite.prelude as dp
from opendp_lite import jobs
from opendp_lite.cli import main
from opendp_lite.jobs.shapes import JobError
from opendp_lite.testing import state_flakiness
from tests.jobs.described import edited, written

FLIGHTS = """\
[data.columns]
tailnum = "text"
distance = "int"

[privacy]
contributions = 1
epsilon = 1.0

[[query]]
name = "flights"
aggregates = { mean = "distance.fill_null(0).clip(0, 10000).mean()" }
"""
LINES = """\
person,shop,spend,items,member
1,a,9.5,2.0,true
1,a,4 EUR,one,false
1,b,?,two,yes
2,a,20,3,
x,b,?,?,?
"""
EXACT = ("epsilon = 1.0", "epsilon = 1000000000")
COUNTS = ("[ledger]", "[misfits]\nepsilon = 0.25\nrows = 2\n\n[ledger]")


def test_a_column_of_pandas_with_a_gap_has_its_mean(tmp_path: Path) -> None:
    distances = pd.Series([3750, None, *range(4000, 5000)], dtype=float)
    frame = pd.DataFrame({"tailnum": "N1", "distance": distances})
    data = tmp_path / "flights.csv"
    frame.to_csv(data, index=False)
    assert "N1,3750.0\nN1,\nN1,4000.0\n" in data.read_text()
    state_flakiness(1e-13)  # how rarely the interval of alpha = 1e-13 misses the mean
    text = "alpha = 1e-13\n" + FLIGHTS
    job = jobs.read(written(tmp_path, "flights.toml", text))
    answer = job.release(str(data)).answers["flights"]
    mean = sum(distances.fillna(0)) / len(distances)
    assert answer["mean_low"][0] <= mean <= answer["mean_high"][0]
    assert answer["mean_low"][0] > 1000  # and does not hold that of the filler alone


def test_misfits_are_counted_charged_and_recorded(tmp_path: Path) -> None:
    loss = ("epsilon = 0.25", "epsilon = 250000000")
    job = jobs.read(edited(tmp_path, COUNTS, loss, EXACT))
    record = job.release(written(tmp_path, "data.csv", LINES))
    answer = record.answers["misfits"]
    # Person 1 has two of each; nobody knows whose row "x" is.
    assert {n: c for n, c in answer.items() if n.endswith("misfits")} == {
        "spend_misfits": [2],
        "items_misfits": [2],
        "member_misfits": [1],
    }
    assert answer["spend_misfits_low"] == answer["spend_misfits_high"] == [2]
    entry = record.content["queries"][-1]
    assert (entry["name"], entry["state"]) == ("misfits", "released")
    assert entry["charged"]["epsilon"]["exact"] == "250000000"
    assert "spend_misfits=col('spend').misfits()" in entry["asked"]
    assert [row["sensitivity"] for row in entry["noise"]] == [2.0, 2.0, 2.0]
    charged = record.content["privacy"]["charged"]["epsilon"]["exact"]
    assert charged == "1000000000"


def test_the_other_queries_part_what_is_left(tmp_path: Path) -> None:
    preview = jobs.read(edited(tmp_path, COUNTS)).preview()
    losses = {item.name: item.loss for item in preview.items}
    assert losses == {
        "by_shop": Fraction(9, 16),
        "all": Fraction(3, 16),
        "misfits": Fraction(1, 4),
    }
    assert preview.loss == 1
    stated = [("share = 3", "epsilon = 0.5"), ('"all"', '"all"\nepsilon = 0.25')]
    assert jobs.read(edited(tmp_path, COUNTS, *stated)).preview().loss == 1
    over = [("share = 3", "epsilon = 0.5"), ('"all"', '"all"\nepsilon = 0.5')]
    with pytest.raises(JobError, match="would lose epsilon 5/4 in all"):
        jobs.read(edited(tmp_path, COUNTS, *over))
    delta = ("epsilon = 1.0", "epsilon = 1.0\ndelta = 1e-9")
    hidden = ('keys = { shop = ["a", "b", "?"] }', 'by = "shop"')
    found = jobs.read(edited(tmp_path, COUNTS, delta, hidden)).preview()
    (epsilon, lost), of_misfits = found.loss, found.items[-1].loss
    assert epsilon == 1
    assert 0 < lost <= Fraction(1, 10**9)
    assert of_misfits == (Fraction(1, 4), 0)


def test_a_query_may_ask_for_misfits_itself(tmp_path: Path) -> None:
    own = ('rows = "count()"', 'items = "items.misfits()", n = "count()"')
    job = jobs.read(edited(tmp_path, EXACT, own))
    record = job.release(written(tmp_path, "data.csv", LINES))
    assert record.answers["all"]["items"] == [1]  # one row of a person counts
    assert job.preview().offer is None


MISTAKES: list[tuple[str, str, str]] = [
    ("rows = 2\n\n", "\n", "misfits.rows: is missing: how many misfits of a person"),
    ("rows = 2\n\n", "rows = 0\n\n", "misfits.rows=0: must be a whole number"),
    ("rows = 2\n\n", "row = 2\n\n", "misfits.row: there is no such key. Did you mean"),
    ("epsilon = 0.25\n", "", "misfits: either epsilon or rho is needed"),
    ("epsilon = 0.25", "epsilon = 0", "misfits.epsilon=0: must be an exact number"),
    ("epsilon = 0.25", "epsilon = 1", "misfits.epsilon: leaves nothing of epsilon 1"),
    ("epsilon = 0.25", "rho = 0.25", "misfits.rho: the whole is told in epsilon"),
    ("[misfits]", "[misfit]", "misfit: there is no such key. Did you mean 'misfits'?"),
    ('name = "all"', 'name = "misfits"', "query[1].name='misfits': names two queries"),
    (
        '"bool"',
        '"bool"\nmember_misfit = "bool"',
        "data.columns: columns='member_misfit': is to mark the values that do not fit",
    ),
    (
        'identifier = "person"\n',
        "",
        "misfits.rows: bounds what a person adds, and the table has no identifier",
    ),
]


HOSTILE = ["0", "-5", "1.5", "'x'", "nan", "inf", "true", "[]", "{}", "[1]", "-1e9"]
HOSTILE += ["1e400", "1979-05-27", "0x" + "F" * 5000]


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: value[:10])
@pytest.mark.parametrize("name", ["rows", "epsilon", "rho", "groups"])
def test_hostile_values_are_refused(tmp_path: Path, name: str, value: str) -> None:
    """What may be written as epsilon or rho is more than the whole job may lose."""
    lines = {"rows": "rows = 2", "epsilon": "epsilon = 0.25"} | {
        name: f"{name} = {value}"
    }
    section = "\n".join(lines.values())
    with pytest.raises(JobError) as caught:
        jobs.read(edited(tmp_path, COUNTS, ("epsilon = 0.25\nrows = 2", section)))
    assert "misfits" in caught.value.message
    assert len(caught.value.message) < 500


@pytest.mark.parametrize(("old", "new", "told"), MISTAKES)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(JobError) as caught:
        jobs.read(edited(tmp_path, COUNTS, (old, new)))
    assert told in caught.value.message


def test_text_alone_has_no_misfits(tmp_path: Path) -> None:
    text = FLIGHTS.replace('distance = "int"\n', "") + "[misfits]\nepsilon = 0.1\n"
    text = text.replace("distance.fill_null(0).clip(0, 10000).mean()", "count()")
    with pytest.raises(JobError, match="misfits: no column is read from text"):
        jobs.read(written(tmp_path, "job.toml", text))
    data = written(tmp_path, "data.csv", "tailnum\nN1\n")
    job = jobs.read(written(tmp_path, "job.toml", text.partition("[misfits]")[0]))
    assert job.preview(data).offer is None


def test_parquet_with_marks_does_and_without_them_is_refused(tmp_path: Path) -> None:
    job = jobs.read(edited(tmp_path, COUNTS, EXACT))
    columns = {
        name: dp.option_domain(dp.atom_domain(T=T))
        for name, T in {
            "person": int, "shop": str, "spend": float, "items": int, "member": bool,
        }.items()
    }  # fmt: skip
    data = written(tmp_path, "data.csv", LINES)
    old, new = str(tmp_path / "old.parquet"), str(tmp_path / "new.parquet")
    dp.csv_to_parquet(data, new, columns)
    assert job.release(new).complete
    dp.csv_to_parquet(data, old, columns, misfits=False)
    with pytest.raises(JobError) as caught:
        job.release(old)
    assert "has no column 'person_misfit', which marks the values" in str(caught.value)
    assert "write it anew by csv_to_parquet" in str(caught.value)
    assert jobs.read(edited(tmp_path)).release(old).complete


def test_the_preview_offers_to_count_what_is_read_from_text(tmp_path: Path) -> None:
    data = written(tmp_path, "data.csv", LINES)
    plain = jobs.read(edited(tmp_path))
    told = repr(plain.preview(data)).splitlines()[-1]
    assert told == (
        "values of spend, items, member that do not fit their column become missing, "
        "and nobody sees how many: to count them, write [misfits] and epsilon = 0.01 "
        "and rows = 1 below it"
    )
    assert plain.preview().offer is None  # the data may be Parquet
    counting = jobs.read(edited(tmp_path, COUNTS))
    assert counting.preview(data).offer is None
    # What is offered is a job, and counts.
    offered = ("[ledger]", "[misfits]\nepsilon = 0.01\nrows = 1\n[ledger]")
    found = jobs.read(edited(tmp_path, offered)).preview(data)
    assert [item.name for item in found.items] == ["by_shop", "all", "misfits"]
    rho = jobs.read(edited(tmp_path, ("epsilon = 1.0", "rho = 1.0"),
                           ("[ledger]\nepsilon", "[ledger]\nrho")))  # fmt: skip
    assert "write [misfits] and rho = 0.01" in str(rho.preview(data).offer)


PYTHON = """\
import opendp_lite.prelude as dp
COLUMNS = {"age": dp.option_domain(dp.atom_domain(T=int))}
def context(data):
    return dp.Context.compositor(
        data=data, domain=dp.table_domain(COLUMNS),
        privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(epsilon=1e7))
def queries(context):
    return {"rows": context.table(epsilon=1e6).agg(n=dp.count())}
"""


def test_a_python_file_counts_misfits_too(tmp_path: Path) -> None:
    data = written(tmp_path, "data.csv", "age\n31.0\nold\n\n44\n")
    without = jobs.read(written(tmp_path, "job.py", PYTHON))
    told = str(without.preview(data).offer)
    assert "declare the table by declare_misfits(COLUMNS), and ask for" in told
    assert "context.table(epsilon=0.01).count_misfits()" in told
    text = PYTHON.replace("dp.table_domain(COLUMNS)",
                          "dp.table_domain(dp.declare_misfits(COLUMNS))")  # fmt: skip
    text = text.replace("agg(n=dp.count())", "count_misfits()")
    job = jobs.read(written(tmp_path, "counting.py", text))
    assert job.preview(data).offer is None
    assert job.release(data).answers["rows"]["age_misfits"] == [1]


def test_the_command_offers_and_counts(tmp_path: Path) -> None:
    data = written(tmp_path, "data.csv", LINES)
    place = str(tmp_path / "record.json")
    arguments = ["--data", data, "-o", place, "--yes", "--force"]
    found = CliRunner().invoke(main, ["release", edited(tmp_path), *arguments])
    assert found.exit_code == 0
    assert "write [misfits] and epsilon = 0.01 and rows = 1 below it" in found.stderr
    job = edited(tmp_path, COUNTS)
    found = CliRunner().invoke(main, ["release", job, *arguments])
    assert found.exit_code == 0
    assert "nobody sees how many" not in found.stderr
    assert "misfits\n  spend_misfits" in found.stdout
    assert "misfits" in jobs.read_record(place).answers
