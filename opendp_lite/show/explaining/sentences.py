"""The guarantee in one plain sentence, for each metric of the data and each measure.

The sentence is for people who do not know what a metric or a divergence is. Numbers in
it are exact, or rounded up, so that the sentence is true.
"""

from __future__ import annotations

import math
from decimal import Decimal

from gmpy2 import mpq

from opendp_lite.base.errors import printed
from opendp_lite.base.ownership import is_own
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rounding import shown_above
from opendp_lite.show.explaining.steps import Distance, Step, _said

# How neighbours differ: at distance 1, and at most at distance d.
_CHANGES = {
    "SymmetricDistance": (
        "one row is added or removed",
        "at most {d} rows are added or removed",
    ),
    "InsertDeleteDistance": (
        "one row is inserted or deleted",
        "at most {d} rows are inserted or deleted",
    ),
    "ChangeOneDistance": ("one row is changed", "at most {d} rows are changed"),
    "HammingDistance": ("one row is changed", "at most {d} rows are changed"),
    "IdentifierDistance": (
        "one person with all rows is added or removed",
        "at most {d} people with all their rows are added or removed",
    ),
    "DiscreteDistance": (
        "the input is replaced by any other",
        "the input is replaced by any other",
    ),
}
_AMOUNTS = {
    "AbsoluteDistance": "the input changes by at most {d}",
    "L1Distance": "the entries of the input change by at most {d} in sum",
    "L2Distance": "the input changes by at most {d} in Euclidean distance",
    "LInfDistance": "each entry of the input changes by at most {d}",
}
_RENYI = (
    "for every alpha above 1 the Renyi divergence of order alpha between the old and "
    "the new distribution of the {many}, in either direction, is at most "
)
# What a measure limits: with delta 0, and with another delta.
_LIMITS = {
    "MaxDivergence": (
        "no {one} becomes more than {factor} times as likely",
        "the new probability of any set of answers is at most {factor} times the old "
        "one plus {delta}",
    ),
    "ZeroConcentratedDivergence": (
        _RENYI + "rho times alpha",
        "outside of events of probability {delta}, " + _RENYI + "rho times alpha",
    ),
    "RenyiDivergence": (_RENYI + "epsilon(alpha)", ""),
    "SmoothedMaxDivergence": (
        "for every epsilon of at least 0 the new probability of any set of answers is "
        "at most e^epsilon times the old one plus delta(epsilon)",
        "",
    ),
}
# What a guarantee is called, with delta 0 and with another delta, and its number.
_NAMES = {
    "MaxDivergence": (
        "pure differential privacy",
        "approximate differential privacy",
        "epsilon",
    ),
    "ZeroConcentratedDivergence": (
        "zero-concentrated differential privacy",
        "approximate zero-concentrated differential privacy",
        "rho",
    ),
    "RenyiDivergence": ("Renyi differential privacy", "", ""),
    "SmoothedMaxDivergence": ("approximate differential privacy", "", ""),
}
_LONG = 24  # letters of an exact number that a sentence can hold
_SHORT = 12  # letters of an exact number in an inequality
_SMALLEST, _LARGEST = mpq(1, 10**6), 20  # outside of these e^epsilon stays a power


def sentence_of(whole: Step, several: bool, sample: bool = False) -> str | None:
    """Return what an object promises as one sentence, or None without distances.

    :param whole: the object as one step
    :param several: whether there are answers to several questions
    :param sample: whether the data are a secret sample of a population
    """
    metric, d_in, d_out = whole.input_metric, whole.d_in, whole.d_out
    if metric is None or d_in is None or d_out is None:
        return None
    if whole.output_measure is not None:
        given = metric, d_in, whole.output_measure, d_out
        return guarantee(*given, several=several, sample=sample)
    if whole.output_metric is not None:
        return spread(metric, d_in, whole.output_metric, d_out)
    return None


def sentence_so_far(whole: Step) -> str | None:
    """Return what all answers of a session so far promise, as one sentence, or None.

    :param whole: the session as one step
    """
    said = sentence_of(whole, several=True)
    return said and f"So far: i{said[1:]}"


def guarantee(
    metric: Metric,
    d_in: Distance,
    measure: Measure,
    loss: Distance,
    *,
    several: bool = False,
    sample: bool = False,
) -> str:
    """Return what a loss at a distance promises, as one sentence.

    :param metric: of the data
    :param d_in: how far neighbours are apart
    :param measure: how the loss is counted
    :param loss: the loss at this distance
    :param several: whether there are answers to several questions
    :param sample: whether the data are a secret sample of a population

    >>> import opendp_lite.prelude as dp
    >>> guarantee(dp.symmetric_distance(), Distance("1"), dp.max_divergence(),
    ...           Distance("1/2", 0.5))
    'If one row is added or removed, no answer becomes more than 1.65 times as likely: \
pure differential privacy with epsilon = 1/2 = 0.5.'
    """
    promise, named = _promise(measure, loss, several)
    return f"If {change(metric, d_in, sample)}, {promise}: {named}."


