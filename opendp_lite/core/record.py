"""What constructors return, and the record of how it was made.

Repr, equality, hash and pickle of an object come from its record: the constructor and
its arguments. Unpickling calls the constructor again, checks included. A record is
given by the decorator `constructor` alone. It is no argument of a class, so that an
object made by hand, or with a field changed, has none: it prints as unproved.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, NoReturn, Self

import attrs

from opendp_lite.base.aliases import Distance, Value
from opendp_lite.base.errors import printed, shown
from opendp_lite.base.ownership import (
    Described,
    described_in,
    is_own,
    is_own_function,
)
from opendp_lite.data.identity import key

if TYPE_CHECKING:
    from opendp_lite.show.explaining.steps import Explanation


@attrs.frozen
class Registration:
    """A registered constructor, its proof, and what only a person can verify.

    `proof` is a path below the folder of proofs, without its ending; `status` is
    "draft", or "vetted" once somebody other than the author has refereed it.
    """

    make: Callable[..., Any]
    proof: str | None = None
    status: str = "draft"
    human_verified: tuple[str, ...] = ()


REGISTRY: dict[str, Registration] = {}


def human_verified(make: Callable[..., Any]) -> tuple[str, ...]:
    """Return what a person has to verify where this constructor is used."""
    entry = REGISTRY.get(f"{make.__module__}:{make.__qualname__}")
    return () if entry is None else entry.human_verified


class ByText:
    """An argument that is compared by its text: `==` means something else of it."""


def comparable(value: Value) -> Any:
    """Return an argument with the text of whatever is compared by it.

    The order of a dict counts: it is that of the columns or keys of what is made.
    """
    kind = type(value)
    if issubclass(kind, ByText):
        return kind, repr(value)
    if issubclass(kind, list | tuple):
        return kind, *map(comparable, value)
    if issubclass(kind, dict):
        return kind, *((name, comparable(each)) for name, each in value.items())
    return value


def _key(value: Value) -> Any:
    """Return the key of an argument: equal for two that are the same."""
    return key(comparable(value))


@attrs.frozen(eq=False)
class Record:
    """How an object was made: a constructor and its arguments, defaults included.

    Two records are equal when the arguments are, by type and bits. `place` is where in
    a user's code the constructor was called, if it has conditions that only a person
    can verify: `explain` names it. It is neither compared nor kept in a pickle.
    """

    constructor: Callable[..., Any]
    arguments: tuple[tuple[str, Any], ...]
    place: str | None = attrs.field(init=False)

    @place.default
    def _called_at(self) -> str | None:
        if not human_verified(self.constructor):
            return None
        from opendp_lite.show.explaining.showing import place_of_call

        return place_of_call()

    def given(self) -> list[tuple[str, Any]]:
        """Return the arguments that differ from their defaults."""
        parameters = inspect.signature(self.constructor).parameters
        defaults = {name: each.default for name, each in parameters.items()}
        return [(n, v) for n, v in self.arguments if _key(v) != _key(defaults[n])]

    @property
    def starts_with_space(self) -> bool:
        """Whether the first two arguments are a domain and a metric."""
        names = [name for name, _ in self.arguments[:2]]
        return [name.removeprefix("input_") for name in names] == ["domain", "metric"]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Record)
            and self.constructor is other.constructor
            and _types(self.arguments) == _types(other.arguments)
            and _key(self.arguments) == _key(other.arguments)
        )

    def __hash__(self) -> int:
        try:
            return hash((self.constructor, _key(self.arguments)))
        except TypeError:  # an argument, such as a dict, has no hash
            return hash(self.constructor)

    def __repr__(self) -> str:
        space = self.starts_with_space
        shown = [
            repr(v) if space and i < 2 else f"{n}={show_argument(v)}"
            for i, (n, v) in enumerate(self.given())
        ]
        return f"{self.constructor.__name__}({', '.join(shown)})"

    def as_step(self) -> str:
        """Return the text of this record as a link of a chain."""
        if not self.starts_with_space:
            return repr(self)
        shown = ", ".join(f"{n}={show_argument(v)}" for n, v in self.given()[2:])
        return f"then_{self.constructor.__name__.removeprefix('make_')}({shown})"


def _types(value: object) -> Any:
    """Return the type, item by item: a float32 is not read as the equal float is."""
    return tuple(map(_types, value)) if type(value) is tuple else type(value)


def show_argument(value: Value) -> str:
    """Return an argument as it stands in the text of an object."""
    if isinstance(value, type):
        return value.__name__
    if inspect.isroutine(value):
        return value.__qualname__
    if isinstance(value, Made):
        return Made.__repr__(value)  # a derived class may say what it likes of itself
    if isinstance(value, tuple):
        inside = ", ".join(map(show_argument, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if callable(value) and not _is_told(type(value)):
        return _named_function(value)
    return shown(value) if isinstance(value, int | Fraction) else printed(value)


def _is_told(kind: type) -> bool:
    """Return whether the repr of a kind is the library's, and holds no data."""
    return is_own(kind) or issubclass(kind, Described)


