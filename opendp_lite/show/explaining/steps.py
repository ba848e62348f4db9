"""The steps of an explanation, with their distances and losses as text.

Everything here is text and exact numbers about how an object was made. No data are in
it, and nothing in it decides privacy: distances are what the maps of the objects say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import ExactDistance, ExactLoss, Value
from opendp_lite.base.errors import OpenDPException, write_number
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.exact.roots import Root

if TYPE_CHECKING:
    from opendp_lite.core.domains import Domain

SPACES = (
    "input_domain",
    "input_metric",
    "output_domain",
    "output_metric",
    "output_measure",
)


@attrs.frozen
class Assumption:
    """What a person has to verify, as no code can.

    `place` is where the constructor was called, such as "survey/pipeline.py:12"; of a
    function, where it is defined; None where that is not known. `about` names the
    functions that it is about, with the place where each is defined.
    """

    text: str
    place: str | None = None
    about: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"text": self.text, "place": self.place, "about": list(self.about)}

    def __str__(self) -> str:
        about = f" ({', '.join(self.about)})" if self.about else ""
        return f"{self.text}{about}" + (f", {self.place}" if self.place else "")


@attrs.frozen
class ProofReference:
    """Where a proof stands, in whose package, and what is said of it.

    `status` is None where it is not said by a constructor. `conditions` is whether the
    constructor has conditions that a person must verify.
    """

    path: str
    package: str
    status: str | None = None
    conditions: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return attrs.asdict(self)

    def __str__(self) -> str:
        own = "" if self.package == _OWN else f" of {self.package}"
        said = [self.status] if self.status else []
        said += ["conditions a person must verify"] if self.conditions else []
        return f"{self.path}{own}" + (f" ({', '.join(said)})" if said else "")


_OWN = __name__.partition(".")[0]


@attrs.frozen
class Distance:
    """A distance or a loss: exact, as text, and as a person reads it, rounded up.

    `float` is what `.map()` shows: an int, a float, a tuple of these; None of a curve.
    """

    exact: str
    float: Any = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; infinite numbers and very long ones as text."""
        return {"exact": self.exact, "float": _plain(self.float)}

    def __str__(self) -> str:
        shown = self.exact if self.float is None else _said(self.float)
        if shown in (self.exact, f"{self.exact}.0"):
            return self.exact
        return f"{self.exact} {'=' if self._is_exact() else '<='} {shown}"

    def _is_exact(self) -> bool:
        """Return whether a number was not rounded; of tuples it is not told."""
        try:
            return bool(Fraction(self.exact) == self.float)
        except ValueError:  # text that is no number, such as sqrt(2)
            return False


