"""Shorthands: a domain from a type, a metric from a name, a space from both."""

from __future__ import annotations

from typing import Any, get_origin

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import is_array, native
from opendp_lite.base.errors import (
    OpenDPException,
    UnknownTypeException,
    refusal,
)
from opendp_lite.base.ownership import is_own
from opendp_lite.core.domains import (
    Domain,
    atom_domain,
    map_domain,
    option_domain,
    vector_domain,
)
from opendp_lite.core.metrics import Metric
from opendp_lite.core.metrics.metric import MetricArgument
from opendp_lite.core.transformation import check_space
from opendp_lite.data.columns import INSTALL, column_rows, reads_libraries
from opendp_lite.data.type_arguments import DEEPEST, AtomType, parse_carrier


def space_of(
    T: object, M: MetricArgument | None = None, infer: bool = False
) -> tuple[Domain, Metric]:
    """Return the metric space of a carrier type and a metric.

    Vectors get the symmetric distance and numbers the absolute distance by default.

    :param T: the carrier type, such as list[int] or "Vec<f64>", or a domain
    :param M: the metric, its class or its name; the usual one by default
    :param infer: whether T is an example of the data; only its types are looked at

    >>> space_of(list[int])
    (VectorDomain(AtomDomain(T=int)), SymmetricDistance())
    >>> space_of(list[int], "L1Distance")[1]
    L1Distance(T=int)
    """
    domain = domain_of(T, infer=infer)
    if M is None:
        M = domain.usual_metric
    if M is None:
        rule = f"there is no default metric for {domain!r}"
        raise refusal("TypeParse", "M", M, rule, "Pass M, such as DiscreteDistance")
    metric = _metric_on(domain, M) or metric_of(M)
    if not isinstance(T, Domain):
        domain = metric.measured(domain)
    check_space(domain, metric)
    return domain, metric


def _metric_on(domain: Domain, M: MetricArgument) -> Metric | None:
    """The metric of this kind, if it needs a type and the domain tells it."""
    kind, T = _kind(M), domain.atom_type
    return None if kind is None or T is None else kind.of_type(T)


def domain_of(T: object, infer: bool = False) -> Domain:
    """Return the domain of a carrier type given as a Python type or as text.

    :param T: the carrier type, such as list[int] or "Vec<f64>", or a domain
    :param infer: whether T is an example of the data; only its types are looked at

    >>> domain_of("Vec<f64>")
    VectorDomain(AtomDomain(nan=True, T=float))
    >>> domain_of(dict[str, int])
    MapDomain(AtomDomain(T=str), AtomDomain(T=int))
    >>> domain_of([1.5, 2.5], infer=True)
    VectorDomain(AtomDomain(nan=True, T=float))
    """
    if isinstance(T, Domain):
        return T
    if infer:
        return _build(_infer(column_rows(T, True), 0))
    if not isinstance(T, str | type) and get_origin(T) is None:
        rule = "is not a type: it may be data, which are not looked at"
        fix = "Pass a type, such as list[int], or an example of the data and infer=True"
        raise refusal("TypeParse", "T", type(T), rule, fix)
    return _build(parse_carrier(T))


class RuntimeType:
    """Names of types, as OpenDP's users ask for them."""

    @staticmethod
    def infer(public_example: object, py_object: bool = False) -> str:
        """Return the name of the type of an example, of which only types are read.

        :param public_example: a single value, a list, an array, a dict or a tuple
        :param py_object: whether to return "ExtrinsicObject" for all other values

        >>> RuntimeType.infer([1.5, 2.5]), RuntimeType.infer((1, "a"))
        ('Vec<float>', '(int, str)')

        Raises `UnknownTypeException` for all other values, and where an example is
        empty.
        """
        try:
            if isinstance(public_example, tuple):
                parts = (RuntimeType.infer(each, py_object) for each in public_example)
                return f"({', '.join(parts)})"
            return domain_of(public_example, infer=True).carrier_type
        except UnknownTypeException:
            if py_object:
                return "ExtrinsicObject"
            raise


