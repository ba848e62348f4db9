"""The least loss with which answers are as near as they are asked to be.

A user says how near an answer must be, and asks which epsilon or rho is enough. The
functions here search for that number. They only read what a preview shows, so they
spend nothing and look at no data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactLoss, ExactNumber
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.errors import SearchError
from opendp_lite.core.measures import Measure
from opendp_lite.solving.refused import ContextError, refused
from opendp_lite.solving.search import binary_search
from opendp_lite.solving.shares import asked_loss

ABOUT = (100, 1_000, 10_000)
"""The numbers of rows for which the accuracy of a mean is told, if none is passed."""

_DIGITS = 6
_LEAST = 10 ** (_DIGITS - 1)
_DECADE = 9 * _LEAST  # how many numbers of six digits there are
_ENDS = -9 * _DECADE, 9 * _DECADE  # from 1e-9 to 1e9
_GOAL_FIX = "Pass how far an answer may be off, such as accuracy=10"
_ABOUT_FIX = "Pass about how many rows there are, such as about=1000"


def goal_argument(name: str, value: object) -> mpq:
    """Return how far an answer may be off, exact, or refuse what is no distance.

    :param name: what the argument is called
    :param value: a number, at least 0
    """
    goal: mpq = rational_argument("Context", name, value, fix=_GOAL_FIX, at_least=0)
    return goal


def about_argument(about: object) -> tuple[int, ...]:
    """Return the numbers of rows for which the accuracy of a mean is told.

    :param about: about how many rows there are; None for `ABOUT`
    """
    if about is None:
        return ABOUT
    told = integer_argument("Context", "about", about, fix=_ABOUT_FIX, at_least=1)
    return (told,)


def loss_with(measure: Measure, number: ExactNumber, d_out: Any) -> ExactLoss:
    """Return the exact loss with another epsilon or rho, and the delta of a query.

    :param measure: how the query counts its loss
    :param number: the epsilon or the rho
    :param d_out: the loss that the query may have; None if it was not said
    """
    if measure.inner_measure == measure:
        return asked_loss(measure, number)
    if d_out is None:
        raise ContextError(
            "Context",
            "budget: the delta of the query is not known. Say it where the query "
            "begins, such as table(epsilon=1.0, delta=1e-9); the epsilon that is "
            "written there is not looked at.",
        )
    return asked_loss(measure.inner_measure, number), d_out[1]


def least_budget(reached: Callable[[float], bool]) -> float:
    """Return a number of six digits that is enough, where the next smaller is not.

    :param reached: whether an epsilon or a rho is enough

    >>> least_budget(lambda epsilon: 3 * epsilon >= 1)
    0.333334
    """
    try:
        found: int = binary_search(lambda i: reached(_number(i)), _ENDS, int)
    except SearchError:
        enough = reached(_number(_ENDS[0]))
        rule = (
            "is reached with every loss, so that none is the least"
            if enough
            else "is not reached with any loss"
        )
        fix = "Pass a smaller number" if enough else "Pass a greater number"
        raise refused("accuracy", None, rule, fix) from None
    return _number(found)


def _number(index: int) -> float:
    """Return the number of six digits with this place among them; 1 has place 0.

    >>> _number(-1), _number(0), _number(1), _number(900_000)
    (0.999999, 1.0, 1.00001, 10.0)
    """
    decade, place = divmod(index, _DECADE)
    return float(f"{_LEAST + place}e{decade - _DIGITS + 1}")
