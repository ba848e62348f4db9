"""Constructors, the record of how an object was made, and partial constructors.

A constructor is a function that returns a transformation or a measurement. The
decorator `constructor` enters it in `REGISTRY` and stamps what it returns with a
`Record`: the constructor and its arguments. Repr, equality, hash and pickle of an
object come from its record; unpickling calls the constructor again, checks included.
The outermost constructor's record wins.

A module's constructors are entered when it is loaded, which the prelude puts off until
one is asked for: whoever lists all of them loads the modules first.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

import attrs

from opendp_lite.core.containers import is_array
from opendp_lite.core.errors import printed, shown
from opendp_lite.core.features import assert_features
from opendp_lite.core.identity import key

__all__ = [
    "REGISTRY",
    "Made",
    "Partial",
    "Record",
    "Registration",
    "constructor",
    "then",
]

P = ParamSpec("P")
R = TypeVar("R", bound="Made")
D = TypeVar("D")
M = TypeVar("M")


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

_CONSTANTS = {bool, int, float, str, type(None)}


def _freeze(value: Any) -> Any:
    if type(value) in _CONSTANTS:
        return value
    if is_array(value):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(_freeze(item) for item in value)
    return value


@attrs.frozen(eq=False)
class Record:
    """How an object was made: a constructor and its arguments, defaults included.

    Two records are equal when the arguments are, by type and bits.
    """

    constructor: Callable[..., Any]
    arguments: tuple[tuple[str, Any], ...]

    def given(self) -> list[tuple[str, Any]]:
        """Return the arguments that differ from their defaults."""
        parameters = inspect.signature(self.constructor).parameters
        defaults = {name: each.default for name, each in parameters.items()}
        return [(n, v) for n, v in self.arguments if key(v) != key(defaults[n])]

    @property
    def starts_with_space(self) -> bool:
        """Whether the first two arguments are a domain and a metric."""
        names = [name for name, _ in self.arguments[:2]]
        return [name.removeprefix("input_") for name in names] == ["domain", "metric"]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Record)
            and self.constructor is other.constructor
            and key(self.arguments) == key(other.arguments)
        )

    def __hash__(self) -> int:
        try:
            return hash((self.constructor, key(self.arguments)))
        except TypeError:  # an argument, such as a dict, has no hash
            return hash(self.constructor)

    def __repr__(self) -> str:
        space = self.starts_with_space
        shown = [
            repr(v) if space and i < 2 else f"{n}={_show(v)}"
            for i, (n, v) in enumerate(self.given())
        ]
        return f"{self.constructor.__name__}({', '.join(shown)})"

    def as_step(self) -> str:
        """Return the text of this record as a link of a chain."""
        if not self.starts_with_space:
            return repr(self)
        shown = ", ".join(f"{n}={_show(v)}" for n, v in self.given()[2:])
        return f"then_{self.constructor.__name__.removeprefix('make_')}({shown})"


def _show(value: Any) -> str:
    if isinstance(value, type):
        return value.__name__
    if inspect.isroutine(value):
        return value.__qualname__
    if isinstance(value, tuple):
        inside = ", ".join(map(_show, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return shown(value) if isinstance(value, int) else printed(value)


def _local_functions(value: Any) -> Iterator[str]:
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

    record: Record | None = attrs.field(default=None, kw_only=True)

    def _with_record(self, record: Record) -> Self:
        """Return the same object with a record; what was checked stays checked."""
        stamped = object.__new__(type(self))
        for field in self.__attrs_attrs__:
            object.__setattr__(stamped, field.name, getattr(self, field.name))
        object.__setattr__(stamped, "record", record)
        return stamped

    def steps(self) -> list[Made]:
        """Return the links of a chain from the data outward, or just this object."""
        arguments = dict(self.record.arguments) if self.record else {}
        inner = arguments.get("transformation0") or arguments.get("measurement0")
        outer = (
            arguments.get("transformation1")
            or arguments.get("measurement1")
            or arguments.get("postprocess1")
        )
        if inner is None or outer is None:
            return [self]
        return [
            *inner.steps(),
            *(outer.steps() if isinstance(outer, Made) else [outer]),
        ]

    def explain(self) -> str:
        """Return, link by link from the data outward, which proof covers what.

        >>> import opendp_lite.prelude as dp
        >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
        >>> print((space >> dp.t.then_count() >> dp.m.then_laplace(scale=2)).explain())
        then_count()           proofs/transformations/make_count.tex (vetted)
        then_laplace(scale=2)  proofs/measurements/make_laplace.tex (vetted)
        >>                     proofs/core/make_chain_mt.tex (vetted)
        """
        lines = self._explained()
        width = max(len(link) for link, _ in lines)
        return "\n".join(f"{link:{width}}  {proof}" for link, proof in lines)

    def _explained(self) -> list[tuple[str, str]]:
        """Return each link with its proof; what a link was made of is set below it."""
        lines = []
        for step in self.steps():
            link, parts = _link(step), _parts(step)
            name = f"{link.partition('(')[0]}(...)" if parts else link
            lines.append((name, _proof_of(step)))
            lines += [(f"  {n}", proof) for part in parts for n, proof in part]
        return lines + [(">>", proof) for proof in sorted(self._chain_proofs())]

    def _chain_proofs(self) -> set[str]:
        """Return the proofs of the constructors that chained the links."""
        if self.record is None or self.steps() == [self]:
            return set()
        inner = (v for _, v in self.record.arguments if isinstance(v, Made))
        return {_proof_of(self)}.union(*(each._chain_proofs() for each in inner))

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
        if self.record is None:
            return self._describe_unproved()
        steps = self.steps()
        if len(steps) == 1:
            return repr(self.record)
        first = steps[0].record
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


def _parts(step: Any) -> list[Any]:
    """Return the lines of the objects that a link, which is no chain, was made of."""
    if not isinstance(step, Made) or step.record is None:
        return []
    values = [value for _, value in step.record.arguments]
    values += [item for value in values if isinstance(value, tuple) for item in value]
    return [value._explained() for value in values if isinstance(value, Made)]


def _link(step: Any) -> str:
    if isinstance(step, Made):
        return step.record.as_step() if step.record else repr(step)
    return _show(step)


def _proof_of(step: Any) -> str:
    """Return where the proof of a link stands, and what is said of it."""
    if not isinstance(step, Made):
        return "a function of the release alone"
    if step.record is None:
        return "unproved"
    make = step.record.constructor
    entry = REGISTRY[f"{make.__module__}:{make.__qualname__}"]
    if entry.proof is None:
        return "no proof"
    trust = ", conditions a person must verify" if entry.human_verified else ""
    return f"proofs/{entry.proof}.tex ({entry.status}{trust})"


def _binder(
    make: Callable[..., Any],
) -> Callable[[tuple[Any, ...], dict[str, Any]], dict[str, Any]]:
    """Return what finds the arguments of a call by name, in order, defaults included.

    It does what `inspect.Signature.bind` does, in a tenth of the time.
    """
    signature = inspect.signature(make)
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = list(signature.parameters.values())
    if any(each.kind not in named for each in parameters):
        raise TypeError(f"{make.__name__}: every parameter must have a name of its own")
    defaults = {each.name: each.default for each in parameters}
    required = {name for name, v in defaults.items() if v is inspect.Parameter.empty}
    positional = [each.name for each in parameters if each.kind is named[0]]

    def bind(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        given = dict(zip(positional, args, strict=False)) | kwargs
        once = len(given) == len(args) + len(kwargs)
        if not once or not required <= given.keys() <= defaults.keys():
            signature.bind(*args, **kwargs)  # raises, saying what is wrong
        return defaults | given

    return bind


def constructor(
    *,
    proof: str | None = None,
    status: str = "draft",
    human_verified: tuple[str, ...] = (),
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a constructor and stamp what it returns with how it was made.

    Conditions that only a person can verify are named in `human_verified`; a
    constructor that has any needs the feature `honest-but-curious`. One whose proof
    nobody but the author has refereed (`status` is "draft") needs `contrib`.
    """
    features = [] if status == "vetted" else ["contrib"]
    features += ["honest-but-curious"] if human_verified else []
    conditions = "; ".join(human_verified)
    clause = (
        f", where nobody but you can verify that {conditions}," if conditions else ""
    )

    def decorate(make: Callable[P, R]) -> Callable[P, R]:
        bind = _binder(make)
        what = f"{make.__name__}{clause}"

        def stamped(*args: P.args, **kwargs: P.kwargs) -> R:
            if features:
                assert_features(*features, what=what)
            # What the record holds is what is used, whatever becomes of a list later.
            bound = {name: _freeze(v) for name, v in bind(args, kwargs).items()}
            made: R = make(**bound)  # type: ignore[call-arg]
            return made._with_record(Record(stamped, tuple(bound.items())))

        name = f"{make.__module__}:{make.__qualname__}"
        REGISTRY[name] = Registration(stamped, proof, status, human_verified)
        return update_wrapper(stamped, make)

    return decorate


