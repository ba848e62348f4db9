"""The leaves of the consistent tree that is nearest to a noisy one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.aliases import Data
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.measurement import Function, proved_function
from opendp_lite.core.values.type_arguments import TypeArgument
from opendp_lite.transformations.trees.releases import number_type, release_numbers

__all__ = ["make_consistent_b_ary_tree"]


def make_consistent_b_ary_tree(
    branching_factor: int, TIA: TypeArgument = int, TOA: TypeArgument = float
) -> Function:
    """Return the function of a noisy tree that returns the leaves of the nearest one.

    A tree is consistent if each node is the sum of its children. Of all consistent
    trees the one is taken that is nearest in the sum of squares over all nodes, those
    without a leaf left aside. It is computed exactly; each leaf is rounded once.

    Guarantee: what comes out depends on the release alone, so that it costs no privacy.

    :param branching_factor: b, as given to `make_b_ary_tree`, at least 2
    :param TIA: not needed; OpenDP has it
    :param TOA: type of the leaves: float, or Fraction for the exact ones

    >>> import opendp_lite.prelude as dp
    >>> leaves = dp.t.make_consistent_b_ary_tree(branching_factor=2)
    >>> leaves([12, 3, 6])
    [4.0, 7.0]

    Raises `MakeTransformation` where b is less than 2, and for another type.

    Proof: proofs/transformations/make_consistent_b_ary_tree.tex
    """
    fix = "Pass the number that make_b_ary_tree was given, such as 16"
    b = integer_argument(  # proof: branching
        "MakeTransformation",
        "branching_factor",
        branching_factor,
        fix=fix,
        at_least=2,
    )
    as_number = number_type("TOA", TOA)  # proof: type
    proof = "transformations/make_consistent_b_ary_tree"
    return proved_function(proof, _consistent, as_number, b)  # proof: made


def _consistent(as_number: Callable[[mpq], Any], b: int, arg: Data) -> list[Any]:
    nodes = release_numbers(arg)  # proof: numbers
    return [as_number(leaf) for leaf in _leaves(nodes, b)]  # proof: leaves


def _leaves(nodes: list[mpq], b: int) -> list[mpq]:
    """Return the leaves of the nearest consistent tree, in two passes."""
    if not nodes:
        return []  # proof: none
    layers = _layers(nodes, b)
    means, variances = [layers[-1]], [[mpq(1)] * len(layers[-1])]  # proof: bottom
    for layer in reversed(layers[:-1]):  # proof: up
        sums: list[Any] = [sum(each) for each in _groups(means[0], b)]
        spreads: list[Any] = [sum(each) for each in _groups(variances[0], b)]
        up = zip(layer, sums, spreads, strict=True)
        means.insert(0, [(w * y + t) / (w + 1) for y, t, w in up])  # proof: mean
        variances.insert(0, [w / (w + 1) for w in spreads])  # proof: variance
    found = means[0]  # proof: root
    for z, variance in zip(means[1:], variances[1:], strict=True):  # proof: down
        groups = zip(found, _groups(z, b), _groups(variance, b), strict=True)
        found = [leaf for group in groups for leaf in _shared(*group)]  # proof: next
    return found


def _shared(total: Any, means: list[mpq], variances: list[mpq]) -> list[mpq]:
    """Return the means, moved by their variances so that they add up to the total."""
    gap = (total - sum(means)) / sum(variances)
    return [z + gap * v for z, v in zip(means, variances, strict=True)]  # proof: shares


def _layers(nodes: list[mpq], b: int) -> list[list[mpq]]:
    """Return the layers of a tree, of each only the nodes that have a leaf."""
    starts, width = [0], 1
    while starts[-1] + width < len(nodes):  # proof: deeper
        starts.append(starts[-1] + width)
        width *= b
    held = len(nodes) - starts[-1]  # proof: leaves
    layers = [nodes[starts[-1] :]]
    for start in reversed(starts[:-1]):
        held = -(-held // b)  # proof: parents
        layers.insert(0, nodes[start : start + held])  # proof: layer
    return layers


def _groups(layer: list[mpq], b: int) -> list[list[mpq]]:
    """Return the nodes of a layer, those with one parent together."""
    return [layer[i : i + b] for i in range(0, len(layer), b)]  # proof: groups
