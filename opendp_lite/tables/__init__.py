"""Tables: engines that hold the data count exactly, and noise is drawn afterwards.

Expressions are written with `col` and `lit`; the domains and metrics of tables are
listed among the others, and the constructors in `dp.t`, `dp.m` and `dp.c`.
"""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import has_kinds, on_demand

if TYPE_CHECKING:
    from opendp_lite.tables.aggregates import count as count, people as people
    from opendp_lite.tables.domain import declare_misfits as declare_misfits
    from opendp_lite.tables.engines.drafts import (
        draft_table_domain as draft_table_domain,
    )
    from opendp_lite.tables.expressions import Expr as Expr, col as col, lit as lit
    from opendp_lite.tables.lines import csv_to_parquet as csv_to_parquet
else:
    __getattr__, __dir__ = on_demand(__name__)

for _room in ("domain", "distance", "expressions"):
    has_kinds(f"{__name__}.{_room}")
