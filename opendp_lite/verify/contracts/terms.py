"""The terms of a contract, and the error of one that is not kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

_LONGEST = 400


class ContractBroken(AssertionError):
    """A constructor breaks a rule; the message names the rule and shows the case."""


class SourceUsed(ContractBroken):
    """A function used something besides its random bits; `sources` says in words what.

    :param sources: clauses such as "release called os.urandom"
    """

    def __init__(self, sources: Iterable[str]) -> None:
        self.sources = tuple(dict.fromkeys(sources))
        super().__init__(
            f"sources: {', '.join(self.sources)}, but only the random bits of "
            "opendp_lite.randomness.entropy may decide what comes out"
        )


def told(value: object) -> str:
    """Return the repr of a case, with its middle left out if it is long.

    Python refuses to print an int of more than 4300 digits unless the limit is lifted,
    and a case is shown where it must not matter what it is.

    >>> len(told(10**5000)), told([1, "a"])
    (405, "[1, 'a']")
    """
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        text = repr(value)
    except Exception as error:
        text = f"<{type(value).__name__} that does not print: {error!r}>"
    finally:
        sys.set_int_max_str_digits(limit)
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"


Arguments: TypeAlias = Mapping[str, Any]


@attrs.frozen(repr=False, eq=False)
class Contract:
    """How a constructor may be called, and on what its objects are tried.

    Only `constructor` and `arguments` are always needed.

    `arguments`: a hypothesis strategy of dictionaries of valid arguments.
    `refusals`: rows (arguments, variant, words): the call must raise an
    `OpenDPException` of that variant, whose message holds the words (one, or a
    sequence of them; the name of the argument is one).
    `data`: a function from an object to a strategy of members of its input domain;
    by default `members(made.input_domain)`.
    `neighbours`: a function from an object and a member to a strategy of other members,
    of which many should be near; by default one for the metric.
    `outsiders`: a function from an object to values that it must refuse; they are
    added to a default list.
    `certificates`: rows (arguments, x, x2, depth), at least one for a measurement. The
    laws of the releases of x and x2 are enumerated to `depth` bits, with at most `runs`
    runs each, and must be as close as the map claims, as in `verify.privacy`; `cap` is
    what may stay open of delta, 1/1000 if it is None. Then 500 releases of each, for
    which bits are asked for in words of 64, are counted, and no outcome may be more or
    less frequent than its law says; if the bits were random, a constructor that is
    right would pass but for a chance of 1e-9 (they are the same in every run).
    `couplings`: rows (arguments, x, x2, depth), at least one for a random
    transformation. The laws of the images of x and x2 are enumerated likewise, and must
    have a coupling as the map claims, as in `verify.coupling`, but for `cap`; then
    images in words are counted, as releases are.
    `limits`: rows (arguments, x, release): there the release is certain, as it is
    without noise.
    `map_values`: rows (arguments, d_in, d_out) of the exact values of the map, numbers
    or functions from a precision to an `Enclosure` (or tuples of these). The map must
    not be below them, nor above by more than rounding; much noise has little loss.
    `distances`: input distances in increasing order on which maps are tried.
    `zero_at_zero`: whether the map is 0 at distance 0.
    `interview`: for releases that go on answering, a function that is given one, asks
    it what it likes, and returns what is looked at in its place.
    `replays`: whether the function is determined by its argument and random bits, and
    its outputs can be compared. `pickles`: whether the arguments can be pickled.
    `arrays`: whether arrays are tried where the domain has them.
    `features`: what to enable for the time of the checks; without them the
    constructor must refuse. `examples`: how many objects are made.
    """

    constructor: Callable[..., Any]
    arguments: Any
    refusals: Sequence[tuple[Arguments, str, str | Sequence[str]]] = ()
    data: Callable[[Any], Any] | None = None
    neighbours: Callable[[Any, Any], Any] | None = None
    outsiders: Callable[[Any], Sequence[Any]] | None = None
    certificates: Sequence[tuple[Arguments, Any, Any, int]] = ()
    couplings: Sequence[tuple[Arguments, Any, Any, int]] = ()
    limits: Sequence[tuple[Arguments, Any, Any]] = ()
    map_values: Sequence[tuple[Arguments, Any, Any]] = ()
    distances: Sequence[Any] | None = None
    zero_at_zero: bool = True
    interview: Callable[[Any], Any] | None = None
    replays: bool = True
    pickles: bool = True
    arrays: bool = True
    features: tuple[str, ...] = ()
    examples: int = 40
    runs: int = 2000
    cap: Any = None

    @property
    def name(self) -> str:
        """The name of the constructor."""
        return str(getattr(self.constructor, "__name__", self.constructor))

    def __repr__(self) -> str:
        return f"Contract({self.name})"
