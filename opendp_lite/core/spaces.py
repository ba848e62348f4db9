"""Shorthands: a domain from a type, a metric from a name, a space from both."""

from __future__ import annotations

from typing import Any

from opendp_lite.core import metric as metrics
from opendp_lite.core.aliases import Data
from opendp_lite.core.carrier import DEEPEST, AtomType, parse_carrier
from opendp_lite.core.containers import is_array, native
from opendp_lite.core.domain import (
    AtomDomain,
    Domain,
    VectorDomain,
    atom_domain,
    map_domain,
    option_domain,
    vector_domain,
)
from opendp_lite.core.errors import refusal
from opendp_lite.core.metric import Metric, MetricArgument
from opendp_lite.core.transformation import check_space

__all__ = ["domain_of", "metric_of", "space_of"]

_PLAIN = {
    each.__name__: each
    for each in (
        metrics.SymmetricDistance,
        metrics.InsertDeleteDistance,
        metrics.ChangeOneDistance,
        metrics.HammingDistance,
        metrics.DiscreteDistance,
    )
}
_OF_NUMBERS = {
    each.__name__: each
    for each in (
        metrics.AbsoluteDistance,
        metrics.L1Distance,
        metrics.L2Distance,
        metrics.LInfDistance,
    )
}


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
    inner = domain.element_domain if isinstance(domain, VectorDomain) else domain
    if M is None:
        if isinstance(domain, VectorDomain):
            M = metrics.SymmetricDistance
        elif isinstance(domain, AtomDomain) and domain.numeric:
            M = metrics.AbsoluteDistance
        else:
            rule = f"there is no default metric for {domain!r}"
            raise refusal("TypeParse", "M", M, rule, "Pass M, such as DiscreteDistance")
    name = M if isinstance(M, str) else getattr(M, "__name__", "")
    metric: Metric
    if name in _OF_NUMBERS and isinstance(inner, AtomDomain):
        metric = _OF_NUMBERS[name](inner.T)
    else:
        metric = metric_of(M)
    if isinstance(metric, tuple(_OF_NUMBERS.values())) and not isinstance(T, Domain):
        domain = _without_nan(domain)
    check_space(domain, metric)
    return domain, metric


def _without_nan(domain: Domain) -> Domain:
    """Number metrics measure numbers only, so the space leaves NaN out."""
    if isinstance(domain, VectorDomain):
        return VectorDomain(_without_nan(domain.element_domain), domain.size)
    if not isinstance(domain, AtomDomain) or not domain.nan:
        return domain
    return AtomDomain(domain.bounds, False, "f32" if domain.single else domain.T)


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
    return _build(_infer(T, 0) if infer else parse_carrier(T))


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
    return parse_carrier(type(native(example)))


def metric_of(M: MetricArgument) -> Metric:
    """Return the metric with this name or of this class.

    :param M: a metric, its class or its name

    >>> metric_of("SymmetricDistance")
    SymmetricDistance()
    >>> metric_of("L2Distance<f64>")
    L2Distance(T=float)
    """
    if isinstance(M, Metric):
        return M
    name = M if isinstance(M, str) else getattr(M, "__name__", None)
    if name in _PLAIN:
        return _PLAIN[name]()
    if isinstance(name, str):
        head, _, rest = name.replace(" ", "").partition("<")
        if head in _OF_NUMBERS and rest.endswith(">"):
            return _OF_NUMBERS[head](rest[:-1])
    raise refusal(
        "TypeParse",
        "M",
        M,
        "is not a metric",
        f"Pass a metric, or one of {', '.join([*_PLAIN, *_OF_NUMBERS])}",
    )
