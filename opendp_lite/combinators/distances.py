"""The distances at which combinators ask the maps of their parts, for `explain`.

They are told to people only: what is lost is decided by the map of each combinator,
which its proof quotes. Tests ask whether the two agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opendp_lite.core.aliases import ExactDistance, Value
from opendp_lite.core.domains import VectorDomain
from opendp_lite.transformations.datasets import changed_rows, changes_rows

__all__ = ["of_blocks", "of_parts", "of_sample"]


def of_parts(arguments: Mapping[str, Value], d_in: ExactDistance) -> tuple[Any, ...]:
    """Return the distance of each part of a tuple.

    :param arguments: of make_product
    :param d_in: the exact distance of the whole
    """
    return tuple(d_in)


def of_blocks(arguments: Mapping[str, Value], d_in: ExactDistance) -> tuple[Any, ...]:
    """Return, for each block, how far apart neighbours are in it at most.

    :param arguments: of make_parallel_composition
    :param d_in: the exact distance of the whole
    """
    domain, metric = arguments["input_domain"], arguments["input_metric"]
    size = domain.size if isinstance(domain, VectorDomain) else None
    apart = d_in
    if size is not None or changes_rows(metric):
        apart = 2 * changed_rows(metric, size, d_in)
    return (apart,) * len(arguments["measurements"])


def of_sample(arguments: Mapping[str, Value], d_in: ExactDistance) -> Any:
    """Return how far apart samples are if populations are at a distance.

    :param arguments: of make_population_amplification
    :param d_in: the exact distance of the populations
    """
    measurement = arguments["measurement"]
    size, metric = measurement.input_domain.size, measurement.input_metric
    twofold = 1 if changes_rows(metric) else 2
    return twofold * changed_rows(metric, size, d_in)
