# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/doors; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.core.freezing:freeze ===

from opendp_lite.core.containers import is_array
from opendp_lite.core.errors import OpenDPException
from opendp_lite.core.errors import refusal
from typing import Any

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_CONSTANTS = {id(kind) for kind in _PLAIN}
_DEEPEST = 16

def freeze(value: Any, name: str = "argument", depth: int = 0) -> Any:
    if id(type(value)) in _CONSTANTS:
        return value
    if depth > _DEEPEST:
        raise OpenDPException(
            "TypeParse",
            f"{name}=<{type(value).__name__}>: is nested too deeply, or contains "
            "itself. Pass a flat list.",
        )
    if is_array(value) and value.dtype.kind not in "mMV":
        return freeze(value.tolist(), name, depth + 1)
    value = _plain(_python(value))
    if issubclass(type(value), list | tuple):
        return tuple(freeze(item, name, depth + 1) for item in value)
    if issubclass(type(value), dict):
        items = [
            (freeze(key, name, depth + 1), freeze(item, name, depth + 1))
            for key, item in value.items()
        ]
        frozen = dict(items)
        if len(frozen) < len(items):
            rule = "has two keys that stand for the same value"
            raise refusal("TypeParse", name, value, rule, "Pass each key once")
        return frozen
    return value


# === opendp_lite.core.freezing:_python ===

from opendp_lite.core.containers import scalar_kind
from typing import Any

def _python(value: Any) -> Any:
    kind = scalar_kind(value)
    if kind is None or kind in "mMV" or (kind == "f" and value.itemsize < 8):
        return value
    return value.item()


# === opendp_lite.core.freezing:_plain ===

from decimal import Decimal
from fractions import Fraction
from operator import index
from typing import Any

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_CONSTANTS = {id(kind) for kind in _PLAIN}
_PARTS = (Fraction._numerator, Fraction._denominator)

def _plain(value: Any) -> Any:
    kind = type(value)
    if id(kind) in _CONSTANTS:
        return value
    if issubclass(kind, int):
        return int.__int__(value)
    if issubclass(kind, float):
        return float.__float__(value)
    if issubclass(kind, complex):
        return complex.__complex__(value)
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, bytes):
        return bytes.__bytes__(value)
    if issubclass(kind, Decimal):
        sign, digits, exponent = Decimal.as_tuple(value)
        return Decimal((sign, digits, exponent))
    if issubclass(kind, Fraction):
        n, d = (part.__get__(value) for part in _PARTS)
        return Fraction(_plain(index(n)), _plain(index(d)))
    return value


# === opendp_lite.core.registry:constructor ===

from collections.abc import Callable
from functools import update_wrapper
from opendp_lite.core.features import assert_features
from opendp_lite.core.freezing import freeze
from opendp_lite.core.made import REGISTRY
from opendp_lite.core.made import Record
from opendp_lite.core.made import Registration
from typing import ParamSpec
from typing import TypeVar

opendp_lite.core.made.REGISTRY: dict[str, opendp_lite.core.made.Registration] = {}
P = ParamSpec("P")
R = TypeVar("R", bound="Made")

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
        bind = _binder(make)
        what = f"{make.__name__}{clause}"

        def stamped(*args: P.args, **kwargs: P.kwargs) -> R:
            if features:
                assert_features(*features, what=what)
            given = bind(args, kwargs)
            bound = {name: freeze(v, name) for name, v in given.items()}
            made: R = make(**bound)
            return made._with_record(
                Record(stamped, tuple(bound.items()))
            )

        name = f"{make.__module__}:{make.__qualname__}"
        REGISTRY[name] = Registration(stamped, proof, status, human_verified)
        return update_wrapper(stamped, make)

    return decorate


# === opendp_lite.core.registry:_binder ===

from collections.abc import Callable
from typing import Any
import inspect

def _binder(
    make: Callable[..., Any],
) -> Callable[[tuple[Any, ...], dict[str, Any]], dict[str, Any]]:
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
            signature.bind(*args, **kwargs)
        return defaults | given

    return bind


# === opendp_lite.core.registry:_check_citation ===

from collections.abc import Callable
from opendp_lite.core.own import PACKAGE
from opendp_lite.core.own import is_own_function
from typing import Any

opendp_lite.core.own.PACKAGE = __name__.partition('.')[0]

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


# === opendp_lite.core.features:assert_features ===

from opendp_lite.core.errors import OpenDPException

GLOBAL_FEATURES: set[str] = set()

