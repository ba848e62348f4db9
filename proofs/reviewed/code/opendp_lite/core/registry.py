# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.registry; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from functools import update_wrapper
from opendp_lite.base.features import assert_features
from opendp_lite.base.ownership import PACKAGE
from opendp_lite.base.ownership import is_own_function
from opendp_lite.core.record import REGISTRY
from opendp_lite.core.record import Record
from opendp_lite.core.record import Registration
from opendp_lite.core.record import comparable
from opendp_lite.data.freezing import freeze
from typing import Any
from typing import Concatenate
from typing import Generic
from typing import ParamSpec
from typing import TypeVar
import attrs
import inspect

opendp_lite.base.ownership.PACKAGE = __name__.partition('.')[0]
opendp_lite.core.record.REGISTRY: dict[str, opendp_lite.core.record.Registration] = {}
P = ParamSpec("P")
R = TypeVar("R", bound="Made")
D = TypeVar("D")
M = TypeVar("M")


# === _binder with Callable, Any, inspect
def _binder(
    name: str, parameters: list[inspect.Parameter]
) -> Callable[[tuple[Any, ...], dict[str, Any]], dict[str, Any]]:
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

            raise misfit(name, parameters, len(args), list(kwargs))
        return defaults | given

    return bind


# === _check_citation with Callable, PACKAGE, is_own_function, Any,
#    opendp_lite.base.ownership.PACKAGE
def _check_citation(make: Callable[..., Any], proof: str | None) -> None:
    name = make.__name__
    if proof is not None and proof.rpartition("/")[2] != name:
        raise ValueError(
            f"{name} cites the proof {proof!r}, which is about another function: the "
            f"proof of {name} has this name"
        )
    if proof is not None and (" " in proof or not proof.isprintable()):
        raise ValueError(f"{name} cites {proof!r}, which is no path")
    package = str.partition(make.__module__, ".")[0]
    if package == PACKAGE and not is_own_function(make):
        raise ValueError(f"{name} does not stand in {make.__module__}, as it says")


# === constructor with Callable, update_wrapper, assert_features, REGISTRY, Record,
#    Registration, freeze, ParamSpec, TypeVar, inspect,
#    opendp_lite.core.record.REGISTRY, P, R
def constructor(
    *,
    proof: str | None = None,
    status: str = "draft",
    human_verified: tuple[str, ...] = (),
) -> Callable[[Callable[P, R]], Callable[P, R]]:
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
                assert_features(*features, what=what)
            given = bind(args, kwargs)
            bound = {name: freeze(v, name) for name, v in given.items()}
            made: R = make(**bound)
            if made.record is not None and made.record.constructor is stamped:
                return made
            return made._with_record(
                Record(stamped, tuple(bound.items()))
            )

        name = f"{make.__module__}:{make.__qualname__}"
        REGISTRY[name] = Registration(stamped, proof, status, human_verified)
        return update_wrapper(stamped, make)

    return decorate


# === Partial.__call__ with Callable, comparable, Any, Generic, TypeVar, attrs, R
@attrs.frozen(repr=False)
class Partial(Generic[R]):
    make: Callable[..., R]
    args: tuple[Any, ...] = attrs.field(eq=comparable)
    kwargs: tuple[tuple[str, Any], ...] = attrs.field(eq=comparable)
    after: tuple[Any, ...] = ()
    def __call__(self, domain: object, metric: object) -> R:
        made: Any = self.make(domain, metric, *self.args, **dict(self.kwargs))
        for link in self.after:
            made = made >> link
        return made


# === Partial.__rrshift__ with Generic, TypeVar, attrs, R
@attrs.frozen(repr=False)
class Partial(Generic[R]):
    def __rrshift__(self, space: object) -> R:
        if not isinstance(space, tuple) or len(space) != 2:
            return NotImplemented
        return self(*space)


# === Partial.__rshift__ with comparable, Any, Generic, TypeVar, attrs, R
@attrs.frozen(repr=False)
class Partial(Generic[R]):
    args: tuple[Any, ...] = attrs.field(eq=comparable)
    kwargs: tuple[tuple[str, Any], ...] = attrs.field(eq=comparable)
    after: tuple[Any, ...] = ()
    def __rshift__(self, other: object) -> Partial[Any]:
        if isinstance(other, Partial):
            links = (attrs.evolve(other, after=()), *other.after)
        elif callable(other):
            links = (other,)
        else:
            return NotImplemented
        return attrs.evolve(self, after=(*self.after, *links))


# === then with Callable, Concatenate, ParamSpec, TypeVar, inspect, P, R, D, M
def then(make: Callable[Concatenate[D, M, P], R]) -> Callable[P, Partial[R]]:
    name = f"then_{make.__name__.removeprefix('make_')}"
    parameters = list(inspect.signature(make).parameters.values())[2:]
    bind = _binder(name, parameters)

    def partial(*args: P.args, **kwargs: P.kwargs) -> Partial[R]:
        bind(args, kwargs)
        return Partial(make, args, tuple(kwargs.items()))

    partial.__name__ = partial.__qualname__ = name
    partial.__module__ = make.__module__
    about = f"Partial form of `{make.__name__}`: `space >> {name}(...)`."
    partial.__doc__ = f"{about}\n\n{inspect.getdoc(make) or ''}".rstrip()
    signature = inspect.Signature(parameters, return_annotation="Partial")
    vars(partial)["__signature__"] = signature
    return partial
