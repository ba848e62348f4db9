"""Jobs: releases that are described in a file, previewed, run once, and recorded.

`read` reads a description, in TOML or in Python; `Job.preview` says what it would cost
and how accurate it would be; `Job.release` runs it on a file of data and returns a
`Record`, which holds what was asked, charged and answered, and never data.
"""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.jobs.shapes import JobError as JobError
    from opendp_lite.jobs.expressions import parsed as parsed
    from opendp_lite.jobs.ledgers import Ledger as Ledger
    from opendp_lite.jobs.reading import read as read
    from opendp_lite.jobs.records import (
        Record as Record,
        read_record as read_record,
    )
    from opendp_lite.jobs.running import Job as Job
else:
    __getattr__, __dir__ = on_demand(__name__)
