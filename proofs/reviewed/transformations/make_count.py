# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/make_count; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.counting:make_count ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.carrier import parse_atom
from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import refusal
from opendp_lite.core.metric import AbsoluteDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.datasets import check_dataset
from typing import Any
import math

def make_count(
    input_domain: Domain, input_metric: Metric, TO: Any = int
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    output = AtomDomain(T=parse_atom(TO, "TO"))
    if output.T is not int:
        rule, fix = "a count is an integer", "Pass TO=int, or leave it out"
        raise refusal("MakeTransformation", "TO", TO, rule, fix)
    top = math.inf if output.bounds is None else output.bounds[1]
    one_size = domain.size is not None

    def function(arg: Any) -> Any:
        return min(len(arg), top)

    def stability_map(d_in: Any) -> Any:
        if one_size or (changes_rows(input_metric) and d_in != math.inf):
            return 0
        return d_in

    return Transformation(
        input_domain,
        output,
        function,
        input_metric,
        AbsoluteDistance(int),
        stability_map,
    )


# === opendp_lite.transformations.datasets:check_dataset ===

from opendp_lite.core.arguments import check_type
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import ChangeOneDistance
from opendp_lite.core.distance import HammingDistance
from opendp_lite.core.distance import InsertDeleteDistance
from opendp_lite.core.distance import Metric
from opendp_lite.core.distance import SymmetricDistance
from opendp_lite.core.domain import VectorDomain

_VARIANT = "MakeTransformation"
_ROW_METRICS = (
    SymmetricDistance,
    InsertDeleteDistance,
    ChangeOneDistance,
    HammingDistance,
)

def check_dataset(input_domain: Domain, input_metric: Metric) -> VectorDomain:
    fix = "Pass for example vector_domain(atom_domain(T=int))"
    check_type(
        _VARIANT, "input_domain", input_domain, VectorDomain, fix
    )
    fix = "Pass for example symmetric_distance()"
    check_type(
        _VARIANT, "input_metric", input_metric, _ROW_METRICS, fix
    )
    assert isinstance(input_domain, VectorDomain)
    return input_domain


# === opendp_lite.transformations.datasets:changes_rows ===

from opendp_lite.core.distance import ChangeOneDistance
from opendp_lite.core.distance import HammingDistance
from opendp_lite.core.distance import Metric

def changes_rows(metric: Metric) -> bool:
    return isinstance(metric, ChangeOneDistance | HammingDistance)


# === opendp_lite.core.carrier:parse_atom ===

from fractions import Fraction
from opendp_lite.core.errors import refusal
from typing import Any
import types

_NAMED: dict[Any, AtomType] = {
    **{T: AtomType(T) for T in (bool, int, float, str, Fraction)},
    **{T.__name__: AtomType(T) for T in (bool, int, float, str, Fraction)},
    "String": AtomType(str),
    "f64": AtomType(float),
    "f32": AtomType(float, single=True),
    **{f"i{bits}": _sized(bits, True) for bits in (8, 16, 32, 64, 128)},
    **{f"u{bits}": _sized(bits, False) for bits in (8, 16, 32, 64, 128)},
    "isize": _sized(64, True),
    "usize": _sized(64, False),
}
_ATOMS = _NAMED | {atom: atom for atom in _NAMED.values()}
_FIX = "Pass one of bool, int, float, str, Fraction, or a name such as 'i32' or 'f64'"

def parse_atom(descriptor: Any, argument: str = "T") -> AtomType:
    try:
        return _ATOMS[descriptor]
    except (KeyError, TypeError):
        if not isinstance(descriptor, str | type | types.GenericAlias):
            descriptor = type(descriptor)
        raise refusal(
            "TypeParse", argument, descriptor, "is not an element type", _FIX
        ) from None


# === opendp_lite.core.carrier:_sized ===

def _sized(bits: int, signed: bool) -> AtomType:
    top = 1 << (bits - signed)
    return AtomType(int, (-top if signed else 0, top - 1))