def assert_features(*features: str, what: str = "this") -> None:
    for feature in features:
        if feature not in GLOBAL_FEATURES:
            raise OpenDPException(
                "FeatureRequired",
                f"{what} needs the feature {feature!r}, which is not enabled. "
                f'Call enable_features("{feature}") if you accept what it stands for.',
            )


# === opendp_lite.core.made:Made._with_record ===

from typing import Self
import attrs

@attrs.frozen(eq=False, repr=False)
class Made:
    record: Record | None = attrs.field(default=None, init=False)
    def _with_record(self, record: Record) -> Self:
        stamped = object.__new__(type(self))
        for field in self.__attrs_attrs__:
            object.__setattr__(stamped, field.name, getattr(self, field.name))
        object.__setattr__(stamped, "record", record)
        return stamped


# === opendp_lite.core.made:Made.__reduce__ ===

from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Made:
    record: Record | None = attrs.field(default=None, init=False)
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


# === opendp_lite.core.made:_rebuild ===

from collections.abc import Callable
from typing import Any

def _rebuild(make: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    return make(**arguments)


# === opendp_lite.core.registry:Partial.__call__ ===

from collections.abc import Callable
from typing import Any
from typing import Generic
from typing import TypeVar
import attrs

R = TypeVar("R", bound="Made")

@attrs.frozen(repr=False)
class Partial(Generic[R]):
    make: Callable[..., R]
    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...]
    after: tuple[Any, ...] = ()
    def __call__(self, domain: Any, metric: Any) -> R:
        made: Any = self.make(domain, metric, *self.args, **dict(self.kwargs))
        for link in self.after:
            made = made >> link
        return made


# === opendp_lite.core.registry:Partial.__rrshift__ ===

from typing import Any
from typing import Generic
from typing import TypeVar
import attrs

R = TypeVar("R", bound="Made")

@attrs.frozen(repr=False)
class Partial(Generic[R]):
    def __rrshift__(self, space: Any) -> R:
        if not isinstance(space, tuple) or len(space) != 2:
            return NotImplemented
        return self(*space)


# === opendp_lite.core.registry:Partial.__rshift__ ===

from typing import Any
from typing import Generic
from typing import TypeVar
import attrs

R = TypeVar("R", bound="Made")

@attrs.frozen(repr=False)
class Partial(Generic[R]):
    after: tuple[Any, ...] = ()
    def __rshift__(self, other: Any) -> Partial[Any]:
        if isinstance(other, Partial):
            links = (attrs.evolve(other, after=()), *other.after)
        elif callable(other):
            links = (other,)
        else:
            return NotImplemented
        return attrs.evolve(self, after=(*self.after, *links))


# === opendp_lite.core.registry:then ===

from collections.abc import Callable
from typing import Concatenate
from typing import ParamSpec
from typing import TypeVar

P = ParamSpec("P")
R = TypeVar("R", bound="Made")
D = TypeVar("D")
M = TypeVar("M")

def then(make: Callable[Concatenate[D, M, P], R]) -> Callable[P, Partial[R]]:
    def partial(*args: P.args, **kwargs: P.kwargs) -> Partial[R]:
        return Partial(make, args, tuple(kwargs.items()))

    name = f"then_{make.__name__.removeprefix('make_')}"
    partial.__name__ = partial.__qualname__ = name
    partial.__module__ = make.__module__
    partial.__doc__ = f"Partial form of `{make.__name__}`: `space >> {name}(...)`."
    return partial


# === opendp_lite.core.chaining:chain_after_transformation ===

from opendp_lite.core.errors import OpenDPException
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.registry import Partial
from opendp_lite.core.transformation import Transformation
from typing import Any

def chain_after_transformation(left: Transformation, right: Any) -> Any:
    if isinstance(right, Partial):
        right = right(left.output_domain, left.output_metric)
    if isinstance(right, Measurement):
        return make_chain_mt(right, left)
    if isinstance(right, Transformation):
        return make_chain_tt(right, left)
    raise OpenDPException(
        "Unsupported",
        f"a transformation cannot be followed by a {type(right).__name__}. Only "
        "transformations and measurements may touch data that is not yet released; "
        "put functions after a measurement, or wrap one by make_user_transformation.",
    )


# === opendp_lite.core.chaining:chain_after_measurement ===

from opendp_lite.core.errors import OpenDPException
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.registry import Partial
from typing import Any