def _build(tree: Any) -> Domain:
    if isinstance(tree, AtomType):
        return atom_domain(T="f32" if tree.single else tree.T, bounds=tree.bounds)
    head, *inner = tree
    parts: list[Any] = [_build(each) for each in inner]
    if head == "HashMap":
        return map_domain(*parts)
    return vector_domain(*parts) if head == "Vec" else option_domain(*parts)


def _infer(example: Data, depth: int) -> Any:
    fix = "Pass a nonempty example, or the type itself, such as list[int]"
    if depth > DEEPEST:
        rule = f"nests more than {DEEPEST} deep, or contains itself"
        raise refusal("TypeParse", "T", type(example), rule, fix)
    if is_array(example):
        kinds = {"b": bool, "i": int, "u": int, "f": float, "U": str}
        if example.dtype.kind in kinds and example.ndim == 1:
            return ("Vec", parse_carrier(kinds[example.dtype.kind]))
        raise refusal("TypeParse", "T", type(example), "has no known dtype", fix)
    if isinstance(example, list) and example:
        return ("Vec", _infer(example[0], depth + 1))
    if isinstance(example, dict) and example:
        first = next(iter(example.items()))
        return ("HashMap", *(_infer(each, depth + 1) for each in first))
    if isinstance(example, list | dict) or example is None:
        raise refusal("TypeParse", "T", type(example), "does not tell its type", fix)
    kind = type(native(example))
    try:
        return parse_carrier(kind)
    except OpenDPException:
        rule = "is neither a single value nor a list, an array or a column that is read"
        raise refusal("TypeParse", "T", kind, rule, _example_fix()) from None


def _example_fix() -> str:
    advice = (
        "Pass one column, as a list, its .tolist() or .to_numpy(), or the type itself, "
        "such as list[int]; rows that may be missing are described by list[int | None]"
    )
    if reads_libraries():
        return advice
    return f"{advice}. To read columns of pandas, Polars and PyArrow run {INSTALL}"


def metric_of(M: MetricArgument, name: str = "M") -> Metric:
    """Return the metric with this name or of this class.

    :param M: a metric, its class or its name
    :param name: name of the argument, for the message

    >>> metric_of("SymmetricDistance")
    SymmetricDistance()
    >>> metric_of("L2Distance<f64>")
    L2Distance(T=float)
    """
    if isinstance(M, Metric):
        return M
    kind = _kind(M)
    metric: Any = None if kind is None else kind.of_type(None)
    if kind is None and isinstance(M, str):
        head, _, rest = M.replace(" ", "").partition("<")
        kind = _own_kinds().get(head)
        if kind is not None and rest.endswith(">"):
            metric = kind.of_type(rest[:-1])
    if isinstance(metric, Metric):
        return metric
    fix = f"Pass a metric, or one of {', '.join(_own_kinds())}"
    raise refusal("TypeParse", name, M, "is not a metric", fix)


def _kind(M: MetricArgument) -> type[Metric] | None:
    """The class of metrics that is given, or is the library's and has this name."""
    if isinstance(M, type) and issubclass(M, Metric):
        return M
    try:
        name = M if isinstance(M, str) else getattr(M, "__name__", None)
    except Exception:  # of a class of the user's
        return None
    return _own_kinds().get(name) if isinstance(name, str) else None


def _own_kinds(base: type[Metric] = Metric) -> dict[str, type[Metric]]:
    """The library's classes of metrics that a name, or a name and a type, stands for.

    Only the library's: a name means what it means, whatever classes others define.
    """
    kinds: dict[str, type[Metric]] = {}
    # attrs makes a class twice: the second is what the module holds, and comes later.
    for kind in filter(is_own, base.__subclasses__()):
        public = not kind.__name__.startswith("_")
        measures = public and kind.distance is not Metric.distance
        if measures and (kind.of_type(None) or kind.of_type(int)):
            kinds[kind.__name__] = kind
        kinds |= _own_kinds(kind)
    return kinds
