"""The free parameter of a query: found so that the query loses what it may.

Whatever is found here, the map of the measurement says what it costs, and the session
whether it is answered. A wrong parameter would cost accuracy or a refusal, and no
privacy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactDistance, ExactLoss
from opendp_lite.base.errors import OpenDPException, SearchError
from opendp_lite.context.journal import brief
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Function, Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import OpenChain, Partial
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.enclosures import sqrt
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import round_up
from opendp_lite.sessions.odometer import Odometer
from opendp_lite.solving.casts import BOTH, CONCENTRATED, PAIR, PURE, cast, translated
from opendp_lite.solving.refused import ContextError
from opendp_lite.solving.search import binary_search_param

_STEPS = 4  # doubles that are tried where a conversion is rounded
_POWERS: tuple[tuple[Measure, int], ...] = (
    (PURE, 1),
    (PAIR, 1),
    (CONCENTRATED, 2),
    (BOTH, 2),
)


def joined(chain: Any, link: Any) -> Any:
    """Return a chain with one more link; a space with a link is the link on it."""
    if isinstance(chain, tuple) and not isinstance(link, Partial):
        if isinstance(link, Transformation | Measurement | Odometer):
            return link
        raise ContextError(
            "Context",
            f"a {type(link).__name__} cannot be the first link of a query: functions "
            "are for what is released. Begin with a transformation or a measurement.",
        )
    return chain >> link


@attrs.frozen
class Free:
    """The link with the free parameter, and what comes before it."""

    before: Any
    link: Callable[[Any], Any]
    parameter: str
    name: str = ""


class PartialChain(OpenChain):
    """A chain that misses one number, which `fix` finds.

    :param f: from the number to a transformation or measurement
    :param args: what is passed to `f` before the number
    :param kwargs: what is passed to `f` by name
    """

    partial: Callable[[Any], Any]
    free: Free | None

    def __init__(self, f: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        self.partial = lambda value: f(*args, value, **kwargs)
        self.free = None

    @classmethod
    def of(cls, free: Free) -> PartialChain:
        """Return the chain that a link with a free parameter makes with what is before.

        :param free: the link, and what is before it
        """
        made = cls(lambda value: joined(free.before, free.link(value)))
        made.free = free
        return made

    @classmethod
    def wrap(cls, f: Callable[..., Any]) -> Callable[..., PartialChain]:
        """Return a constructor as one of partial chains.

        :param f: a constructor whose last argument is to be found
        """
        return lambda *args, **kwargs: cls(f, *args, **kwargs)

    def __call__(self, value: Any) -> Any:
        """Return the transformation or measurement with this number."""
        return self.partial(value)

    def fix(
        self,
        d_in: Any,
        d_out: Any,
        output_measure: Measure | None = None,
        bounds: tuple[Any, Any] | None = None,
        T: TypeArgument | None = None,
    ) -> Any:
        """Return the transformation or measurement with the tightest number.

        :param d_in: distance of the inputs
        :param d_out: the loss, or distance of the outputs, that is allowed
        :param output_measure: the measure of the loss; that of the chain by default
        :param bounds: where to search
        :param T: float or int
        """

        def made(value: Any) -> Any:
            chain = self(value)
            if output_measure is None:
                return chain
            return cast(chain, output_measure, output_measure.parse(d_out))

        ends = (None, None) if bounds is None else bounds
        return self(binary_search_param(made, d_in, d_out, ends, T))

    def __rshift__(self, other: object) -> PartialChain:
        if isinstance(other, PartialChain):
            raise ContextError(
                "Context",
                "at most one parameter may be missing at a time: give the other one.",
            )
        if not callable(other):
            raise ContextError(
                "Context",
                f"a query cannot be followed by a {type(other).__name__}. Pass a "
                "function of the release.",
            )
        made = PartialChain(lambda value: self(value) >> other)
        kept = isinstance(other, Function) or not isinstance(
            other, Partial | Transformation | Measurement
        )
        made.free = self.free if kept else None  # what follows a release costs nothing
        return made

    def __rrshift__(self, other: object) -> PartialChain:
        return PartialChain(lambda value: joined(other, self(value)))

    def __repr__(self) -> str:
        if self.free is None:
            return "PartialChain(one number is missing)"
        return f"PartialChain({self.free.before!r} >> ..., {self.free.parameter}=?)"


Chain: TypeAlias = (
    tuple[Domain, Metric] | Transformation | Measurement | Odometer | PartialChain
)


def shown_chain(chain: Any) -> str:
    """Return a chain in one line.

    :param chain: a space, a transformation, a measurement or a partial chain
    """
    if isinstance(chain, Transformation | Measurement):
        return brief(chain)
    free = chain.free if isinstance(chain, PartialChain) else None
    if free is None:
        return repr(chain)
    return f"{shown_chain(free.before)}.{free.name}({free.parameter}=?)"


@attrs.frozen
class Solution:
    """What was found: the number, the measurement, its cast to another measure.

    `loss` is the exact loss of the cast, if it was asked for already.
    """

    param: Any
    plain: Any
    measurement: Any
    loss: Any = None


def solved(
    chain: PartialChain,
    d_in: ExactDistance,
    measure: Measure,
    d_out: ExactLoss,
    bounds: tuple[Any, Any] | None = None,
    T: TypeArgument | None = None,
) -> Solution:
    """Return the measurement with the tightest parameter that keeps to a loss.

    :param chain: misses the parameter
    :param d_in: the exact distance of neighbours
    :param measure: how the loss is counted
    :param d_out: the exact loss that is allowed
    :param bounds: where to search
    :param T: float or int
    """
    free = chain.free
    scale = free is not None and free.parameter == "scale"
    if scale and bounds is None and T is None:
        found = _by_power(chain, d_in, measure, d_out)
        if found is not None:
            return found
    return _searched(chain, d_in, measure, d_out, bounds, T)


def _searched(
    chain: PartialChain,
    d_in: ExactDistance,
    measure: Measure,
    d_out: ExactLoss,
    bounds: tuple[Any, Any] | None,
    T: TypeArgument | None,
) -> Solution:
    """Return the solution by a binary search, over all doubles or integers."""
    scale = chain.free is not None and chain.free.parameter == "scale"
    first = scale and type(d_out) is tuple
    made: dict[Any, _Judged] = {}

    def judged(value: Any) -> Any:
        plain = chain(value)
        limited = cast(plain, measure, d_out) if _released(plain) else plain
        made[value] = _Judged(plain, limited, d_in, measure, d_out, first)
        return made[value]

    shown = d_out[0] if type(d_out) is tuple else d_out
    ends = (None, None) if bounds is None else bounds
    try:
        param = binary_search_param(judged, None, shown, ends, T)
    except SearchError:
        if bounds is not None:
            raise
        fits = any(each.check(None, None) for each in made.values())
        raise _turnless(chain, fits) from None
    except OpenDPException as error:
        raise error from None  # what a probe said; others said the same
    return Solution(param, made[param].plain, made[param].measurement)


def _turnless(chain: PartialChain, fits: bool) -> SearchError:
    """Return the error of a parameter of which all values fit, or none does."""
    name = "the missing number" if chain.free is None else chain.free.parameter
    if fits:
        text = (
            f"the query keeps to its loss whatever {name} is, so that no value is the "
            f"tightest: give {name}. Where the number of rows is public, a row cannot "
            "come or go: let unit_of() count changes, not contributions."
        )
    else:
        text = (
            f"the query loses more than it may, whatever {name} is. Allow more in "
            "query(), or use another mechanism."
        )
    return SearchError("FailedSearch", text)


def _released(made: Any) -> bool:
    if isinstance(made, Measurement):
        return True
    raise ContextError(
        "Context",
        "the query is not a measurement yet, so that nothing can be solved for. Add "
        "noise, for example by .laplace(), or give all parameters.",
    )


@attrs.frozen
class _Judged:
    """A measurement as the search asks for it: does its loss fit, and what is it."""

    plain: Any
    measurement: Any
    d_in: Any
    measure: Measure
    d_out: Any
    first: bool

    def map(self, d_in: object) -> Any:
        return self.measure.present(self.measurement.privacy_map(self.d_in))

    def check(self, d_in: object, d_out: object) -> bool:
        loss = self.measurement.privacy_map(self.d_in)
        if self.first:  # the scale is set by epsilon, whatever delta is then
            return bool(loss[0] <= self.d_out[0])
        return self.measure.at_most(loss, self.d_out)


def _by_power(
    chain: PartialChain, d_in: ExactDistance, measure: Measure, d_out: ExactLoss
) -> Solution | None:
    """Return the solution for a scale, if the loss is a power of it; None if it is not.

    The loss at scale 1 tells it: 1/scale of it is epsilon, or 1/scale^2 of it is rho.
    The map confirms it, at the scale and at the next smaller one.
    """
    free = chain.free
    assert free is not None
    before, d_mid = free.before, d_in
    space = before
    if isinstance(before, Transformation):
        space, d_mid = before.output_space, before.stability_map(d_in)
    try:
        unit = joined(space, free.link(1.0))
        if not isinstance(unit, Measurement):
            return None
        native = unit.output_measure
        part = mpq(0) if (measure, native) == (PAIR, BOTH) else None
        goal = translated(d_out, measure, native, part)
        one = _first(unit.privacy_map(d_mid))
    except OpenDPException:
        return None  # the search says what is wrong
    goal = _first(goal)
    power = next((n for each, n in _POWERS if each == native), None)
    finite = math.inf not in (one, goal)
    if power is None or not finite or one <= 0 or goal <= 0:
        return None
    scale = _root_up(mpq(one) / mpq(goal), power)
    if scale == math.inf or scale == 0:
        return None
    if native != measure:
        return _stepped_up(chain, scale, d_in, measure, d_out)
    plain = chain(scale)
    loss = _first(plain.privacy_map(d_in))
    if loss > goal:
        return None
    if loss != goal:
        less = joined(space, free.link(math.nextafter(scale, 0)))
        if _first(less.privacy_map(d_mid)) <= goal:
            return None
    return Solution(scale, plain, plain)


def _stepped_up(
    chain: PartialChain,
    scale: float,
    d_in: ExactDistance,
    measure: Measure,
    d_out: ExactLoss,
) -> Solution | None:
    """Return the first of a few scales whose loss, converted, fits; or None.

    If one fits only farther away, because a part of delta is spent by the noise
    itself, the least is searched for in between.
    """
    for _ in range(_STEPS):
        plain = chain(scale)
        limited = cast(plain, measure, d_out)
        loss = limited.privacy_map(d_in)
        if _first(loss) <= _first(d_out):
            return Solution(scale, plain, limited, loss)
        least, scale = scale, math.nextafter(scale, math.inf)
    for bits in range(40, -1, -4):
        most = round_up(mpq(scale) * (1 + power_of_two(-bits)))
        loss = cast(chain(most), measure, d_out).privacy_map(d_in)
        if _first(loss) <= _first(d_out):
            return _searched(chain, d_in, measure, d_out, (least, most), float)
        least = most
    return None


def _first(loss: ExactLoss) -> Any:
    return loss[0] if type(loss) is tuple else loss


def _root_up(number: mpq, power: int) -> float:
    """Return the least double that is at least the number, or its square root."""
    if power == 1:
        return round_up(number)
    root = round_up(sqrt(number, 64).hi)
    less = math.nextafter(root, 0)
    return less if math.isfinite(root) and mpq(less) * mpq(less) >= number else root
