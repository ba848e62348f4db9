"""The tree of an object, from its record: links, parts, distances and assumptions.

An object of a derived class may say anything of itself, and is not asked: what is not
the library's is told as unproved, with what its fields hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from opendp_lite.base.aliases import Distance, Value
from opendp_lite.base.ownership import (
    PACKAGE,
    Described,
    described_in,
    is_own,
)
from opendp_lite.core.measurement import AUTHORS_NOISE
from opendp_lite.core.metrics import Metric
from opendp_lite.core.record import (
    REGISTRY,
    Made,
    Record,
    _record_of,
    human_verified,
    show_argument,
)
from opendp_lite.laws.noise import Noise
from opendp_lite.show.explaining.sentences import sentence_of
from opendp_lite.show.explaining.showing import place_of_function
from opendp_lite.show.explaining.steps import (
    Assumption,
    At,
    Explanation,
    ProofReference,
    Step,
    mapped,
    told,
)
from opendp_lite.show.explaining.units import add_units

_SPACES = "domain", "metric", "measure"
_FUNCTION = (
    "a function of your own: a person must verify that it looks at the row alone and "
    "always answers alike"
)
_OF_RELEASE = "a function of the release alone"
_UNPROVED = (
    "nothing is proved of it: it was put together by hand, or in a derived class"
)


def explanation(made: Made, d_in: Distance = None) -> Explanation:
    """Return how an object was made, and what each link costs at a distance.

    :param made: what a constructor returned
    :param d_in: the distance of the data; None if no distances are to be told
    """
    at = None if d_in is None else parsed(made.input_metric, d_in)  # type: ignore[attr-defined]
    whole = step_of(made, at)
    several = bool(getattr(made, "interactive", False))
    sample = bool(getattr(made, "exclusive", False))
    return Explanation(type(made).__name__, whole, sentence_of(whole, several, sample))


def parsed(metric: Metric, d_in: Distance) -> At:
    """Return a distance as the metric reads it, or what the metric raises.

    :param metric: of the data
    :param d_in: what a user has passed
    """
    value = metric.parse(d_in)
    return At(value, told(value, metric))


def step_of(made: Value, at: At | None = None) -> Step:
    """Return the step of an object; of a chain, with its links as parts.

    :param made: an object that a constructor returned, or one made by hand
    :param at: the distance of what goes in, if it is known
    """
    record = _record_of(made)
    if record is None or not _is_chain(record):
        step, d = _single(made, record, at)
        return add_units(step, made, None, d)
    steps, d, before = list[Step](), at, None
    for link, by in _links(made):
        if isinstance(link, Made):
            step, d = _single(link, _record_of(link), d)
            step, before = add_units(step, link, before, d), link
        else:
            assert by is not None  # a function follows something
            step = _following(link, by, steps[-1])
        chained = None if by is None else _standing(by)[1]
        steps.append(attrs.evolve(step, chained_by=chained))
    standing, proof = _standing(record)
    whole, note = _measured(made, at)
    return Step(
        ">>",
        standing,
        constructor=_name(record.constructor),
        **_spaces(made),
        d_in=None if at is None else at.told,
        d_out=None if whole is None else whole.told,
        proof=proof,
        parts=tuple(steps),
        notes=() if note is None else (note,),
    )


def _is_chain(record: Record) -> bool:
    """Return whether it is one of the library's chains, of an outer and an inner."""
    order = [name[-1] for name, _ in record.arguments]
    return order == ["1", "0"] and is_own(record.constructor)


def _links(value: Value) -> Iterator[tuple[Any, Record | None]]:
    """Yield each link, from the data outward, and how it was chained to the former."""
    record = _record_of(value)
    if record is None or not _is_chain(record):
        yield value, None
        return
    outer, inner = (each for _, each in record.arguments)
    yield from _links(inner)
    for link, by in _links(outer):
        yield link, by or record


def _single(
    made: Value, record: Record | None, at: At | None
) -> tuple[Step, At | None]:
    """Return the step of what is no chain, and the distance behind it."""
    found, raised = _measured(made, at)
    notes = [] if raised is None else [raised]
    if _states_noise(made, record):
        notes.append(AUTHORS_NOISE)
    standing, proof = _standing(record)
    common: dict[str, Any] = {
        **_spaces(made),
        "d_in": None if at is None else at.told,
        "d_out": None if found is None else found.told,
        "proof": proof,
    }
    trusted = tuple(_trusted_spaces(made))
    if record is None:
        place = place_of_function(getattr(made, "function", None))
        alone = Assumption(_UNPROVED, None, (f"function, {place}",) if place else ())
        link = show_argument(made)
        said = tuple(notes)
        assumptions = (alone, *trusted)
        return Step(
            link, standing, assumptions=assumptions, notes=said, **common
        ), found
    parts, note = _parts(made, record, at)
    step = Step(
        record.as_step(),
        standing,
        constructor=_name(record.constructor),
        arguments=tuple(_arguments(record)),
        assumptions=(*_conditions(record), *trusted),
        parts=parts,
        notes=(*notes, *([note] if note else [])),
        **common,
    )
    return step, found


def _states_noise(made: Value, record: Record | None) -> bool:
    """Return whether the author of a link, and not the library, states its noise."""
    if getattr(made, "noise", None) is None:
        return False
    if record is None or not is_own(record.constructor):
        return True
    return any(isinstance(value, Noise) for _, value in record.arguments)


