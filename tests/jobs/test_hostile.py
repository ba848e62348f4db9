"""Jobs that somebody else wrote: they do not hang, hide their cost, or misname."""

from __future__ import annotations

from pathlib import Path

import pytest

from opendp_lite import jobs
from opendp_lite.jobs.expressions import parsed
from opendp_lite.jobs.previews import told
from opendp_lite.jobs.shapes import JobError
from opendp_lite.measures import max_divergence
from tests.jobs.described import edited

HUGE = "0x" + "F" * 5000
_KEYS = '{ shop = ["a", "b", "?"] }'
_MANY = f"{{ shop = ['a'], items = {list(range(1100))}, person = {list(range(1100))} }}"

HOSTILE = [
    ("contributions = 1", f"contributions = {'9' * 5000}", "thousands of digits"),
    ("contributions = 1", f"contributions = {HUGE}", "<int of 20000 bits>: must be a"),
    ('items = "int"', f"items = {HUGE}", "<int of 20000 bits> is no type"),
    ("epsilon = 1.0", "rho = 1e-999", "privacy.rho=Decimal('1E-999'): must be an"),
    ("epsilon = 1.0", "epsilon = 1e999", "must be an exact number above 0"),
    ('title = "Purchases"', f"{'.'.join('a' * 20000)} = 1", "nests too deep"),
    ('title = "Purchases"', f"""{'."b".'.join('a' * 2000)} = 1""", "nests too deep"),
    ('title = "Purchases"', f"title = '{'x' * 2**20}'", "has at most 1048576 bytes"),
    (_KEYS, _MANY, "there would be 1210000 keys, at most 1048576"),
    # What could hide the cost from who is asked, or put another one beside it.
    ('"Purchases"', '"A\\u001b[8m"', "title='A\\x1b[8m': must be one line"),
    ('"Purchases"', '"A\\nwhole job: epsilon 0.1"', "must be one line"),
    ('name = "all"', 'name = "all\\u202e"', "name='all\\u202e': must be one line"),
    ("rows = ", '"rows\\u001b[2J" = ', "has a character that is not shown"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "said"), HOSTILE, ids=[said for *_, said in HOSTILE]
)
def test_hostile_texts_are_refused(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    with pytest.raises(JobError) as caught:
        jobs.read(edited(tmp_path, (old, new)))
    assert said in caught.value.message
    assert caught.value.message.isprintable()


def test_a_name_is_the_one_that_is_written(tmp_path: Path) -> None:
    # Python takes the ligature for two letters, which are another column.
    with pytest.raises(JobError, match="is read as 'fit', which is not how it is"):
        parsed(" \ufb01t.fill_null(0)")
    assert repr(parsed(' col("\ufb01t").fill_null(0) ')) == (
        "col('\ufb01t').fill_null(0)"
    )


def test_a_cost_is_never_told_as_less_than_it_is(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        ("epsilon = 1.0", "epsilon = 1.00000000000001"),
        ("epsilon = 2.0", "epsilon = 2"),
    )
    preview = jobs.read(path).preview()
    assert preview.told_loss == "epsilon 1.00001"
    assert "whole job: epsilon 1.00001 of epsilon 1\n" in repr(preview)
    tiny = max_divergence().parse("1/100000000000000000000")
    assert told(max_divergence(), tiny) == "epsilon 1e-20"


def test_data_that_are_no_file_are_refused(tmp_path: Path) -> None:
    job = jobs.read(edited(tmp_path))
    with pytest.raises(JobError, match="is no file that can be read twice"):
        job.preview("/dev/null")
