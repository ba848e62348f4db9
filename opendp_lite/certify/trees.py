"""Bit trees in a certificate: the code run on its strings of bits, for small pairs.

A pair is as far apart as the distance allows, where that is small, so that its bit tree
comes near to what the map claims. Which values there are the domain is asked; whether
they are members and how far apart they are, domain and metric decide in the end.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import combinations, islice
from typing import Any

from opendp_lite import __version__
from opendp_lite.base.aliases import Data, Distance, Value
from opendp_lite.base.errors import OpenDPException, printed, write_number
from opendp_lite.certify.format import Pairs, Subject, malformed
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.serializing import deserialize, serialize
from opendp_lite.verify.certificates import PrivacyCertificate, privacy
from opendp_lite.verify.judging import judge_of
from opendp_lite.verify.tree import enumerate_tree
from opendp_lite.verify.verdicts import Applied

DEPTH, RUNS = 48, 5_000
_MOST_DEPTH, _MOST_RUNS, _MOST_PAIRS = 10_000, 1_000_000, 16
NONE_ASKED = "none was asked for"
NONE_FOUND = "no small pair of inputs was found that a certificate can carry"
_NOTHING: dict[str, Any] = {"pairs": [], "depth": 0, "runs": 0, "results": []}
_SAYS = {
    "holds": "for this pair of inputs the code, run on its random bits, keeps the "
    "claim up to the certified delta; of other pairs it says nothing",
    "refuted": "for this pair of inputs more is lost than is claimed: the claim is "
    "false",
    "undecided": "neither that the claim holds for this pair, nor that it does not",
}
_SAYS_NOTHING = (
    "nothing: something else than its random bits may decide what the code releases"
)


def carried(value: Value) -> Any:
    """Return a value as JSON carries it, whatever version reads it.

    :param value: what `serialize` takes
    """
    return json.loads(serialize(value))["value"]


def restored(value: Value) -> Any:
    """Return what was carried, made anew by the library's own constructors.

    :param value: what `carried` returned
    """
    # Names are looked up in the rooms of the library that are loaded: all of them.
    import_module("opendp_lite.prelude")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # versions are compared by themselves
        return deserialize(json.dumps({"opendp_lite": __version__, "value": value}))


def bit_trees(
    made: Subject,
    d_in: Distance,
    pairs: Pairs | None = None,
    depth: int = DEPTH,
    runs: int = RUNS,
) -> dict[str, Any]:
    """Return what bit trees of small pairs say of a measurement.

    :param made: what is certified
    :param d_in: the distance of the claim
    :param pairs: of inputs; one that is found by itself if None
    :param depth: how many bits a path may have
    :param runs: how often the code may be run for each input
    """
    _check_cost(depth, runs, pairs or ())
    reason = _no_tree(made)
    if reason is not None:
        if pairs:
            raise OpenDPException("Unsupported", f"there is no bit tree: {reason}.")
        return _NOTHING | {"none": reason}
    if pairs is None:
        pair = small_pair(made, d_in)
        if pair is None or not _can_be_carried(pair):
            return _NOTHING | {"none": NONE_FOUND}
        pairs = [pair]
    if not pairs:
        return _NOTHING | {"none": NONE_ASKED}
    results = [
        _told(
            privacy(made, x, x2, d_in, depth, runs=runs, progress=False),
            *(x, x2, depth, runs),
        )
        for x, x2 in pairs
    ]
    return {
        "pairs": [[carried(x), carried(x2)] for x, x2 in pairs],
        "depth": depth,
        "runs": runs,
        "results": results,
        "none": None,
    }


def _can_be_carried(pair: tuple[Any, Any]) -> bool:
    try:
        carried(pair)
    except OpenDPException:  # a table, or of a class of one's own
        return False
    return True


def _check_cost(depth: int, runs: int, pairs: Sequence[Any]) -> None:
    for name, value, most in (
        ("depth", depth, _MOST_DEPTH),
        ("runs", runs, _MOST_RUNS),
        ("pairs", len(pairs), _MOST_PAIRS),
        ("runs in all", len(pairs) * runs, _MOST_RUNS),
    ):
        if not 0 <= value <= most:
            raise malformed(f"asks for {name}={value} of a bit tree", f"At most {most}")


def _no_tree(made: Subject) -> str | None:
    """Return why an object has no bit tree, if it has none."""
    if not isinstance(made, Measurement):
        return "it is no measurement, and releases nothing"
    if made.interactive:
        return "it goes on answering, and a bit tree is of one release"
    if made.exclusive:
        return "its guarantee is about populations, and not about two inputs"
    if judge_of(made.output_measure.inner_measure) is None:
        return f"two laws are not compared under {printed(made.output_measure)}"
    return None


def _told(
    result: PrivacyCertificate, x: Data, x2: Data, depth: int, runs: int
) -> dict[str, Any]:
    exact = {
        name: write_number(getattr(result, name))
        for name in (
            "claimed_loss",
            "claimed_delta",
            "certified_loss",
            "certified_delta",
            "needs_loss",
            "unresolved",
        )
    }
    sources = list(result.sources)
    return {
        "x": printed(x),
        "x2": printed(x2),
        "distance": write_number(result.d_in),
        "verdict": result.verdict,
        "says": _SAYS_NOTHING if result.sources else _SAYS[result.verdict],
        **exact,
        # It is a matter of chance in which run a source is found.
        **({"sources": sources} if sources else {"paths": result.paths}),
        "shown": repr(result),
        "depth": depth,
        "runs": runs,
    }


_FEW = 4  # rows of a small data set
_FAR = 1000  # a number that clamps to most bounds, where a domain has none
_MOST_CANDIDATES, _MOST_SMALL_PAIRS = 24, 12
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
    far = [(x2, x) for distance, x2, x in found if distance == most][:_MOST_SMALL_PAIRS]
    laws: dict[int, Mapping[Any, Any]] = {}  # by identity: all stay in `far`

    def law(x: Data) -> Mapping[Any, Any]:
        if id(x) not in laws:
            release = Applied(measurement, x)
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