def chain_after_measurement(left: Measurement, right: Any) -> Any:
    if isinstance(right, Measurement | Partial):
        raise OpenDPException(
            "Unsupported",
            "a measurement cannot be followed by a measurement: what it releases is "
            "already private, so more noise on it buys nothing, and two releases from "
            "the same data are composed, not chained. Use a function to post-process "
            "a release, or a composition to release both.",
        )
    if callable(right):
        return make_chain_pm(right, left)
    raise OpenDPException(
        "Unsupported",
        f"a measurement cannot be followed by a {type(right).__name__}. "
        "Pass a function of the release.",
    )


# === opendp_lite.core.transformation:Transformation.__rshift__ ===

from opendp_lite.core.made import Made
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    def __rshift__(self, other: Any) -> Any:
        from opendp_lite.core.chaining import chain_after_transformation

        return chain_after_transformation(self, other)


# === opendp_lite.core.measurement:Measurement.__rshift__ ===

from opendp_lite.core.made import Made
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    def __rshift__(self, other: Any) -> Any:
        from opendp_lite.core.chaining import chain_after_measurement

        return chain_after_measurement(self, other)


# === opendp_lite.core.transformation:check_space ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import OpenDPException
from typing import Any

def check_space(domain: Any, metric: Any, name: str = "input") -> None:
    for part, value, kind in (("domain", domain, Domain), ("metric", metric, Metric)):
        if not isinstance(value, kind):
            raise OpenDPException(
                "MetricSpace",
                f"{name}_{part} is a {type(value).__name__}: must be a "
                f"{kind.__name__}. Pass for example "
                "(vector_domain(atom_domain(T=int)), symmetric_distance()).",
            )
        check_own(value)
    objection = metric.objection(domain)
    if objection is not None:
        raise OpenDPException(
            "MetricSpace",
            f"({domain!r}, {metric!r}) is not a metric space: {metric!r} cannot be "
            f"used here because {objection}. Change the {name} domain or the metric.",
        )


# === opendp_lite.core.transformation:check_own ===

from opendp_lite.core.features import assert_features
from opendp_lite.core.own import Described
from opendp_lite.core.own import foreign_part

def check_own(part: Described) -> None:
    kind = foreign_part(part)
    if kind is not None:
        what = f"{kind.__name__}, a class of which the library can prove nothing,"
        assert_features("honest-but-curious", what=what)


# === opendp_lite.core.own:foreign_part ===

from typing import Any
import attrs

def foreign_part(value: Any) -> type | None:
    if not is_own_class(type(value)):
        return type(value)
    fields = attrs.fields(type(value)) if attrs.has(type(value)) else ()
    for field in fields:
        part = getattr(value, field.name)
        if issubclass(type(part), Described):
            found = foreign_part(part)
            if found is not None:
                return found
    return None


# === opendp_lite.core.own:is_own_class ===

def is_own_class(kind: type) -> bool:
    return _is_held(kind, kind.__name__, type.__getattribute__(kind, "__module__"))


# === opendp_lite.core.own:is_own_function ===

from collections.abc import Callable
from types import FunctionType
from typing import Any
import sys

def is_own_function(function: Callable[..., Any]) -> bool:
    name: Any = getattr(function, "__module__", None)
    module = sys.modules.get(name) if _is_own_module(name) else None
    return (
        module is not None
        and type(function) is FunctionType
        and function.__globals__ is vars(module)
    )


# === opendp_lite.core.own:_is_held ===

from typing import Any
import sys

def _is_held(value: Any, name: Any, module: Any) -> bool:
    home = sys.modules.get(module) if _is_own_module(module) else None
    return home is not None and vars(home).get(name) is value


# === opendp_lite.core.own:_is_own_module ===

from typing import Any

PACKAGE = __name__.partition(".")[0]

def _is_own_module(name: Any) -> bool:
    return type(name) is str and name.partition(".")[0] == PACKAGE


# === opendp_lite.core.domain:VectorDomain.__attrs_post_init__ ===

from opendp_lite.core.atom import Domain
import attrs

@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    def __attrs_post_init__(self) -> None:
        _check_inside(element_domain=self.element_domain)


# === opendp_lite.core.domain:_check_inside ===

from opendp_lite.core.arguments import check_type
from opendp_lite.core.atom import Domain
from opendp_lite.core.carrier import DEEPEST
from opendp_lite.core.errors import refusal
from typing import Any

opendp_lite.core.carrier.DEEPEST = 64
_DOMAIN_FIX = "Pass a domain such as atom_domain(T=int)"

