"""What a measurement tells of its releases: how near they are, and the scale of noise.

The layers above know, and enter it when they are loaded: by `tells` the name of the
function that computes an accuracy, which is loaded when it is first asked for, and by
`passes_on` the argument whose releases are passed on as they are. Constructors are
named, and none but the library's own is looked up. Of all others nothing is told, and
the error says why.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction
from importlib import import_module
from typing import Any, NoReturn

from opendp_lite.base.aliases import Arguments, ExactNumber

_ACCURACIES: dict[str, str] = {}
_PASSED = {"make_chain_mt": "measurement1"}

_SELECTS = (
    "it releases a choice, and no number that noise was added to",
    "How good a choice is, depends on the other candidates",
)
_ANSWERS = (
    "it answers at random, and adds no noise to a number",
    "What many answers say is estimated, with its deviation, by "
    "dp.m.debias_randomized_response",
)
_CHANGED = (
    "a function has changed what was released",
    "Ask the measurement before it",
)
_REASONS = {
    "make_chain_pm": _CHANGED,
    "make_chain_proved": _CHANGED,
    "make_user_measurement": (
        "the law of its releases is known to its author only",
        "Compute it from the function that was passed",
    ),
    "make_poisson_subsample": (
        "it releases a statistic of a sample, and which rows are in it nobody knows",
        "Ask the measurement that is applied to the sample, for how near it is to that",
    ),
    **dict.fromkeys(
        "make_above_threshold make_noisy_max make_noisy_top_k "
        "make_private_quantile make_select_private_candidate "
        "make_sparse_vector".split(),
        _SELECTS,
    ),
}
_UNKNOWN = (
    "nothing is proved of how near its releases are",
    "Accuracies are known of Laplace, Gaussian, geometric, snapped and canonical "
    "noise, of thresholds, and of chains and compositions of these",
)
_UNSCALED = (
    "the distance and the loss that it was made for set its noise",
    "Ask for its accuracy",
)


def tells(accuracy: str, *constructors: str) -> None:
    """Add which function computes the accuracy of what constructors make.

    :param accuracy: "module:function"; of the arguments, by name, and of alpha
    :param constructors: their names; an argument of each is the `scale`, or `scales`,
        if its noise has one
    """
    _ACCURACIES.update(dict.fromkeys(constructors, accuracy))


def passes_on(argument: str, *constructors: str) -> None:
    """Add that what constructors make releases just what an argument does.

    :param argument: the name of a measurement, or of several
    :param constructors: their names
    """
    _PASSED.update(dict.fromkeys(constructors, argument))


def accuracy_of(measurement: Any, alpha: ExactNumber) -> Any:
    """Return the accuracy at a level, or a list for several releases.

    :param measurement: a measurement
    :param alpha: above 0 and at most 1
    """

    def told(make: str, given: Arguments) -> Any:
        module, _, name = _ACCURACIES[make].partition(":")
        return getattr(import_module(module), name)(given, alpha)

    return _asked(measurement, "accuracy", told, _ACCURACIES)


def scale_of(measurement: Any) -> Any:
    """Return the scale of the noise, or a list for several releases.

    :param measurement: a measurement
    """

    def told(make: str, given: Arguments) -> Any:
        if "scales" in given:
            return [None if s is None else _exact_scale(s) for s in given["scales"]]
        if "scale" not in given:
            _refuse("scale", make, *_UNSCALED)
        return _exact_scale(given["scale"])

    return _asked(measurement, "scale", told, _ACCURACIES)


def noise_of(measurement: Any, constructors: Collection[str]) -> Any:
    """Return which constructor adds the noise, and its arguments by name, as a pair.

    It is a list for several releases.

    :param measurement: a measurement
    :param constructors: the names of those that may be returned
    """

    def told(make: str, given: Arguments) -> Any:
        return make, given

    return _asked(measurement, "law of noise", told, constructors)


def _exact_scale(scale: ExactNumber) -> Any:
    from opendp_lite.exact.rationals import to_mpq

    if type(scale) in (int, float):
        return scale
    exact = to_mpq(scale)
    return Fraction(int(exact.numerator), int(exact.denominator))


def _asked(
    measurement: Any, what: str, told: Callable[..., Any], known: Collection[str]
) -> Any:
    """Return what is told of a measurement, or of each that it was made of.

    `told` is asked of what the constructors of these names have made.
    """
    from opendp_lite.base.ownership import is_own
    from opendp_lite.core.record import _record_of

    record = _record_of(measurement)
    if record is None or not is_own(record.constructor):
        _refuse(what, "this measurement", *_UNKNOWN)
    make, given = record.constructor.__name__, dict(record.arguments)
    if make in known:
        return told(make, given)
    if make in _PASSED:
        part = given[_PASSED[make]]
        if isinstance(part, tuple):
            # Of a product, None stands for a part that is not released.
            return [each and _asked(each, what, told, known) for each in part]
        return _asked(part, what, told, known)
    random = make.startswith("make_randomized_response")
    return _refuse(what, make, *_REASONS.get(make, _ANSWERS if random else _UNKNOWN))


def _refuse(what: str, name: str, why: str, advice: str) -> NoReturn:
    from opendp_lite.base.errors import OpenDPException

    raise OpenDPException("Unsupported", f"{name} tells no {what}: {why}. {advice}.")
