"""The check of a contract on stability maps and privacy maps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, Distance, ExactLoss
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.roots import Root
from opendp_lite.verify.contracts.terms import ContractBroken, told

_PRECISION = 256
_ROUNDING = mpq(1, 2**50)
_CURVE_POINTS = (mpq(5, 4), 2, 10, 1000)


def check_map(
    made: Transformation | Measurement,
    distances: Sequence[Any] | None,
    zero_at_zero: bool,
) -> None:
    """Check that the map is exact, monotone, 0 at 0, and shown rounded up."""
    steps = made.input_metric.distances() if distances is None else list(distances)
    previous: list[Any] | None = None
    for d in steps:
        loss = _loss(made, d)
        values = _values(loss)
        if not all(map(_is_exact, values)):
            raise ContractBroken(
                f"maps: {made!r} maps {told(d)} to {told(loss)}, which is not made of "
                "ints, rationals, roots and infinity"
            )
        if any(value < 0 for value in values):
            raise ContractBroken(
                f"maps: {made!r} maps {told(d)} below 0, to {told(loss)}"
            )
        if previous is not None and any(
            value < before for value, before in zip(values, previous, strict=True)
        ):
            raise ContractBroken(f"maps: the map of {made!r} falls towards {told(d)}")
        if zero_at_zero and _is_zero(made, d) and any(values):
            raise ContractBroken(
                f"maps: {made!r} maps {told(d)} to {told(loss)}, not to 0"
            )
        _check_shown(made, d, loss, values)
        previous = values
    _check_refused(made)


def check_map_value(
    made: Transformation | Measurement, d_in: Distance, d_out: Distance
) -> None:
    """Check that the map is the exact value, or above it by no more than rounding."""
    found = _loss(made, d_in)
    parts = d_out if isinstance(d_out, tuple) else (d_out,)
    for value, exact in zip(_values(found), parts, strict=True):
        lo, hi = _ends(exact)
        if isinstance(exact, Root) or math.inf in (value, hi):
            fits = value == hi  # a root is not rounded
        else:
            fits = lo <= value <= hi * (1 + _ROUNDING)
        if not fits:
            raise ContractBroken(
                f"maps: {made!r} maps {told(d_in)} to {told(found)}, but the exact "
                f"value is between {told(lo)} and {told(hi)}"
            )


def _ends(exact: ExactLoss) -> tuple[Any, Any]:
    """Bounds on a number that is given exactly or by enclosures."""
    if isinstance(exact, Root):
        return exact, exact
    if not callable(exact):
        return to_extended(exact), to_extended(exact)
    bounds = exact(_PRECISION)
    return bounds.lo, bounds.hi


def _loss(made: Transformation | Measurement, d: Distance) -> Any:
    exact_map = (
        made.stability_map if isinstance(made, Transformation) else made.privacy_map
    )
    try:
        return exact_map(made.input_metric.parse(d))
    except Exception as error:
        raise ContractBroken(
            f"maps: the map of {made!r} failed at {told(d)}: {error!r}"
        ) from error


def _values(loss: ExactLoss) -> list[Any]:
    """The numbers that a loss is made of; a curve is evaluated at some points."""
    if callable(loss):
        return [value for point in _CURVE_POINTS for value in _values(loss(point))]
    if isinstance(loss, tuple):
        return [value for part in loss for value in _values(part)]
    return [loss]


def _is_exact(value: object) -> bool:
    if isinstance(value, float):
        return value == math.inf
    return isinstance(value, int | type(mpq()) | Root) and not isinstance(value, bool)


def _is_zero(made: Transformation | Measurement, d: Distance) -> bool:
    return not any(_values(made.input_metric.parse(d)))


def _check_shown(
    made: Transformation | Measurement, d: Distance, loss: ExactLoss, values: list[Data]
) -> None:
    """What a person is shown is not below the exact value, and suffices for `check`."""
    shown = made.map(d)
    if any(
        to_extended(seen) < value
        for seen, value in zip(_values(shown), values, strict=True)
    ):
        raise ContractBroken(
            f"maps: {made!r} shows {told(shown)} at {told(d)}, below the exact "
            f"{told(loss)}"
        )
    if not callable(loss) and not made.check(d, shown):
        raise ContractBroken(f"maps: {made!r} refuses check({told(d)}, map({told(d)}))")


def _check_refused(made: Transformation | Measurement) -> None:
    """What is not a distance is refused by a sentence."""
    for d in made.input_metric.no_distances():
        try:
            loss = made.map(d)
        except OpenDPException:
            continue
        except Exception as error:
            raise ContractBroken(
                f"maps: {made!r} must refuse d_in={told(d)} by an OpenDPException, but "
                f"raised {error!r}"
            ) from error
        raise ContractBroken(
            f"maps: {made!r} must refuse d_in={told(d)}, but gave {told(loss)}"
        )
