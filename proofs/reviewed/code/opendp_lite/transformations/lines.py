# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.lines; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.containers import native
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.counting import SymmetricDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.lines import text_lines
from typing import Any

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === make_split_lines with Data, ExactDistance, native, AtomDomain, VectorDomain,
#    SymmetricDistance, Transformation, text_lines, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_split_lines() -> Transformation:
    text = AtomDomain(T=str)

    def function(arg: Data) -> Any:
        return text_lines(native(arg))

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        text,
        VectorDomain(text),
        function,
        SymmetricDistance(),
        SymmetricDistance(),
        stability_map,
    )


# === make_split_records with Data, ExactDistance, rows, refusal, AtomDomain,
#    VectorDomain, SymmetricDistance, Transformation, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_split_records(separator: str = ",") -> Transformation:
    if type(separator) is not str or not separator:
        rule, fix = "must be text of one character or more", "Pass for example ','"
        raise refusal("MakeTransformation", "separator", separator, rule, fix)
    lines = VectorDomain(AtomDomain(T=str))

    def function(arg: Data) -> Any:
        return [
            [cell.strip() for cell in line.split(separator)]
            for line in rows(arg)
        ]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        lines,
        VectorDomain(lines),
        function,
        SymmetricDistance(),
        SymmetricDistance(),
        stability_map,
    )