def _check_inside(**inner: Any) -> None:
    for name, domain in inner.items():
        check_type("MakeDomain", name, domain, Domain, _DOMAIN_FIX)
        if domain.depth >= DEEPEST:
            rule = f"domains nest at most {DEEPEST} deep"
            raise refusal("MakeDomain", name, domain, rule, _DOMAIN_FIX)


# === opendp_lite.core.domain:OptionDomain.__attrs_post_init__ ===

from opendp_lite.core.atom import Domain
import attrs

@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def __attrs_post_init__(self) -> None:
        _check_inside(element_domain=self.element_domain)


# === opendp_lite.core.domain:MapDomain.__attrs_post_init__ ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.errors import refusal
import attrs

@attrs.frozen(repr=False)
class MapDomain(Domain):
    key_domain: Domain
    value_domain: Domain
    def __attrs_post_init__(self) -> None:
        _check_inside(key_domain=self.key_domain, value_domain=self.value_domain)
        keys = self.key_domain
        inner = keys.element_domain if isinstance(keys, OptionDomain) else None
        if any(isinstance(each, AtomDomain) and each.nan for each in (keys, inner)):
            rule, fix = "keys must not be NaN", "Use atom_domain(T=float, nan=False)"
            raise refusal("MakeDomain", "key_domain", keys, rule, fix)


# === opendp_lite.core.metric:_L0PInfDistance.__attrs_post_init__ ===

from opendp_lite.core.arguments import check_type
from opendp_lite.core.distance import Metric
import attrs

@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def __attrs_post_init__(self) -> None:
        fix = "Pass absolute_distance(T=int)"
        check_type("MetricSpace", "metric", self.metric, AbsoluteDistance, fix)


# === opendp_lite.core.measure:ApproximateDivergence.__attrs_post_init__ ===

from opendp_lite.core.arguments import check_type
import attrs

_MEASURE_FIX = "Pass for example max_divergence()"

@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def __attrs_post_init__(self) -> None:
        check_type("MeasureMismatch", "inner", self.inner, Measure, _MEASURE_FIX)


# === opendp_lite.core.transformation:Transformation.__attrs_post_init__ ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.made import Made
import attrs

@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    input_domain: Domain
    output_domain: Domain
    input_metric: Metric
    output_metric: Metric
    def __attrs_post_init__(self) -> None:
        check_space(self.input_domain, self.input_metric, "input")
        check_space(self.output_domain, self.output_metric, "output")


# === opendp_lite.core.measurement:Measurement.__attrs_post_init__ ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import refusal
from opendp_lite.core.made import Made
from opendp_lite.core.measure import Measure
from opendp_lite.core.transformation import check_own
from opendp_lite.core.transformation import check_space
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_domain: Domain
    input_metric: Metric
    output_measure: Measure
    def __attrs_post_init__(self) -> None:
        check_space(self.input_domain, self.input_metric, "input")
        if not isinstance(self.output_measure, Measure):
            fix = "Pass for example max_divergence()"
            raise refusal(
                "MeasureMismatch",
                "output_measure",
                self.output_measure,
                "must be a Measure",
                fix,
            )
        check_own(self.output_measure)


# === opendp_lite.core.atom:Domain.require ===

from opendp_lite.core.own import Described
from typing import Any

class Domain(Described):
    def require(self, value: Any) -> None:
        if not self.member(value):
            self.refuse()


# === opendp_lite.core.atom:Domain.refuse ===

from opendp_lite.core.errors import OpenDPException
from opendp_lite.core.own import Described
from typing import NoReturn

class Domain(Described):
    def refuse(self) -> NoReturn:
        raise OpenDPException(
            "FailedFunction",
            f"the argument is not a member of {self!r}: a member is {self.rule()}. "
            "Nothing was computed or released. Bring raw data into the domain "
            "with total functions (make_cast_default, make_impute_constant, "
            "make_clamp), or describe it by a wider domain.",
        )


# === opendp_lite.core.transformation:Transformation.invoke ===

from collections.abc import Callable
from opendp_lite.core.atom import Domain
from opendp_lite.core.made import Made
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    input_domain: Domain
    function: Callable[[Any], Any]
    def invoke(self, arg: Any) -> Any:
        self.input_domain.require(arg)
        return self.function(arg)


# === opendp_lite.core.transformation:Transformation.__call__ ===

from opendp_lite.core.made import Made
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    def __call__(self, arg: Any) -> Any:
        return self.invoke(arg)