@attrs.frozen
class Step:
    """A link of a chain, or a part of one, and how it was made.

    `standing` is the proof and its status as text, or what is said instead of it:
    "unproved", "no proof", "a function of the release alone". `parts` are the objects
    that it was made of; of a chain, whose link is ">>", its links. `chained_by` is the
    proof of the `>>` by which a link follows those before it. What was asked of a
    session has been `charged` a loss, and is "released" or "failed" (`state`). `notes`
    are sentences: what its map raised, how blocks share a distance. `units` are the
    numbers of a table in the units of its columns.
    """

    link: str
    standing: str
    constructor: str | None = None
    arguments: tuple[tuple[str, str], ...] = ()
    input_domain: Domain | None = None
    input_metric: Metric | None = None
    output_domain: Domain | None = None
    output_metric: Metric | None = None
    output_measure: Measure | None = None
    d_in: Distance | None = None
    d_out: Distance | None = None
    proof: ProofReference | None = None
    chained_by: ProofReference | None = None
    assumptions: tuple[Assumption, ...] = ()
    parts: tuple[Step, ...] = ()
    charged: Distance | None = None
    state: str | None = None
    notes: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    @property
    def is_chain(self) -> bool:
        """Whether the parts are links, one after the other."""
        return self.link == ">>"

    def walk(self) -> Iterator[Step]:
        """Yield this step and all below it, from the data outward."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def spaces(self) -> list[tuple[str, str]]:
        """Return the domains, metrics and measure by name, as text."""
        from opendp_lite.base.errors import printed

        given = ((name, getattr(self, name)) for name in SPACES)
        return [(name, printed(each)) for name, each in given if each is not None]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        spaces = dict(self.spaces())
        return {
            "link": self.link,
            "standing": self.standing,
            "constructor": self.constructor,
            "arguments": [list(each) for each in self.arguments],
            **{name: spaces.get(name) for name in SPACES},
            "d_in": _dict(self.d_in),
            "d_out": _dict(self.d_out),
            "proof": _dict(self.proof),
            "chained_by": _dict(self.chained_by),
            "assumptions": [each.to_dict() for each in self.assumptions],
            "charged": _dict(self.charged),
            "state": self.state,
            "notes": list(self.notes),
            "units": list(self.units),
            "parts": [each.to_dict() for each in self.parts],
        }


@attrs.frozen(repr=False)
class Explanation:
    """How an object was made, link by link, and what each costs: `made.explain(d_in)`.

    It prints as text, shows as a tree in a notebook and in rich, and is written as
    JSON. `kind` says what is explained, `whole` is all of it as one step, and
    `sentence` says in plain words what the whole promises, where that is known.
    """

    kind: str
    whole: Step
    sentence: str | None = None
    d_in: Distance | None = attrs.field(init=False)  # of the data, if it was told
    d_out: Distance | None = attrs.field(init=False)  # what the whole makes of it

    @d_in.default
    def _whole_d_in(self) -> Distance | None:
        return self.whole.d_in

    @d_out.default
    def _whole_d_out(self) -> Distance | None:
        return self.whole.d_out

    @property
    def steps(self) -> tuple[Step, ...]:
        """The links of a chain from the data outward, or the one step."""
        return self.whole.parts if self.whole.is_chain else (self.whole,)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """All that a person has to verify, each once, from the data outward."""
        found = (each for step in self.whole.walk() for each in step.assumptions)
        return tuple(dict.fromkeys(found))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "kind": self.kind,
            "sentence": self.sentence,
            "d_in": _dict(self.d_in),
            "d_out": _dict(self.d_out),
            "steps": [each.to_dict() for each in self.steps],
            "assumptions": [each.to_dict() for each in self.assumptions],
        }

    def to_json(self) -> str:
        """Return it as JSON."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def __str__(self) -> str:
        from opendp_lite.show.explaining.showing import text

        return text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from opendp_lite.show.explaining.showing import html

        return html(self)

    def __rich__(self) -> Any:
        """Return a tree of rich."""
        from opendp_lite.show.explaining.showing import rich_tree

        return rich_tree(self)


_Told = Assumption | Distance | ProofReference


def _dict(value: _Told | None) -> Any:
    """Return what a part says of itself for JSON, or None."""
    return None if value is None else value.to_dict()


def _said(value: object) -> str:
    """Return a shown number, or several, as text."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_said, value))})"
    from opendp_lite.base.errors import printed

    return printed(value)


def _plain(value: Value) -> Any:
    """Return a shown number, or several, as JSON has them."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if value is None or abs(value) <= 2**63:
        return value
    return _said(value)


@attrs.frozen
class At:
    """An exact distance or loss, as maps pass it on, and how it is told."""

    value: Any
    told: Distance


def told(value: ExactDistance | ExactLoss, by: Metric | Measure) -> Distance:
    """Return an exact distance or loss as its metric or measure presents it.

    :param value: exact, as a map returned it
    :param by: what it is a distance or a loss of

    >>> import opendp_lite.prelude as dp
    >>> print(told(dp.max_divergence().parse("1/3"), dp.max_divergence()))
    1/3 <= 0.33333333333333337
    """
    presented = by.present(value, exact=True)
    if callable(presented):
        profile = by.inner_measure != by if isinstance(by, Measure) else False
        return Distance("a profile delta(epsilon)" if profile else "a curve")
    return Distance(_exact(value, presented), _numbers(by.present(value)))


def mapped(
    map_of: Callable[[Any], Any], at: At, by: Metric | Measure
) -> tuple[At | None, str | None]:
    """Return what a map says at a distance; if it raises, a sentence about it.

    :param map_of: the map
    :param at: the distance
    :param by: presents what the map returns
    """
    try:
        value = map_of(at.value)
        return At(value, told(value, by)), None
    except OpenDPException as error:  # in the words of the library
        return None, f"its map says nothing here: {error.message}"
    except Exception as error:  # a map of the user's own
        return None, f"its map raised a {type(error).__name__}"


def _exact(value: ExactDistance, presented: Value) -> str:
    """Return the exact text of a value; a root, which is presented rounded up, too."""
    if type(value) is Root:
        return repr(value)
    if type(value) is tuple and type(presented) is tuple:
        pairs = zip(value, presented, strict=True)
        return f"({', '.join(_exact(*pair) for pair in pairs)})"
    return write_number(presented)


def _numbers(presented: Value) -> Any:
    """Return a number, or a tuple of them; None for what only a user's metric reads."""
    if type(presented) is tuple:
        inside = tuple(map(_numbers, presented))
        return None if None in inside else inside
    return presented if type(presented) in (int, float) else None
