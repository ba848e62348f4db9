"""Synthetic tables to try the library on; no person is behind a row.

They have the columns of the data sets that OpenDP's documentation uses, and come with
the package: nothing is downloaded. A deterministic generator has made all numbers, so
they say nothing of California or of France.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendp_lite.base.loading import refusing

if TYPE_CHECKING:
    from pathlib import Path
else:
    __getattr__ = refusing(__name__)

__all__ = [
    "CALIFORNIA_PUMS_COLUMNS",
    "FRANCE_LFS_COLUMNS",
    "get_california_pums_path",
    "get_france_lfs_path",
]

CALIFORNIA_PUMS_COLUMNS = ("age", "sex", "educ", "race", "income", "married")
FRANCE_LFS_COLUMNS = ("YEAR", "QUARTER", "PIDENT", "SEX", "AGE", "ILOSTAT", "HWUSUAL")


def get_california_pums_path() -> Path:
    """Return the path of a synthetic table of 1000 residents, as CSV without a header.

    The columns are `CALIFORNIA_PUMS_COLUMNS`, as in the extract of a census that
    OpenDP's documentation uses: age in years, sex (0, 1), education (1 to 16), race (1
    to 6), income in dollars, married (0, 1). All numbers are synthetic.

    >>> import opendp_lite.prelude as dp
    >>> text = dp.examples.get_california_pums_path().read_text()
    >>> ages = [int(line.split(",")[0]) for line in text.splitlines()]
    >>> len(ages), min(ages), max(ages)
    (1000, 18, 93)
    """
    return _path("california_pums_synthetic.csv")


def get_france_lfs_path() -> Path:
    """Return the path of a synthetic labour force survey, as CSV with a header.

    The columns are `FRANCE_LFS_COLUMNS`, those that OpenDP's documentation uses of a
    survey of France: the year and quarter of an interview; who was asked, in up to six
    quarters (PIDENT); sex (1, 2); age; ILOSTAT, the labour status (1 works, 2 is absent
    from a job, 3 was laid off, 5 does not work, 9 is less than 15); and HWUSUAL, the
    usual hours a week (0: they vary, 99: not applicable, empty: no answer). All numbers
    are synthetic.

    >>> import opendp_lite.prelude as dp
    >>> dp.examples.get_france_lfs_path().read_text().partition("\\n")[0]
    'YEAR,QUARTER,PIDENT,SEX,AGE,ILOSTAT,HWUSUAL'
    """
    return _path("france_lfs_synthetic.csv")


def _path(name: str) -> Path:
    from pathlib import Path

    return Path(__file__).parent / name
