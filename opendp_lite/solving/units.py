"""What is protected, and how well: a distance with its metric, a loss with its measure.

`unit_of` and `loss_of` put two things side by side that belong together. Whatever takes
such a pair reads it by `parse_unit` and `parse_budget`, which refuse empty promises.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from gmpy2 import mpq

from opendp_lite.base.aliases import (
    Distance,
    ExactDistance,
    ExactLoss,
    ExactNumber,
    Loss,
)
from opendp_lite.base.arguments import check_type, rational_argument
from opendp_lite.core.measures import (
    Measure,
    approximate,
    max_divergence,
    zero_concentrated_divergence,
)
from opendp_lite.core.metrics import (
    Metric,
    absolute_distance,
    change_one_distance,
    discrete_distance,
    hamming_distance,
    insert_delete_distance,
    l1_distance,
    l2_distance,
    symmetric_distance,
)
from opendp_lite.core.registry import _binder
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.rationals import to_loss
from opendp_lite.solving.refused import ContextError, refused

_P = ParamSpec("_P")
_R = TypeVar("_R")
_DISTANCES = "contributions, changes, absolute, l1, l2 or local"
_ROWS = {
    ("contributions", False): symmetric_distance,
    ("contributions", True): insert_delete_distance,
    ("changes", False): change_one_distance,
    ("changes", True): hamming_distance,
}
_NUMBERS = {"absolute": absolute_distance, "l1": l1_distance, "l2": l2_distance}
_LOSS_FIX = (
    "Pass a finite loss, and a delta far below 1, such as 1e-9; to count losses "
    "without a limit, use make_fully_adaptive_composition"
)
# Up to the first a loss is usual; above the second it is not much of a promise.
_USUAL = {
    "epsilon": (mpq(1), mpq(5)),
    "rho": (mpq(1, 4), mpq(1, 2)),
    "delta": (mpq(1, 10**6), mpq(1, 10**6)),
}


def _checking_names(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return the function, with an error for a wrong name that says which is meant."""
    parameters = list(inspect.signature(function).parameters.values())
    bind = _binder(function.__name__, parameters)

    @wraps(function)
    def called(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        bind(args, kwargs)
        return function(*args, **kwargs)

    return called


def parse_unit(metric: Metric, d_in: Distance, name: str) -> ExactDistance:
    """Return the exact distance of neighbours, or refuse one that protects nobody.

    :param metric: of the data
    :param d_in: how far neighbours are apart
    :param name: what the argument is called
    """
    exact = metric.parse(d_in, name)
    if (why := metric.no_promise(exact)) is not None:
        raise refused(name, d_in, why, "Pass a finite distance above 0, such as 1")
    return exact


def parse_budget(measure: Measure, loss: Loss, name: str) -> ExactLoss:
    """Return the exact loss that is allowed, or refuse one that promises nothing.

    A loss of 0 is a promise: the strictest.

    :param measure: how the loss is counted
    :param loss: the budget
    :param name: what the argument is called
    """
    exact = measure.parse(loss, name)
    if (why := measure.no_promise(exact)) is not None:
        raise refused(name, loss, why, _LOSS_FIX)
    return exact


@_checking_names
def unit_of(
    *,
    contributions: ExactNumber | None = None,
    changes: ExactNumber | None = None,
    absolute: ExactNumber | None = None,
    l1: ExactNumber | None = None,
    l2: ExactNumber | None = None,
    local: bool | None = None,
    identifier: str | None = None,
    ordered: bool = False,
    U: TypeArgument | None = None,
) -> tuple[Metric, Distance]:
    """Return the unit of privacy: a metric, and how much one person may change.

    Pass exactly one distance. It must be finite and above 0: a distance of 0 protects
    nobody, and no noise is enough for an infinite one.

    :param contributions: how many rows a person may have in the data; with an
        identifier, how many people with all their rows may come or go (a person whose
        rows change is two)
    :param changes: how many rows a person may change, where the number of rows is known
    :param absolute: by how much a person may change a number
    :param l1: by how much a person may change a vector, entry by entry, added up
    :param l2: by how much a person may change a vector, as a Euclidean distance
    :param local: True if the data are those of one person
    :param identifier: the column of a table that tells people apart
    :param ordered: whether rows have a public order
    :param U: the type of the distances of absolute, l1 and l2; inferred by default

    >>> unit_of(contributions=3), unit_of(changes=1, ordered=True)
    ((SymmetricDistance(), 3), (HammingDistance(), 1))
    >>> unit_of(l1=2.0), unit_of(local=True)
    ((L1Distance(T=float), 2.0), (DiscreteDistance(), 1))
    >>> unit_of(contributions=1, identifier="id")
    (IdentifierDistance('id'), 1)
    """
    given: dict[str, Any] = {
        "contributions": contributions,
        "changes": changes,
        "absolute": absolute,
        "l1": l1,
        "l2": l2,
        "local": local,
    }
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        raise ContextError(
            "Context",
            f"exactly one distance is needed, and {' and '.join(named) or 'none'} came."
            f" Pass one of {_DISTANCES}.",
        )
    name, value = named[0], given[named[0]]
    check_type("Context", "ordered", ordered, bool, "Pass True or False")
    if identifier is not None:
        return _people(name, value, identifier, ordered)
    if ordered and name not in ("contributions", "changes"):
        rule = f"rows are ordered, and {name} counts none"
        raise refused("ordered", ordered, rule, "Leave it out")
    if U is not None and name not in _NUMBERS:
        rule = f"the distances of {name} are whole numbers"
        raise refused("U", U, rule, "Leave it out")
    if name == "local":
        if local is not True:
            rule = "is True where the data are those of one person"
            raise refused("local", local, rule, f"Pass True, or one of {_DISTANCES}")
        return discrete_distance(), 1
    if isinstance(value, list | tuple):
        rule = "is one number: what a person adds to groups is bounded in a query"
        fix = "Pass rows= and groups= to Context.table or to group_by"
        raise refused(name, value, rule, fix)
    if name in _NUMBERS:
        T = U if U is not None else int if type(value) is int else float
        metric: Metric = _NUMBERS[name](T=T)
    else:
        metric = _ROWS[name, ordered]()
    parse_unit(metric, value, name)
    return metric, value


def _people(
    name: str, value: Any, identifier: str, ordered: bool
) -> tuple[Metric, Distance]:
    """Return the unit of people in a table: so many may come or go with their rows."""
    from opendp_lite.tables.distance import symmetric_id_distance

    if name != "contributions" or ordered:
        rule = "names people in a table, of whom contributions may come or go"
        fix = "Pass for example contributions=1, and ordered=False"
        raise refused("identifier", identifier, rule, fix)
    metric = symmetric_id_distance(identifier)
    parse_unit(metric, value, name)
    return metric, value


@_checking_names
def loss_of(
    epsilon: ExactNumber | None = None,
    delta: ExactNumber | None = None,
    rho: ExactNumber | None = None,
) -> tuple[Measure, Loss]:
    """Return the loss that is allowed: a measure, and a loss that it measures.

    An infinite loss and a delta of 1 promise nothing, and are refused. If a loss is
    unusually large, the log says so, as in OpenDP.

    :param epsilon: of pure differential privacy, or, with a delta, of approximate
    :param delta: the probability of the events that are left out
    :param rho: of zero-concentrated differential privacy

    >>> loss_of(epsilon=1.0), loss_of(rho=0.1)
    ((MaxDivergence(), 1.0), (ZeroConcentratedDivergence(), 0.1))
    >>> loss_of(epsilon=1.0, delta=1e-9)
    (Approximate(MaxDivergence()), (1.0, 1e-09))
    """
    if (epsilon is None) == (rho is None):
        came = "neither came" if epsilon is None else "both came"
        raise ContextError(
            "Context", f"either epsilon or rho is needed, and {came}. Pass one of them."
        )
    name, value = ("rho", rho) if epsilon is None else ("epsilon", epsilon)
    measure: Measure = (
        max_divergence() if rho is None else zero_concentrated_divergence()
    )
    exact = parse_budget(measure, value, name)
    if delta is None:
        _advise(name, exact)
        return measure, value
    probability = rational_argument(
        "InvalidDistance",
        "delta",
        delta,
        fix="Pass a probability such as 1e-9",
        convert=to_loss,
        at_least=0,
        at_most=1,
    )
    measure = approximate(measure)
    if (why := measure.no_promise((exact, probability))) is not None:
        raise refused("delta", delta, why, _LOSS_FIX)
    _advise(name, exact)
    _advise("delta", probability)
    return measure, (value, delta)


def _advise(name: str, loss: Any) -> None:
    """Say in the log that a loss is larger than usual, if it is."""
    usual, most = _USUAL[name]
    if loss <= usual:
        return
    import logging

    logger = logging.getLogger("opendp_lite.context")
    if loss <= most:
        logger.info("%s is typically less than or equal to %s", name, float(usual))
    elif usual == most:
        logger.warning("%s should be less than or equal to %s", name, float(most))
    else:
        logger.warning(
            "%s should be less than or equal to %s, and is typically less than or "
            "equal to %s",
            *(name, float(most), float(usual)),
        )
