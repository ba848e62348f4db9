"""Constructors, and partial constructors: the doors through which objects are made.

A constructor is a function that returns a transformation or a measurement. The
decorator `constructor` enters it in `REGISTRY` and stamps what it returns with a
`Record`: the constructor and its arguments, as they were read, once, at the door. The
outermost constructor's record wins; of a constructor that calls itself, with arguments
that are worked out further, that of the inner call.

A module's constructors are entered when it is loaded, which the prelude puts off until
one is asked for: whoever lists all of them loads the modules first.

Proof: proofs/lemmas/doors.tex
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    TypeVar,
    overload,
)

import attrs

from opendp_lite.base.features import assert_features
from opendp_lite.base.ownership import is_own, is_own_function
from opendp_lite.core.record import (
    REGISTRY,
    Made,
    Record,
    Registration,
    comparable,
    show_argument,
)
from opendp_lite.data.freezing import freeze

if TYPE_CHECKING:
    from opendp_lite.base.aliases import DataFunction
    from opendp_lite.core.domains import Domain, VectorDomain
    from opendp_lite.core.metrics import Metric

__all__ = ["REGISTRY", "OpenChain", "Partial", "Registration", "constructor", "then"]

P = ParamSpec("P")
R = TypeVar("R", bound="Made")
Q = TypeVar("Q", bound="Made")
D = TypeVar("D")
M = TypeVar("M")


def _binder(
    name: str, parameters: list[inspect.Parameter]
) -> Callable[[tuple[Any, ...], dict[str, Any]], dict[str, Any]]:
    """Return what finds the arguments of a call by name, in order, defaults included.

    It does what `inspect.Signature.bind` does, in a tenth of the time.
    """
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if any(each.kind not in named for each in parameters):
        raise TypeError(f"{name}: every parameter must have a name of its own")
    defaults = {each.name: each.default for each in parameters}
    required = {name for name, v in defaults.items() if v is inspect.Parameter.empty}
    positional = [each.name for each in parameters if each.kind is named[0]]

    def bind(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        given = dict(zip(positional, args, strict=False)) | kwargs
        once = len(given) == len(args) + len(kwargs)
        if not once or not required <= given.keys() <= defaults.keys():
            from opendp_lite.show.texts import misfit

            raise misfit(name, parameters, len(args), list(kwargs))  # proof: misfit
        return defaults | given

    return bind


def _check_citation(make: Callable[..., Any], proof: str | None) -> None:
    """Refuse a function that would be taken for another one's subject.

    A proof has the name of the function that it quotes, and a function that says that
    it stands in the library does. Whose proof is cited, `explain` says.
    """
    name = make.__name__
    if proof is not None and proof.rpartition("/")[2] != name:
        raise ValueError(
            f"{name} cites the proof {proof!r}, which is about another function: the "
            f"proof of {name} has this name"
        )
    if proof is not None and (" " in proof or not proof.isprintable()):
        raise ValueError(f"{name} cites {proof!r}, which is no path")
    if is_own(make) and not is_own_function(make):
        raise ValueError(f"{name} does not stand in {make.__module__}, as it says")


def constructor(
    *,
    proof: str | None = None,
    status: str = "draft",
    human_verified: tuple[str, ...] = (),
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that registers a constructor and records how it is called.

    What the constructor returns prints, compares and pickles by this record. A
    constructor with conditions that only a person can verify needs the feature
    `honest-but-curious`. One whose proof nobody but the author has refereed (`status`
    is "draft") needs `contrib`.

    :param proof: path of the proof below the folder of proofs, without its ending
    :param status: "draft", or "vetted" once another person has read the proof
    :param human_verified: the conditions that no code can check

    >>> constructor(status="vetted")
    Traceback (most recent call last):
        ...
    ValueError: vetted is said of a proof: name it, or say status='draft'
    """
    if status == "vetted" and proof is None:
        raise ValueError("vetted is said of a proof: name it, or say status='draft'")
    features = [] if status == "vetted" else ["contrib"]
    features += ["honest-but-curious"] if human_verified else []
    conditions = "; ".join(human_verified)
    clause = (
        f", where nobody but you can verify that {conditions}," if conditions else ""
    )

    def decorate(make: Callable[P, R]) -> Callable[P, R]:
        _check_citation(make, proof)
        parameters = list(inspect.signature(make).parameters.values())
        bind = _binder(make.__name__, parameters)
        what = f"{make.__name__}{clause}"

        def stamped(*args: P.args, **kwargs: P.kwargs) -> R:
            if features:
                assert_features(*features, what=what)  # proof: features
            # What the record holds is what is used, whatever becomes of a list later.
            given = bind(args, kwargs)  # proof: bound
            bound = {name: freeze(v, name) for name, v in given.items()}  # proof: once
            made: R = make(**bound)  # type: ignore[call-arg]  # proof: call
            if made.record is not None and made.record.constructor is stamped:
                return made  # proof: again
            return made._with_record(  # proof: stamp
                Record(stamped, tuple(bound.items()))
            )

        name = f"{make.__module__}:{make.__qualname__}"
        REGISTRY[name] = Registration(stamped, proof, status, human_verified)
        return update_wrapper(stamped, make)

    return decorate