def _following(function: Value, by: Record, before: Step) -> Step:
    """Return the step of a function of a release, which loses no more."""
    standing, proof = _OF_RELEASE, None
    cited = getattr(function, "proof", None)
    if not human_verified(by.constructor) and type(cited) is str:
        proof = ProofReference(f"proofs/{cited}.tex", PACKAGE)
    return Step(
        show_argument(function),
        standing,
        output_measure=before.output_measure,
        d_in=before.d_out,
        d_out=before.d_out,
        proof=proof,
        assumptions=tuple(_conditions(by)),
    )


def _measured(made: Value, at: At | None) -> tuple[At | None, str | None]:
    """Return what the map of an object says, or a sentence about why it does not."""
    if at is None:
        return None, None
    fields = {field.name for field in attrs.fields(type(made))}
    for name, by in (
        ("stability_map", "output_metric"),
        ("privacy_map", "output_measure"),
    ):
        if name in fields:
            return mapped(getattr(made, name), at, getattr(made, by))
    return None, "it has no map: a session that it opens tells its loss"


def _parts(made: Value, record: Record, at: At | None) -> tuple[tuple[Step, ...], str]:
    """Return the objects that a link was made of, and what is said of their distances.

    Functions come first, then the objects of whose distances nothing is stated.
    """
    stated = getattr(made, "parts", None)
    asked = [] if stated is None else list(stated(None if at is None else at.value))
    about = {id(part) for part, _, _ in asked}
    values = [value for _, value in record.arguments]
    listed = [each for value in values if type(value) is tuple for each in value]
    others = [each for each in (*values, *listed) if id(each) not in about]
    steps, note = list[Step](), ""
    known: dict[tuple[int, int], Step] = {}  # one object may stand for many blocks
    for part, value, each in (*((other, None, "") for other in others), *asked):
        if isinstance(part, Made):
            key = id(part), id(value)
            if key not in known:
                metric: Metric = part.input_metric  # type: ignore[attr-defined]
                inside = None if value is None else At(value, told(value, metric))
                known[key] = step_of(part, inside)
            steps.append(known[key])
            note = each if value is not None else ""
    return (*_functions(record), *steps), note


def _functions(record: Record) -> list[Step]:
    """Return what is to be verified of each argument that is a function.

    Where a constructor takes them always, its own conditions tell; arguments that are
    types have names in capital letters.
    """
    if human_verified(record.constructor):
        return []
    return [
        Step(
            f"{name}={show_argument(value)}",
            _FUNCTION,
            assumptions=(
                Assumption(
                    _FUNCTION,
                    place_of_function(value),
                    (f"{name}={show_argument(value)}",),
                ),
            ),
        )
        for name, value in record.arguments
        if _is_function(name, value)
    ]


def _is_function(name: str, value: Value) -> bool:
    return callable(value) and name.islower() and not isinstance(value, Made)


def _arguments(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the arguments that are no defaults, and no objects, which are its parts."""
    given = record.given()[2:] if record.starts_with_space else record.given()
    for name, value in given:
        items = value if isinstance(value, tuple) else (value,)
        if not any(isinstance(each, Made) for each in items):
            yield name, show_argument(value)


def _conditions(record: Record) -> Iterator[Assumption]:
    """Yield what a person has to verify of a call, and of the functions in it."""
    functions = []
    for name, value in record.arguments:
        if _is_function(name, value):
            place = place_of_function(getattr(value, "function", value))
            said = f"{name}={show_argument(value)}"
            functions.append(f"{said}, {place}" if place else said)
    for text in human_verified(record.constructor):
        yield Assumption(text, record.place, tuple(functions))
    if _standing(record)[1] is None:
        make = record.constructor
        place = place_of_function(getattr(make, "__wrapped__", make))
        yield Assumption(f"there is no proof of {make.__name__}", place)


def _trusted_spaces(made: Value) -> Iterator[Assumption]:
    """Yield what is taken on trust of domains, metrics and measures of a user's own."""
    for part in _spaces(made).values():
        foreign = part.foreign_part
        if foreign is None:
            yield from _trusted(part)
        else:
            name = f"{foreign.__module__}.{foreign.__qualname__}"
            yield Assumption(f"{name} is a class of which the library proves nothing")


def _trusted(part: Described) -> Iterator[Assumption]:
    """Yield what is taken on trust of a domain, metric or measure, and of its parts."""
    trust = part.taken_on_trust()
    if trust is not None:
        text, function = trust
        yield Assumption(text, place_of_function(function))
    for each in described_in(part):
        yield from _trusted(each)


def _spaces(made: Value) -> dict[str, Any]:
    """Return the domains, metrics and measure of an object, by name."""
    names = [field.name for field in attrs.fields(type(made))]
    found = {name: getattr(made, name) for name in names if name.endswith(_SPACES)}
    return {name: v for name, v in found.items() if isinstance(v, Described)}


def _name(make: Callable[..., Any]) -> str:
    return f"{make.__module__}:{make.__qualname__}"


def _standing(record: Record | None) -> tuple[str, ProofReference | None]:
    """Return what is said of the proof of a link, and the proof if it has one."""
    if record is None:
        return "unproved", None
    make = record.constructor
    entry = REGISTRY.get(_name(make))
    if entry is None or entry.make is not make or entry.proof is None:
        return "no proof", None
    package = str.partition(make.__module__, ".")[0]
    conditions = bool(entry.human_verified)
    proof = ProofReference(
        f"proofs/{entry.proof}.tex", package, entry.status, conditions
    )
    return str(proof), proof
