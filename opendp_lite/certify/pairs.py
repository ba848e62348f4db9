"""Small neighbours, found from a domain and a metric: invented data, never a user's.

A pair is as far apart as the distance allows, where that is small, so that its bit tree
comes near to what the map claims. Which values there are the domain is asked; whether
they are members and how far apart they are, domain and metric decide in the end.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from typing import Any

from opendp_lite.base.aliases import Data, Distance
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.verify.certificates import Release
from opendp_lite.verify.tree import enumerate_tree

_FEW = 4  # rows of a small data set
_FAR = 1000  # a number that clamps to most bounds, where a domain has none
_MOST_CANDIDATES, _MOST_PAIRS = 24, 12
_FEW_BITS, _FEW_RUNS = 40, 150


def small_pair(measurement: Measurement, d_in: Distance) -> tuple[Any, Any] | None:
    """Return two small members at distance at most `d_in`, as different as are found.

    Of those that are the furthest apart, it is the pair whose releases differ most, as
    far as a few runs tell.

    :param measurement: on whose space
    :param d_in: the distance
    """
    domain, metric = measurement.input_domain, measurement.input_metric
    candidates = list(islice(_members(domain, _step(d_in)), _MOST_CANDIDATES))
    found: list[tuple[Any, Any, Any]] = []
    for x2, x in combinations(candidates, 2):
        try:
            distance = metric.distance(x2, x)
            if distance > 0 and metric.within(x2, x, d_in):
                found.append((distance, x2, x))
        except (OpenDPException, ArithmeticError, TypeError, ValueError):
            continue  # values of another kind than the metric compares
    most = max((distance for distance, _, _ in found), default=None)
    far = [(x2, x) for distance, x2, x in found if distance == most][:_MOST_PAIRS]
    laws: dict[int, Mapping[Any, Any]] = {}  # by identity: all stay in `far`

    def law(x: Data) -> Mapping[Any, Any]:
        if id(x) not in laws:
            release = Release(measurement, x)
            tree = enumerate_tree(release, _FEW_BITS, runs=_FEW_RUNS, progress=False)
            laws[id(x)] = tree.masses
        return laws[id(x)]

    def apart(pair: tuple[Any, Any]) -> Any:
        p, q = map(law, pair)
        return sum(abs(p.get(y, 0) - q.get(y, 0)) for y in p.keys() | q.keys())

    return max(far, key=apart) if far else None


def _step(d_in: Distance) -> Any:
    """Return how far numbers are moved: the distance where it is a small number."""
    try:
        size = float(d_in)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return 1
    return d_in if 0 < size <= 2**20 else 1


def _members(domain: Domain, step: Any) -> Iterator[Any]:
    """Yield small members of a domain."""
    for value in _values(domain, step):
        try:
            if domain.member(value):
                yield value
        except (OpenDPException, TypeError, ValueError):
            continue


def _values(domain: Domain, step: Any) -> Iterator[Any]:
    """Yield values that may be members; which are, the domain says."""
    rows, parts, entries = domain.row_domain, domain.part_domains, domain.entry_domain
    if rows is not None:
        yield from _lists(domain, list(islice(_members(rows, step), 5)))
    elif parts is not None:
        pools = [list(islice(_members(part, step), 3)) for part in parts]
        if all(pools):
            first = [pool[0] for pool in pools]
            yield tuple(first)
            for i, pool in enumerate(pools):
                for each in pool[1:]:
                    yield (*first[:i], each, *first[i + 1 :])
    elif entries is None:
        yield from _atoms(domain, step)


def _lists(domain: Domain, values: list[Any]) -> Iterator[list[Any]]:
    """Yield lists of no row, of one, and of as many as are asked for."""
    size = getattr(domain, "size", None)
    sizes = [size] if isinstance(size, int) else range(_FEW)
    for count in sizes:
        if count > 64:
            return
        for value in values:
            yield [value] * count
        for value in values[1:]:
            for changed in range(1, count):
                yield [value] * changed + [values[0]] * (count - changed)
        if not values and count == 0:
            yield []


def _atoms(domain: Domain, step: Any) -> Iterator[Any]:
    bounds = getattr(domain, "bounds", None)
    starts = [0] if bounds is None else [bounds[0], bounds[1]]
    kinds = [domain.atom_type] if domain.atom_type else [bool, int, float, str]
    for kind in kinds:
        if kind is bool:
            yield from (False, True)
        elif kind is str:
            yield from ("a", "b")
        elif kind is not None:
            for number in (*starts, _FAR, -_FAR, starts[0] + step, starts[0] + 1):
                try:
                    value = kind(number)
                except (TypeError, ValueError, OverflowError):
                    continue
                if not (isinstance(value, float) and math.isnan(value)):
                    yield value
    yield from getattr(domain, "extremes", list)()