def spread(
    metric: Metric, d_in: Distance, output_metric: Metric, d_out: Distance
) -> str:
    """Return how far a transformation spreads data at a distance, as one sentence.

    :param metric: of the data
    :param d_in: how far neighbours are apart
    :param output_metric: of the outputs
    :param d_out: how far outputs are apart
    """
    return (
        f"If {change(metric, d_in)}, the outputs are at distance at most {d_out.exact} "
        f"under {printed(output_metric)}. Nothing is released."
    )


def change(metric: Metric, d_in: Distance, sample: bool = False) -> str:
    """Return how neighbours at a distance differ, as the condition of a sentence.

    :param metric: of the data
    :param d_in: how far neighbours are apart
    :param sample: whether the data are a secret sample of a population
    """
    name, d = _name(metric), d_in.exact
    if name in _CHANGES:
        text = _CHANGES[name][d != "1"].format(d=d)
    else:
        other = f"the input is replaced by one at distance at most {d} under "
        text = _AMOUNTS.get(name, "").format(d=d) or f"{other}{printed(metric)}"
    if getattr(metric, "monotonic", False):
        text += ", all in one direction"
    if sample:
        text += " in the population, of which the data are a secret sample"
    return text


def _promise(measure: Measure, loss: Distance, several: bool) -> tuple[str, str]:
    """Return what a loss limits, and the name of the guarantee with its numbers."""
    first, delta = _split(measure, loss)
    name = _name(measure if delta is None else measure.inner_measure)
    if name in _LIMITS:
        has_delta = delta is not None and delta.exact != "0"
        named, symbol = _NAMES[name][has_delta], _NAMES[name][2]
        numbers = [f"{symbol} = {show_within(first)}" if symbol else first.exact]
        numbers += [] if delta is None else [f"delta = {show_within(delta)}"]
    else:
        named, numbers = f"a loss under {printed(measure)}", [show_within(loss)]
    named = f"{named} with {' and '.join(numbers)}"
    if is_infinite(loss):
        return "nothing is promised", f"{named}, which is no guarantee at all"
    one, many = ("series of answers",) * 2 if several else ("answer", "answers")
    if name not in _LIMITS:
        within = show_within(loss)
        return (
            f"the distributions of the {many} are within {within} of each other",
            named,
        )
    if name == "MaxDivergence" and first.exact == "0" and not has_delta:
        return f"no {one} becomes more or less likely", named
    factor = _factor(first) if name == "MaxDivergence" else ""
    part = "" if delta is None else _number(delta)
    limit = _LIMITS[name][has_delta]
    return limit.format(one=one, many=many, delta=part, factor=factor), named


def is_infinite(loss: Distance) -> bool:
    """Return whether a loss, or one of a pair, is infinite, or a delta is 1.

    :param loss: a number, a pair of numbers, or a curve
    """
    numbers = loss.float if isinstance(loss.float, tuple) else (loss.float,)
    return math.inf in numbers or (len(numbers) == 2 and numbers[1] >= 1)


def _split(measure: Measure, loss: Distance) -> tuple[Distance, Distance | None]:
    """Return a loss and its delta, which is None where the loss is no pair."""
    exact = loss.exact[1:-1].split(", ") if loss.exact[:1] == "(" else []
    if _name(measure) != "ApproximateDivergence" or len(exact) != 2:
        return loss, None
    return Distance(exact[0], loss.float[0]), Distance(exact[1], loss.float[1])


def _name(kind: Metric | Measure) -> str:
    """Return the name of a class of the library, and nothing of a user's own class."""
    return type(kind).__name__ if is_own(type(kind)) else ""


def _number(number: Distance) -> str:
    """Return a number in few letters: exact, or rounded up."""
    exact = _rational(number)
    if len(number.exact) <= _SHORT or exact is None:
        return number.exact
    return shown_above(exact)


def _rational(number: Distance) -> mpq | None:
    """Return an exact number, or None of infinity and of a number too long to write."""
    try:
        return mpq(number.exact)
    except ValueError:
        return None


def show_within(number: Distance) -> str:
    """Return a loss as text; in place of a long exact one, one that is rounded up.

    :param number: a number, a pair of numbers, or a curve
    """
    if len(number.exact) <= _LONG or number.float is None:
        return str(number)
    exact = _rational(number)
    rounded = "" if exact == number.float else " (rounded up)"
    return f"{_said(number.float)}{rounded}"


def _factor(epsilon: Distance) -> str:
    """Return e^epsilon, rounded up, or as a power of e where that is easier to read."""
    exponent = _rational(epsilon)
    if exponent is None or not _SMALLEST <= exponent <= _LARGEST:
        text = _number(epsilon)
        return f"e^{text}" if text.isdigit() else f"e^({text})"
    factor = upper_bound(lambda precision: exp(exponent, precision))
    places = 2
    while (factor - 1) * 10**places < 10:  # so that two digits differ from 1
        places += 1
    above = -(-factor * 10**places // 1)
    return f"{Decimal(int(above)).scaleb(-places).normalize():f}"