# === opendp_lite.core.transformation:Transformation.map ===

from collections.abc import Callable
from opendp_lite.core.distance import Metric
from opendp_lite.core.made import Made
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    input_metric: Metric
    output_metric: Metric
    stability_map: Callable[[Any], Any]
    def map(self, d_in: Any, *, exact: bool = False) -> Any:
        distance = self.stability_map(self.input_metric.parse(d_in))
        return self.output_metric.present(distance, exact)


# === opendp_lite.core.transformation:Transformation.check ===

from collections.abc import Callable
from opendp_lite.core.distance import Metric
from opendp_lite.core.made import Made
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    input_metric: Metric
    output_metric: Metric
    stability_map: Callable[[Any], Any]
    def check(self, d_in: Any, d_out: Any) -> bool:
        limit = self.output_metric.parse(d_out, "d_out")
        distance = self.stability_map(self.input_metric.parse(d_in))
        return self.output_metric.at_most(distance, limit)


# === opendp_lite.core.measurement:Measurement.invoke ===

from collections.abc import Callable
from opendp_lite.core.atom import Domain
from opendp_lite.core.made import Made
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_domain: Domain
    function: Callable[[Any], Any]
    def invoke(self, arg: Any) -> Any:
        if not self.input_domain.member(arg):
            self.input_domain.refuse()
        return self.function(arg)


# === opendp_lite.core.measurement:Measurement.__call__ ===

from collections.abc import Callable
from opendp_lite.core.atom import Domain
from opendp_lite.core.made import Made
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_domain: Domain
    function: Callable[[Any], Any]
    def __call__(self, arg: Any) -> Any:
        if not self.input_domain.member(arg):
            self.input_domain.refuse()
        return self.function(arg)


# === opendp_lite.core.measurement:Measurement.map ===

from collections.abc import Callable
from opendp_lite.core.distance import Metric
from opendp_lite.core.made import Made
from opendp_lite.core.measure import Measure
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_metric: Metric
    output_measure: Measure
    privacy_map: Callable[[Any], Any]
    def map(self, d_in: Any, *, exact: bool = False) -> Any:
        loss = self.privacy_map(self.input_metric.parse(d_in))
        return self.output_measure.present(loss, exact)


# === opendp_lite.core.measurement:Measurement.check ===

from collections.abc import Callable
from opendp_lite.core.distance import Metric
from opendp_lite.core.made import Made
from opendp_lite.core.measure import Measure
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_metric: Metric
    output_measure: Measure
    privacy_map: Callable[[Any], Any]
    def check(self, d_in: Any, d_out: Any) -> bool:
        limit = self.output_measure.parse(d_out)
        loss = self.privacy_map(self.input_metric.parse(d_in))
        return self.output_measure.at_most(loss, limit)


# === opendp_lite.core.distance:present_number ===

from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import round_up
from typing import Any

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def present_number(d: Extended, exact: bool) -> Any:
    if isinstance(d, int | float):
        return d
    return to_fraction(d) if exact else round_up(d)


# === opendp_lite.core.distance:Metric.present ===

from opendp_lite.core.own import Described
from typing import Any

class Metric(Described):
    def present(self, d: Any, exact: bool = False) -> Any:
        return present_number(d, exact)


# === opendp_lite.core.metric:_NumberMetric.present ===

from gmpy2 import mpq
from opendp_lite.core.distance import Metric
from opendp_lite.core.distance import present_number
from opendp_lite.exact.grids import ceil_multiple
from typing import Any
import attrs
import math

@attrs.frozen(repr=False)
class _NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def present(self, d: Any, exact: bool = False) -> Any:
        if self.T is int and d != math.inf:
            return ceil_multiple(mpq(d), 0)
        return (
            present_number(d, exact) if d == math.inf else present_number(mpq(d), exact)
        )


# === opendp_lite.core.metric:_L0PInfDistance.present ===

from opendp_lite.core.distance import Metric
from typing import Any
import attrs

@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def present(self, d: Any, exact: bool = False) -> Any:
        return (d[0], *(self.metric.present(part, exact) for part in d[1:]))


# === opendp_lite.core.metric:UserDistance.present ===

from gmpy2 import mpq
from opendp_lite.core.distance import Metric
from opendp_lite.core.distance import present_number
from typing import Any
import attrs

@attrs.frozen(repr=False)
class UserDistance(Metric):
    def present(self, d: Any, exact: bool = False) -> Any:
        return present_number(d, exact) if isinstance(d, int | float | mpq) else d


