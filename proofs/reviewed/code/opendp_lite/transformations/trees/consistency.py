# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.trees.consistency; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.core.aliases import Data
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.measurement import Function
from opendp_lite.core.measurement import proved_function
from opendp_lite.core.values.type_arguments import TypeArgument
from opendp_lite.transformations.trees.releases import number_type
from opendp_lite.transformations.trees.releases import release_numbers
from typing import Any

opendp_lite.core.values.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.core.values.type_arguments.AtomType
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any


# === make_consistent_b_ary_tree with integer_argument, Function, proved_function,
#    TypeArgument, number_type, opendp_lite.core.values.type_arguments.TypeArgument
def make_consistent_b_ary_tree(
    branching_factor: int, TIA: TypeArgument = int, TOA: TypeArgument = float
) -> Function:
    fix = "Pass the number that make_b_ary_tree was given, such as 16"
    b = integer_argument(
        "MakeTransformation",
        "branching_factor",
        branching_factor,
        fix=fix,
        at_least=2,
    )
    as_number = number_type("TOA", TOA)
    proof = "transformations/make_consistent_b_ary_tree"
    return proved_function(proof, _consistent, as_number, b)


# === _consistent with Callable, mpq, Data, release_numbers, Any,
#    opendp_lite.core.aliases.Data
def _consistent(as_number: Callable[[mpq], Any], b: int, arg: Data) -> list[Any]:
    nodes = release_numbers(arg)
    return [as_number(leaf) for leaf in _leaves(nodes, b)]


# === _leaves with mpq, Any
def _leaves(nodes: list[mpq], b: int) -> list[mpq]:
    if not nodes:
        return []
    layers = _layers(nodes, b)
    means, variances = [layers[-1]], [[mpq(1)] * len(layers[-1])]
    for layer in reversed(layers[:-1]):
        sums: list[Any] = [sum(each) for each in _groups(means[0], b)]
        spreads: list[Any] = [sum(each) for each in _groups(variances[0], b)]
        up = zip(layer, sums, spreads, strict=True)
        means.insert(0, [(w * y + t) / (w + 1) for y, t, w in up])
        variances.insert(0, [w / (w + 1) for w in spreads])
    found = means[0]
    for z, variance in zip(means[1:], variances[1:], strict=True):
        groups = zip(found, _groups(z, b), _groups(variance, b), strict=True)
        found = [leaf for group in groups for leaf in _shared(*group)]
    return found


# === _shared with mpq, Any
def _shared(total: Any, means: list[mpq], variances: list[mpq]) -> list[mpq]:
    gap = (total - sum(means)) / sum(variances)
    return [z + gap * v for z, v in zip(means, variances, strict=True)]


# === _layers with mpq
def _layers(nodes: list[mpq], b: int) -> list[list[mpq]]:
    starts, width = [0], 1
    while starts[-1] + width < len(nodes):
        starts.append(starts[-1] + width)
        width *= b
    held = len(nodes) - starts[-1]
    layers = [nodes[starts[-1] :]]
    for start in reversed(starts[:-1]):
        held = -(-held // b)
        layers.insert(0, nodes[start : start + held])
    return layers


# === _groups with mpq
def _groups(layer: list[mpq], b: int) -> list[list[mpq]]:
    return [layer[i : i + b] for i in range(0, len(layer), b)]
