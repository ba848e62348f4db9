"""All rows, in the order in which they are printed."""

from benchmarks.harness import Row
from benchmarks.rows import (
    canonical,
    conversions,
    counts,
    imports,
    maps,
    moments,
    quantiles,
    responses,
    scalars,
    selection,
    sessions,
    short,
    snapping,
    sums,
    tables,
    vectors,
)
from benchmarks.rows.sizes import FULL, QUICK, Sizes

__all__ = ["FULL", "QUICK", "Sizes", "all_rows"]


def all_rows(sizes: Sizes) -> list[Row]:
    """Every row, at these sizes."""
    return [
        *vectors.rows(sizes),
        *short.rows(),
        *scalars.rows(),
        *snapping.rows(sizes),
        *canonical.rows(),
        *selection.rows(sizes),
        *sums.rows(sizes),
        *moments.rows(sizes),
        *counts.rows(sizes),
        *quantiles.rows(sizes),
        *maps.rows(),
        *sessions.rows(),
        *conversions.rows(),
        *responses.rows(sizes),
        *tables.rows(sizes),
        *imports.rows(),
    ]