# === opendp_lite.core.distance:Metric.at_most ===

from opendp_lite.core.own import Described
from typing import Any

class Metric(Described):
    def at_most(self, d: Any, limit: Any) -> bool:
        return bool(d <= limit)


# === opendp_lite.core.metric:_L0PInfDistance.at_most ===

from opendp_lite.core.distance import Metric
from typing import Any
import attrs

@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    def at_most(self, d: Any, limit: Any) -> bool:
        return all(a <= b for a, b in zip(d, limit, strict=True))


# === opendp_lite.core.measure:Measure.present ===

from gmpy2 import mpq
from opendp_lite.core.distance import present_number
from opendp_lite.core.own import Described
from typing import Any
import math

class Measure(Described):
    def present(self, loss: Any, exact: bool = False) -> Any:
        return present_number(loss if loss == math.inf else mpq(loss), exact)


# === opendp_lite.core.measure:ApproximateDivergence.present ===

from typing import Any
import attrs

@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def present(self, loss: Any, exact: bool = False) -> Any:
        return self.inner.present(loss[0], exact), super().present(loss[1], exact)


# === opendp_lite.core.measure:_CurveMeasure.present ===

from opendp_lite.core.arguments import rational_argument
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs

_LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"

@attrs.frozen(repr=False)
class _CurveMeasure(Measure):
    def present(self, loss: Any, exact: bool = False) -> Any:
        def curve(point: Any) -> Any:
            at = rational_argument(
                "InvalidDistance",
                "point",
                point,
                fix=_LOSS_FIX,
                convert=to_loss,
                at_least=0,
            )
            return super(_CurveMeasure, self).present(loss(at), exact)

        return curve


# === opendp_lite.core.measure:UserDivergence.present ===

from gmpy2 import mpq
from typing import Any
import attrs

@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def present(self, loss: Any, exact: bool = False) -> Any:
        numeric = type(loss) in (int, float, mpq)
        return super().present(loss, exact) if numeric else loss


# === opendp_lite.core.measure:Measure.at_most ===

from opendp_lite.core.own import Described
from typing import Any

class Measure(Described):
    def at_most(self, loss: Any, limit: Any) -> bool:
        return bool(loss <= limit)


# === opendp_lite.core.measure:ApproximateDivergence.at_most ===

from typing import Any
import attrs

@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def at_most(self, loss: Any, limit: Any) -> bool:
        return self.inner.at_most(loss[0], limit[0]) and bool(loss[1] <= limit[1])


# === opendp_lite.core.measure:_CurveMeasure.at_most ===

from opendp_lite.core.errors import OpenDPException
from typing import Any
import attrs

@attrs.frozen(repr=False)
class _CurveMeasure(Measure):
    def at_most(self, loss: Any, limit: Any) -> bool:
        raise OpenDPException(
            "Unsupported",
            f"losses under {self!r} are curves, and curves cannot be compared at every "
            "point. Evaluate .map(d_in) at the point you need, or convert the "
            "measurement to another measure.",
        )


# === opendp_lite.core.metric:UserDistance.at_most ===

from opendp_lite.core.arguments import user_at_most
from opendp_lite.core.distance import Metric
from typing import Any
import attrs

@attrs.frozen(repr=False)
class UserDistance(Metric):
    def at_most(self, d: Any, limit: Any) -> bool:
        return user_at_most(d, limit)


# === opendp_lite.core.measure:UserDivergence.at_most ===

from opendp_lite.core.arguments import user_at_most
from typing import Any
import attrs

@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def at_most(self, loss: Any, limit: Any) -> bool:
        return user_at_most(loss, limit)


# === opendp_lite.core.arguments:user_at_most ===

from opendp_lite.core.errors import OpenDPException
from typing import Any

def user_at_most(value: Any, limit: Any) -> bool:
    for each in (value, limit):
        if issubclass(type(each), list | tuple) or _is_written_number(each):
            raise OpenDPException(
                "Unsupported",
                f"a {type(each).__name__} of this kind has no order that a distance "
                "or a loss could have. Compare the map yourself, or let it return "
                "numbers.",
            )
    return bool(value <= limit)


# === opendp_lite.core.arguments:_is_written_number ===

from opendp_lite.exact.rationals import to_extended
from typing import Any

def _is_written_number(value: Any) -> bool:
    try:
        to_extended(value)
    except (TypeError, ValueError):
        return False
    return issubclass(type(value), str)