def _named_function(value: Value) -> str:
    """Return the name of what can be called, and nothing that it holds.

    What is bound to a partial function, or kept by an object that is called, may be
    data, and would stand in its repr.
    """
    if type(value) is partial:
        return f"partial({show_argument(value.func)}, ...)"
    name = getattr(value, "__name__", None)  # of a ufunc of numpy
    return name if type(name) is str else f"<{type(value).__name__}>"


def _local_functions(value: Value) -> Iterator[str]:
    """Yield the names of functions in an argument that pickle could not find again."""
    if inspect.isfunction(value) and "<" in value.__qualname__:
        yield value.__qualname__
    if isinstance(value, tuple):
        for item in value:
            yield from _local_functions(item)
    elif attrs.has(type(value)) and not isinstance(value, Made):
        for field in attrs.fields(type(value)):
            yield from _local_functions(getattr(value, field.name))


def _rebuild(make: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    return make(**arguments)


@attrs.frozen(eq=False, repr=False)
class Made:
    """What a constructor returns: it prints, compares and pickles by its record."""

    # No argument of a class: what `attrs.evolve` or a call by hand makes has none.
    record: Record | None = attrs.field(default=None, init=False)

    def _with_record(self, record: Record) -> Self:
        """Return the same object with a record; what was checked stays checked."""
        stamped = object.__new__(type(self))
        for field in self.__attrs_attrs__:  # proof: fields
            object.__setattr__(stamped, field.name, getattr(self, field.name))
        object.__setattr__(stamped, "record", record)  # proof: record
        return stamped

    def steps(self) -> list[Made]:
        """Return the links of a chain from the data outward, or just this object."""
        record = _record_of(self)
        chained = record is not None and is_own(record.constructor)
        arguments = dict(record.arguments) if record and chained else {}
        inner = arguments.get("transformation0") or arguments.get("measurement0")
        outer = (
            arguments.get("transformation1")
            or arguments.get("measurement1")
            or arguments.get("postprocess1")
        )
        if inner is None or outer is None:
            return [self]
        return [
            link
            for part in (inner, outer)
            for link in ([part] if _record_of(part) is None else part.steps())
        ]

    def explain(self, d_in: Distance = None) -> Explanation:
        """Return, link by link from the data outward, which proof covers what.

        With a distance it begins with the guarantee of the whole in one plain sentence,
        and also tells what each link makes of the distance, exactly and as a float, the
        spaces on both sides, and all that a person must verify, with the place where it
        was taken on. It prints as text; `to_dict` and `to_json` give plain values, and
        a notebook shows a tree.

        :param d_in: the distance of the data, as of `map`; None for proofs alone

        >>> import opendp_lite.prelude as dp
        >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
        >>> noisy = space >> dp.t.then_count() >> dp.m.then_laplace(scale=3)
        >>> print(noisy.explain())
        then_count()           proofs/transformations/make_count.tex (vetted)
        then_laplace(scale=3)  proofs/measurements/make_laplace.tex (vetted)
        >>                     proofs/core/make_chain_mt.tex (vetted)
        >>> print(noisy.explain(d_in=1))
        If one row is added or removed, no answer becomes more than 1.4 times as ...
        Measurement: d_in = 1, d_out = 1/3 <= 0.33333333333333337
          then_count()
            from   VectorDomain(AtomDomain(T=int)), SymmetricDistance(): d_in = 1
            to     AtomDomain(T=int), AbsoluteDistance(T=int): d_out = 1
            proof  proofs/transformations/make_count.tex (vetted)
          then_laplace(scale=3)
            from   AtomDomain(T=int), AbsoluteDistance(T=int): d_in = 1
            to     MaxDivergence(): d_out = 1/3 <= 0.33333333333333337
            proof  proofs/measurements/make_laplace.tex (vetted)
            >>     proofs/core/make_chain_mt.tex (vetted)
        """
        from opendp_lite.show.explaining.deriving import explanation

        return explanation(self, d_in)

    @property
    def certificate(self) -> NoReturn:
        """Refuse: the package `certify` makes certificates, and checks them."""
        raise AttributeError(
            f"a {type(self).__name__} has no certificate of its own. Write "
            "opendp_lite.certify.certificate(it, d_in), or use the command "
            "opendp-lite certify."
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            type(self) is type(other)
            and isinstance(other, Made)
            and self.record is not None
            and self.record == other.record
        )

    # What is made never changes, so it is its own copy.
    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __hash__(self) -> int:
        return id(self) if self.record is None else hash(self.record)

    def __repr__(self) -> str:
        record = _record_of(self)
        if record is None:
            return self._describe_unproved()
        steps = self.steps()
        if len(steps) == 1:
            return repr(record)
        first = _record_of(steps[0])
        links = [_link(step) for step in steps]
        if first is not None and first.starts_with_space:
            domain, metric = (value for _, value in first.arguments[:2])
            links.insert(0, f"({domain!r}, {metric!r})")
        elif first is not None:
            links[0] = repr(first)
        line = " >> ".join(links)
        if len(line) <= 88:
            return line
        return "(\n    " + "\n    >> ".join(links) + "\n)"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: each link with its proof, spaces, and cost."""
        from opendp_lite.show.explaining.showing import proof_lines
        from opendp_lite.show.texts import table

        about: list[tuple[str, ...]] = [
            (name.replace("_", " "), printed(getattr(self, name)))
            for name in (field.name for field in attrs.fields(type(self)))
            if name.endswith(("domain", "metric", "measure"))
        ]
        rows = [*proof_lines(self.explain().whole), *about, *self._cost()]
        return table(type(self).__name__, rows)

    def _cost(self) -> list[tuple[str, str]]:
        """Return, as text, what the map gives for a distance of 1, if it takes one."""
        try:
            return [("map(1)", printed(self.map(1)))]  # type: ignore[attr-defined]
        except Exception:  # a distance of another kind, or a map of the user's
            return []

    def _describe_unproved(self) -> str:
        fields = [f for f in attrs.fields(type(self)) if f.name != "record"]
        shown = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields
            if f.name.endswith(("domain", "metric", "measure"))
        ]
        return f"{type(self).__name__}(unproved, {', '.join(shown)})"

    def __reduce__(self) -> Any:
        name = type(self).__name__
        if self.record is None:
            raise TypeError(
                f"this {name} was built by hand and has no record, so it cannot be "
                "pickled; build it with a registered constructor"
            )
        for argument, value in self.record.arguments:
            for function in _local_functions(value):
                raise TypeError(
                    f"{self.record.constructor.__name__}: the function {function} in "
                    f"the argument {argument} cannot be pickled; pass a function that "
                    "is defined at the top level of a module"
                )
        return _rebuild, (self.record.constructor, dict(self.record.arguments))


def _record_of(value: Value) -> Record | None:
    """Return the record of an object of the library's classes, on spaces of such.

    An object of a derived class may have any record, and say anything of itself. On a
    domain of a derived class the constructor did what its record says, but no proof
    is about that domain.
    """
    if not isinstance(value, Made) or not is_own(type(value)):
        return None
    foreign = any(part.foreign_part is not None for part in described_in(value))
    return None if foreign else value.record


def _link(step: object) -> str:
    record = _record_of(step)
    return show_argument(step) if record is None else record.as_step()


def foreign_functions(value: Value) -> Iterator[tuple[str, Any]]:
    """Yield the functions that are not the library's, and the arguments that they were.

    They are looked for in what a pipeline was made of, in the fields of objects of the
    library's classes, and in what its functions hold.

    >>> [name for name, _ in foreign_functions(partial(len, attrs.asdict))]
    ['', '']
    """
    return _foreign_functions("", value, set())


def _foreign_functions(
    name: str, value: Value, seen: set[int]
) -> Iterator[tuple[str, Any]]:
    if isinstance(value, FunctionType) and not is_own_function(value):
        yield name, value
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    parts: Iterable[tuple[str, Any]] = ()
    if isinstance(value, FunctionType):
        parts = [(name, each) for each in _held_by(value)]
    elif isinstance(value, MethodType):
        parts = [(name, value.__func__), (name, value.__self__)]
    elif type(value) is partial:
        held = value.func, *value.args, *value.keywords.values()
        parts = [(name, each) for each in held]
    elif isinstance(value, tuple | list):
        parts = [(name, each) for each in value]
    elif isinstance(value, dict):
        parts = [(name, each) for each in value.values()]
    elif isinstance(value, Made) and value.record is not None:
        parts = value.record.arguments
    elif isinstance(value, Made | Described) or is_own(type(value)):
        if attrs.has(type(value)):
            fields = attrs.fields(type(value))
            parts = [(each.name, getattr(value, each.name, None)) for each in fields]
    elif callable(value) and not isinstance(value, type):
        yield name, value
    for part, each in parts:
        yield from _foreign_functions(part, each, seen)


def _held_by(function: FunctionType) -> Iterator[Any]:
    """Yield what a function holds: its defaults, and variables of others around it."""
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it is empty so far
            yield cell.cell_contents
