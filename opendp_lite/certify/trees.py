"""Bit trees in a certificate: the code run on its strings of bits, for small pairs."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from opendp_lite import __version__
from opendp_lite.base.aliases import Data, Distance, Value
from opendp_lite.base.errors import OpenDPException, printed, write_number
from opendp_lite.certify.format import Pairs, Subject, malformed
from opendp_lite.certify.pairs import small_pair
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.serializing import deserialize, serialize
from opendp_lite.verify.certificates import PrivacyCertificate, privacy
from opendp_lite.verify.judging import judge_of

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