@attrs.frozen(repr=False)
class Partial(Generic[R]):
    """A constructor that waits for its domain and metric: `space >> then_x(...)`."""

    make: Callable[..., R]
    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...]
    after: tuple[Any, ...] = ()

    def __call__(self, domain: Any, metric: Any) -> R:
        """Return the object for a metric space, chained with all that comes after."""
        made: Any = self.make(domain, metric, *self.args, **dict(self.kwargs))
        for link in self.after:
            made = made >> link
        return made  # type: ignore[no-any-return]

    def __rrshift__(self, space: Any) -> R:
        if not isinstance(space, tuple) or len(space) != 2:
            return NotImplemented
        return self(*space)

    def __rshift__(self, other: Any) -> Partial[Any]:
        if isinstance(other, Partial):
            links = (attrs.evolve(other, after=()), *other.after)
        elif callable(other):
            links = (other,)
        else:
            return NotImplemented
        return attrs.evolve(self, after=(*self.after, *links))

    def __repr__(self) -> str:
        given = [_show(value) for value in self.args]
        given += [f"{name}={_show(value)}" for name, value in self.kwargs]
        first = f"then_{self.make.__name__.removeprefix('make_')}({', '.join(given)})"
        return " >> ".join([first, *map(_show, self.after)])


def then(make: Callable[Concatenate[D, M, P], R]) -> Callable[P, Partial[R]]:
    """Return the partial form of a constructor that begins with a metric space."""

    def partial(*args: P.args, **kwargs: P.kwargs) -> Partial[R]:
        return Partial(make, args, tuple(kwargs.items()))

    name = f"then_{make.__name__.removeprefix('make_')}"
    partial.__name__ = partial.__qualname__ = name
    partial.__module__ = make.__module__
    partial.__doc__ = f"Partial form of `{make.__name__}`: `space >> {name}(...)`."
    return partial
