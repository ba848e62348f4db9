"""Searches for the tightest parameter at which a monotone predicate turns.

The search runs over all doubles (or all integers) in order, so what it returns is the
very last value that passes: no tolerance, no rounding. Errors of the function that is
searched are never hidden: where it fails between two values at which it answers, the
error is raised; a search whose every probe fails raises the error of a probe.

Where the parameter of a chain is searched, the losses at values already tried tell
where to look next. That saves probes; the predicate alone decides what is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from gmpy2 import mpq

from opendp_lite.base.aliases import Distance, ExactLoss
from opendp_lite.base.arguments import pair_argument
from opendp_lite.base.containers import native
from opendp_lite.base.errors import SearchError, refusal, shown
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument, parse_atom
from opendp_lite.exact.doubles import double_at, double_index
from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.grids import ceil_multiple, floor_multiple
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.rounding import round_down, round_up, to_double

C = TypeVar("C", Transformation, Measurement)
Number = Any  # an int or a float, as `T` says
Bounds = tuple[Any, Any] | None

_INT_STEPS = tuple(2 ** (k * k) for k in range(33))
_FLOAT_STEPS = (*(2.0 ** (k * k) for k in range(32)), 1.7976931348623157e308)
_FRACTIONS = (*(2.0 ** -(k * k) for k in range(1, 33)), 5e-324)


def binary_search(
    predicate: Callable[[Any], bool],
    bounds: Bounds = (None, None),
    T: TypeArgument | None = None,
    return_sign: bool = False,
) -> Any:
    """Return the passing value next to the point where `predicate` turns.

    :param predicate: whether a value passes; monotone
    :param bounds: where to search; an end that is None is found by an exponential
        search
    :param T: float or int; inferred by default
    :param return_sign: whether to return also +1 if larger values pass, and -1 if
        smaller ones do

    >>> binary_search(lambda x: x >= 5.0)
    5.0
    >>> binary_search(lambda x: x > 5, T=int)
    6
    >>> binary_search(lambda x: x <= 5, bounds=(0, None), return_sign=True)
    (5, -1)
    """
    found, sign = _search(_Memo(predicate), bounds, T)
    return (found, sign) if return_sign else found


def _search(ask: _Memo, bounds: Bounds, T: TypeArgument | None) -> tuple[Number, int]:
    """Return the value found, and +1 if larger values pass, -1 if smaller ones do."""
    lower, upper = _parse_bounds(bounds)
    kind = _number_type(ask, lower, upper, T)
    lower, upper = _as_type(lower, kind, round_up), _as_type(upper, kind, round_down)
    if None not in (lower, upper) and lower > upper:
        rule, fix = f"no {kind.__name__} is between them", "Pass wider bounds"
        raise refusal("FailedSearch", "bounds", bounds, rule, fix)
    low, high = _bracket(ask, kind, lower, upper)
    passes_above = ask(high)
    start, stop = _index(low), _index(high)
    while (middle := ask.next_probe(start, stop, kind)) is not None:
        if ask(_value(middle, kind)) == passes_above:
            stop = middle
        else:
            start = middle
    found = _value(stop if passes_above else start, kind)
    return found, 1 if passes_above else -1


def binary_search_param(
    make_chain: Callable[[Any], Transformation | Measurement],
    d_in: Distance,
    d_out: Distance,
    bounds: Bounds = (None, None),
    T: TypeArgument | None = None,
) -> Any:
    """Return the tightest parameter with which `make_chain` maps `d_in` to `d_out`.

    :param make_chain: the function from a parameter to a transformation or measurement
    :param d_in: distance of the inputs
    :param d_out: distance of the outputs, or privacy loss, that is allowed
    :param bounds: where to search, as in `binary_search`
    :param T: float or int; inferred by default

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    >>> dp.binary_search_param(
    ...     lambda s: dp.m.make_laplace(*space, scale=s), d_in=1.0, d_out=0.1)
    10.0
    """
    return _search(_LossMemo(make_chain, d_in, d_out), bounds, T)[0]


def binary_search_chain(
    make_chain: Callable[[Any], C],
    d_in: Distance,
    d_out: Distance,
    bounds: Bounds = (None, None),
    T: TypeArgument | None = None,
) -> C:
    """Return `make_chain` at the tightest parameter that maps `d_in` to `d_out`.

    :param make_chain: the function from a parameter to a transformation or measurement
    :param d_in: distance of the inputs
    :param d_out: distance of the outputs, or privacy loss, that is allowed
    :param bounds: where to search, as in `binary_search`
    :param T: float or int; inferred by default

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> dp.binary_search_chain(
    ...     lambda s: dp.m.make_laplace(*space, scale=s), d_in=1, d_out=1).map(1)
    1.0
    """
    ask = _LossMemo(make_chain, d_in, d_out)
    chain: C = ask.chains[_search(ask, bounds, T)[0]]
    return chain


def exponential_bounds_search(
    predicate: Callable[[Any], bool], T: TypeArgument | None = None
) -> tuple[Any, Any]:
    """Return two values between which `predicate` turns.

    The probes are 0 and the powers 2^(k^2) with both signs; values at which
    `predicate` fails are passed over, and so are those beyond one of them.

    :param predicate: whether a value passes; monotone
    :param T: float or int; inferred by default

    >>> exponential_bounds_search(lambda x: x > 300, T=int)
    (16, 512)
    """
    ask = _Memo(predicate)
    return _bracket(ask, _number_type(ask, None, None, T), None, None)


class _Memo:
    """The predicate, asked once for each value."""

    def __init__(self, predicate: Callable[[Any], bool]) -> None:
        self.predicate = predicate
        self.answers: dict[Any, bool] = {}

    def __call__(self, value: Number) -> bool:
        if value not in self.answers:
            try:
                self.answers[value] = bool(self.predicate(value))
            except Exception as error:
                error.add_note(f"The search tried the value {shown(value)}.")
                raise
        return self.answers[value]

    def next_probe(self, start: int, stop: int, kind: type) -> int | None:
        """Return a place strictly between two, or None if there is none."""
        return (start + stop) // 2 if stop - start > 1 else None


class _LossMemo(_Memo):
    """Whether the loss of a chain is within a limit, and where it may reach it.

    Between two values whose losses are known the loss is taken for a power of the
    parameter, which it often is. A probe goes where the loss so reaches the limit, and
    the next beyond the point where that then is, to come from the other side. Every
    third halves the range, so that a bad guess costs little.
    """

    def __init__(
        self, make_chain: Callable[[Any], Any], d_in: Distance, d_out: Distance
    ) -> None:
        super().__init__(self._within)
        self.make_chain, self.d_in, self.d_out = make_chain, d_in, d_out
        self.limit = _logarithm(d_out)
        self.chains: dict[Number, Any] = {}
        self.turns, self.last = 0, 0

    def _within(self, param: Number) -> bool:
        chain = self.chains[param] = self.make_chain(param)
        return bool(chain.check(self.d_in, self.d_out))

    def next_probe(self, start: int, stop: int, kind: type) -> int | None:
        """Return a place strictly between two, or None if there is none."""
        halfway = super().next_probe(start, stop, kind)
        self.turns += 1
        if stop - start <= 8 or self.turns % 3 == 0 or self.turns > 30:
            return halfway
        guess = self._guess(start, stop, kind)
        if guess is None:
            return halfway
        if self.turns % 3 == 2 and self.last in (start, stop):
            # The last probe missed by so much: look twice as far, and ever farther.
            reach = max(2 * abs(guess - self.last), 2 ** (self.turns - 2))
            guess = self.last + (reach if self.last == start else -reach)
        self.last = min(max(guess, start + 1), stop - 1)
        return self.last

    def _guess(self, start: int, stop: int, kind: type) -> int | None:
        """Return the place where the loss reaches the limit, if it is a power."""
        ends = [_value(start, kind), _value(stop, kind)]
        low, high = map(_logarithm, ends)
        at_low, at_high = (_logarithm(self._loss(end)) for end in ends)
        if None in (low, high, at_low, at_high, self.limit) or at_low == at_high:
            return None
        value = low + (self.limit - at_low) * (high - low) / (at_high - at_low)
        # One end is within the limit and one is not, so the turn is between them.
        turn = mpq(exp(min(max(value, low), high), 64).lo)
        return floor_multiple(turn, 0) if kind is int else _index(to_double(turn))

    def _loss(self, param: Number) -> Any:
        """Return the loss of the chain that was made with a parameter, as shown."""
        try:
            return self.chains[param].map(self.d_in)
        except Exception:  # what is lost is only where to look
            return None


def _logarithm(loss: ExactLoss) -> Any:
    """Return the logarithm of a loss, or of the first of a pair, to some 64 bits.

    It is an mpq, or None for what has none.
    """
    try:
        exact = to_extended(loss[0] if isinstance(loss, tuple) else loss)
    except (TypeError, ValueError):
        return None
    return ln(exact, 64).lo if isinstance(exact, mpq) and exact > 0 else None


def _parse_bounds(bounds: Bounds) -> tuple[Any, Any]:
    if bounds is None:
        return None, None
    fix = "Pass (lower, upper), with None for a bound that is to be found"
    pair = pair_argument("FailedSearch", "bounds", bounds, fix)
    for bound in pair:
        if bound is not None:
            try:
                to_extended(bound)
            except (TypeError, ValueError) as error:
                rule = str(error)
                raise refusal("FailedSearch", "bounds", bounds, rule, fix) from None
    lower, upper = map(native, pair)
    if None not in (lower, upper) and to_extended(lower) > to_extended(upper):
        rule = "lower may not be above upper"
        raise refusal("FailedSearch", "bounds", bounds, rule, fix)
    return lower, upper


def _number_type(
    ask: Callable[[Any], bool], lower: Any, upper: Any, T: TypeArgument | None
) -> type:
    """Return int or float: as given, as the bounds are, or as the predicate takes."""
    if T is not None:
        kind = parse_atom(T).T
        if kind not in (int, float):
            fix = "Pass T=int or T=float"
            raise refusal("FailedSearch", "T", T, "must be int or float", fix)
        return kind
    given = [bound for bound in (lower, upper) if bound is not None]
    if given:
        return int if all(isinstance(bound, int) for bound in given) else float
    errors: list[Exception] = []
    for probe in (1.5, 0.5, 100.5, -1.5, 1, 0, 100, -1):
        try:
            ask(probe)
        except Exception as error:
            errors.append(error)
        else:
            return type(probe)
    # At 1.5 it may have failed only because an int was due; at 1 it did not.
    raise errors[4] from errors[0]


def _as_type(bound: Any, kind: type, rounding: Callable[[Any], float]) -> Any:
    """Return a bound as a value of the type searched, rounded into the range."""
    if bound is None or isinstance(bound, kind):
        return bound
    exact = to_extended(bound)
    if kind is float:
        return rounding(exact)
    if isinstance(exact, float):
        fix = "Leave the bound out, as None, to have it found"
        raise refusal("FailedSearch", "bounds", bound, "an int is finite", fix)
    return (ceil_multiple if rounding is round_up else floor_multiple)(exact, 0)


def _probes(kind: type, lower: Any, upper: Any) -> Iterator[Number]:
    """Yield values outward from 0, the given bounds first, then fractions."""
    yield from (bound for bound in (lower, upper) if bound is not None)
    if lower is not None and upper is not None:
        return
    steps = _INT_STEPS if kind is int else _FLOAT_STEPS
    # Integers have no end, so their steps are counted from the bound that is given.
    given = next((b for b in (lower, upper) if b is not None and kind is int), kind(0))
    candidates = [kind(0), given]
    for step in (*steps, *(() if kind is int else _FRACTIONS)):
        candidates += [given + step, given - step]
    for value in candidates:
        above = lower is None or value > lower
        if above and (upper is None or value < upper):
            yield value


def _bracket(ask: _Memo, kind: type, lower: Any, upper: Any) -> tuple[Number, Number]:
    """Return the nearest two probes with different answers.

    Values at which the predicate answers are taken to make up an interval, so that
    nothing is asked beyond a value where it fails. (At 0 it may fail for itself.)
    """
    answered: list[Number] = []
    failed: list[Number] = []
    first: Exception | None = None
    for probe in _probes(kind, lower, upper):
        known = ask.answers
        if known and any(
            probe < end < min(known) or max(known) < end < probe for end in failed
        ):
            continue
        try:
            answer = ask(probe)
        except Exception as error:
            if probe in (lower, upper):
                raise
            first = first or error
            failed += [probe] if probe else []
            continue
        opposite = [value for value in answered if ask(value) != answer]
        if opposite:
            nearest = min(
                opposite, key=lambda value: abs(_index(value) - _index(probe))
            )
            return min(nearest, probe), max(nearest, probe)
        answered.append(probe)
    if not answered and first is not None:
        raise first
    verdict = "passes" if answered and ask(answered[0]) else "fails"
    raise SearchError(
        "FailedSearch",
        f"predicate {verdict} at every value tried from {shown(min(answered))} to "
        f"{shown(max(answered))}, so there is no point at which it turns. Check d_in, "
        "d_out and that the parameter matters, or pass bounds that hold the turning "
        "point.",
    ) from first


def _index(value: Number) -> int:
    """Return the place of a value among the integers, or among the doubles in order."""
    if isinstance(value, int):
        return value
    return double_index(value)


def _value(index: int, kind: type) -> Number:
    """Return the value at a place: the inverse of `_index`."""
    if kind is int:
        return index
    return double_at(index)
