# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/make_cast_default; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.casting:make_cast_default ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.carrier import parse_atom
from opendp_lite.core.containers import is_array
from opendp_lite.core.containers import native
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.transformation import Transformation
from opendp_lite.transformations.conversions import cast_array
from opendp_lite.transformations.conversions import row_cast
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import check_dataset
from typing import Any

def make_cast_default(
    input_domain: Domain, input_metric: Metric, TOA: Any
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    atom = atom_of(domain)
    target = parse_atom(TOA, "TOA")
    read = float if atom.T is float else native
    cast = row_cast(target)
    may_be_nan = target.T is float and (atom.T is str or atom.nan)

    def function(arg: Any) -> Any:
        if is_array(arg):
            return cast_array(arg, target)
        return [cast(x if x is None else read(x)) for x in arg]

    def stability_map(d_in: Any) -> Any:
        return d_in

    rows = AtomDomain(None, may_be_nan, target)
    output_domain = VectorDomain(rows, domain.size)
    return Transformation(
        input_domain, output_domain, function, input_metric, input_metric, stability_map
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


# === opendp_lite.transformations.datasets:atom_of ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.domain import OptionDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal

_VARIANT = "MakeTransformation"

def atom_of(domain: VectorDomain) -> AtomDomain:
    element = domain.element_domain
    atom = element.element_domain if isinstance(element, OptionDomain) else element
    if not isinstance(atom, AtomDomain):
        rule = "each row must be one value: an atom_domain, or an option_domain of one"
        fix = "Pass for example vector_domain(atom_domain(T=float))"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return atom


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
