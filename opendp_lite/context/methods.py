"""The methods of a query: every constructor of the library, and what is registered.

A constructor with a `then_` form takes the space from the query, and the measure, if it
asks for one and none is passed. One that takes a measurement first, such as a
conversion, takes the query's. What makes a transformation, a measurement or a function
of a release without either is chained after the query.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from inspect import Parameter, Signature
from typing import Any, Literal

import attrs

from opendp_lite import combinators, measurements, transformations
from opendp_lite.core.measures import Measure
from opendp_lite.core.registry import then
from opendp_lite.solving.links import refitted
from opendp_lite.solving.refused import ContextError, refused

_FIX = "Pass a constructor, such as make_mine(input_domain, input_metric, scale)"
# Parameters of these types are numbers, which can be searched for.
_SOLVED = ("ExactNumber", "int", "float", "Any", int, float, Any, Parameter.empty)
# What is said of names that are looked for, and near to others that do not serve.
_SERVED = {"median": "Use .private_quantile(candidates=..., alpha=0.5)."}
_NEAR = 0.75  # from where on a name is taken for another that was mistyped
_REGISTERED: dict[str, Method] = {}


@attrs.frozen
class Method:
    """A constructor as a method of queries.

    `kind` says what it gets from the query: its space, its measurement, or nothing.
    """

    name: str
    make: Callable[..., Any]
    kind: Literal["space", "measurement", "alone"]
    signature: Signature

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What is passed to it by the user of a query."""
        return tuple(self.signature.parameters.values())

    def measured(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], measure: Measure
    ) -> tuple[Any, ...]:
        """Return the arguments with the measure of the query, if none was passed."""
        first = next(iter(self.signature.parameters), None)
        if first != "output_measure" or first in kwargs:
            return args
        if args and isinstance(args[0], Measure):
            return args
        return measure.inner_measure, *args

    def missing(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
        """Return which arguments are needed and did not come, or refuse a misfit."""
        try:
            given = self.signature.bind_partial(*args, **kwargs).arguments
        except TypeError:
            from opendp_lite.show.texts import misfit

            error = misfit(self.name, [*self.parameters], len(args), [*kwargs])
            raise error from None
        return [
            each.name
            for each in self.parameters
            if each.default is Parameter.empty
            and each.name not in given
            and each.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
        ]

    def refitted(
        self, chain: Any, args: tuple[Any, ...], kwargs: dict[str, Any], missing: Any
    ) -> Any:
        """Return the chain that this link can follow, if that is another than `chain`.

        It is None otherwise, see `solving.links.refitted`.

        :param chain: of the query
        :param missing: the names of arguments that did not come; one may be solved for
        """
        if self.kind != "space" or len(missing) > 1:
            return None
        given = {**kwargs, **dict.fromkeys(missing, 1.0)}
        return refitted(chain, lambda: self.make(*args, **given))

    def solves(self, name: str) -> bool:
        """Return whether a parameter is a number, which can be searched for."""
        return self.signature.parameters[name].annotation in _SOLVED


def register(constructor: Callable[..., Any], name: str | None = None) -> None:
    """Add a constructor of one's own to the methods of queries.

    If its first two parameters are `input_domain` and `input_metric`, or its first is
    `measurement`, the query fills them in. What a query costs stays what the map of the
    measurement says. Type checkers do not know the method: annotate a query that you
    call it on as `Any`.

    :param constructor: returns a transformation, a measurement or a function of a
        release; it is called `make_...` if no name is given
    :param name: the name of the method

    >>> import opendp_lite.prelude as dp
    >>> def make_noisy_count(input_domain, input_metric, scale):
    ...     space = input_domain, input_metric
    ...     return space >> dp.t.then_count() >> dp.m.then_laplace(scale)
    >>> dp.register(make_noisy_count)
    >>> query = dp.Query(dp.space_of(list[int]), dp.max_divergence(), 1, 0.5)
    >>> query.noisy_count().param()
    2.0
    """
    if not callable(constructor):
        raise refused("constructor", constructor, "must be callable", _FIX)
    made = getattr(constructor, "__name__", "")
    if name is None:
        if not made.startswith("make_"):
            rule = "its name must begin with make_, or a name be passed"
            raise refused("constructor", constructor, rule, _FIX)
        name = made.removeprefix("make_")
    if type(name) is not str or not name.isidentifier() or name.startswith("_"):
        raise refused("name", name, "must be the name of a method", "Pass plain text")
    from opendp_lite.context.queries import Query

    if name in method_names() or hasattr(Query, name):
        raise ContextError(
            "Context",
            f"name={name!r}: queries have a method of this name already. Please choose "
            "a different name.",
        )
    try:
        _REGISTERED[name] = _method(name, constructor, own=False)
    except (TypeError, ValueError):  # of inspect
        rule = "does not tell its parameters"
        raise refused("constructor", constructor, rule, _FIX) from None
    method_named.cache_clear()


def _method(name: str, make: Callable[..., Any], own: bool) -> Method:
    """Return a constructor as a method, by its first parameters."""
    parameters = tuple(inspect.signature(make).parameters.values())
    first = [each.name for each in parameters[:2]]
    if first == ["input_domain", "input_metric"] and not own:
        return Method(name, then(make), "space", Signature(parameters[2:]))
    if first[:1] == ["measurement"]:
        return Method(name, make, "measurement", Signature(parameters[1:]))
    return Method(name, make, "alone", Signature(parameters))


@cache
def _homes() -> dict[str, tuple[Any, str]]:
    """Return where the constructor of each method is, and what it is called there."""
    return {name: home for name, home in _exported().items() if _serves(*home)}


@cache
def _exported() -> dict[str, tuple[Any, str]]:
    """Return where each constructor is, and what it is called there; load none."""
    homes: dict[str, tuple[Any, str]] = {}
    for room in (combinators, measurements, transformations):
        for start in ("make_", "then_"):
            for each in dir(room):
                if each.startswith(start):
                    homes[each.removeprefix(start)] = room, each
    del homes["canonical_noise"]  # queries have their own
    return homes


def _serves(room: Any, name: str) -> bool:
    """Return whether a constructor can be a method.

    A combinator takes objects, and a query has one: its space, which a `then_` form
    takes, or one measurement, which comes first.
    """
    if room is not combinators or name.startswith("then_"):
        return True
    return [*inspect.signature(getattr(room, name)).parameters][:1] == ["measurement"]


def method_names() -> list[str]:
    """Return the names of all methods that stand for constructors."""
    return sorted({*_homes(), *_REGISTERED})


@cache
def method_named(name: str) -> Callable[..., Any] | None:
    """Return the constructor of this name as a function of a query, or None.

    It has the signature and the docstring of the constructor.
    """
    method = _REGISTERED.get(name)
    if method is None:
        room, there = _exported().get(name, (None, ""))
        if room is None or not _serves(room, there):
            return None
        make = getattr(room, there)
        if there.startswith("then_"):
            method = Method(name, make, "space", inspect.signature(make))
        else:
            method = _method(name, make, own=True)
    taken = method

    def function(query: Any, *args: Any, **kwargs: Any) -> Any:
        return query._applied(taken, args, kwargs)

    function.__name__, function.__qualname__ = name, f"Query.{name}"
    function.__doc__ = inspect.getdoc(method.make)
    this = Parameter("self", Parameter.POSITIONAL_ONLY)
    signature = Signature([this, *method.parameters], return_annotation="Query")
    vars(function)["__signature__"] = signature
    return function


def missing_name(name: str, hint: str = "") -> AttributeError:
    """Return the error of a method that queries have not, with what may be meant.

    :param name: what was looked for
    :param hint: what to do instead, if that is known
    """
    from difflib import get_close_matches

    from opendp_lite.context.queries import Query
    from opendp_lite.show.absent import table

    own = [each for each in dir(Query) if not each.startswith("_")]
    names = [*method_names(), *own]
    near = get_close_matches(name, names, 1, _NEAR) or [
        each for each in names if name in each
    ]
    other = "Did you mean to '.release()' first? What is released is a plain value."
    if near:
        other = f"Did you mean {' or '.join(f'.{each}' for each in near)}?"
    hint = hint or table().get(f"make_{name}") or _SERVED.get(name) or other
    # No object: Python would add a guess of its own.
    text = f"a query has no method {name!r}. {hint}"
    return AttributeError(text, name=name, obj=None)