class OpenChain:
    """A chain that is not whole yet: what `left >> chain` is, its class says.

    A transformation on the left asks its `__rrshift__`, as a space does.
    """


@attrs.frozen(repr=False)
class Partial(Generic[R]):
    """A constructor that waits for its domain and metric: `space >> then_x(...)`."""

    make: Callable[..., R]
    args: tuple[Any, ...] = attrs.field(eq=comparable)
    kwargs: tuple[tuple[str, Any], ...] = attrs.field(eq=comparable)
    after: tuple[Any, ...] = ()

    def __call__(self, domain: object, metric: object) -> R:
        """Return the object for a metric space, chained with all that comes after."""
        made: Any = self.make(domain, metric, *self.args, **dict(self.kwargs))
        for link in self.after:  # proof: links
            made = made >> link
        return made  # type: ignore[no-any-return]

    # The first says no more than the second: typing asks for two or more.
    @overload
    def __rrshift__(self, space: tuple[VectorDomain, Metric]) -> R: ...
    @overload
    def __rrshift__(self, space: tuple[Domain, Metric]) -> R: ...
    def __rrshift__(self, space: object) -> R:
        if not isinstance(space, tuple) or len(space) != 2:
            return NotImplemented
        return self(*space)

    @overload
    def __rshift__(self, other: Partial[Q]) -> Partial[Q]: ...
    @overload
    def __rshift__(self, other: Q) -> Partial[Q]: ...
    @overload
    def __rshift__(self, other: OpenChain) -> Partial[Any]: ...
    @overload
    def __rshift__(self, other: DataFunction) -> Partial[R]: ...
    def __rshift__(self, other: object) -> Partial[Any]:
        if isinstance(other, Partial):
            links = (attrs.evolve(other, after=()), *other.after)
        elif callable(other):
            links = (other,)
        else:
            return NotImplemented
        return attrs.evolve(self, after=(*self.after, *links))

    def __repr__(self) -> str:
        given = [show_argument(value) for value in self.args]
        given += [f"{name}={show_argument(value)}" for name, value in self.kwargs]
        first = f"then_{self.make.__name__.removeprefix('make_')}({', '.join(given)})"
        return " >> ".join([first, *map(show_argument, self.after)])


def then(make: Callable[Concatenate[D, M, P], R]) -> Callable[P, Partial[R]]:
    """Return the partial form of a constructor that begins with a metric space.

    It has the signature and the docstring of the constructor, without the space.

    :param make: a constructor whose first two parameters are a domain and a metric

    >>> import opendp_lite.prelude as dp
    >>> then(dp.t.make_count)()
    then_count()
    """
    name = f"then_{make.__name__.removeprefix('make_')}"
    parameters = list(inspect.signature(make).parameters.values())[2:]
    bind = _binder(name, parameters)

    def partial(*args: P.args, **kwargs: P.kwargs) -> Partial[R]:
        bind(args, kwargs)  # proof: fits
        return Partial(make, args, tuple(kwargs.items()))  # proof: kept

    partial.__name__ = partial.__qualname__ = name
    partial.__module__ = make.__module__
    about = f"Partial form of `{make.__name__}`: `space >> {name}(...)`."
    partial.__doc__ = f"{about}\n\n{inspect.getdoc(make) or ''}".rstrip()
    signature = inspect.Signature(parameters, return_annotation="Partial")
    vars(partial)["__signature__"] = signature
    return partial
