"""Trees of counts: each node is the sum of the leaves below it, and how many it has."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Array, Data, ExactDistance
from opendp_lite.base.arguments import check_type, integer_argument
from opendp_lite.base.containers import is_array, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.metrics import L1Distance, L2Distance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.roots import root, squared

_PRECISION = 128
# From e^5 on the formula increases with b: its derivative has the sign of more than
# h^2 ((h - 2/3) - (3 h - 4/3) / ln b), and 3 h - 4/3 <= 5 (h - 2/3) for h >= 1.
_MOST = 149


def choose_branching_factor(size_guess: int) -> int:
    """Return the branching factor that makes range queries of a tree most accurate.

    It is the b from 2 to n, where n is `size_guess`, that makes (b - 1) h^3 -
    2 (b + 1) h^2 / 3 least, with h = ln n / ln b: formula (3) of Qardaji, Yang and Li,
    "Understanding hierarchical methods for differentially private histograms" (2013).
    The choice is about accuracy alone; every factor is equally private.

    :param size_guess: about how many leaves there are, at least 1

    >>> choose_branching_factor(1000)
    26

    Raises `MakeTransformation` for what is no positive integer.
    """
    fix = "Pass about how many leaves there are, such as size_guess=1000"
    n = integer_argument(
        "MakeTransformation", "size_guess", size_guess, fix=fix, at_least=1
    )
    if n <= 2:
        return 2
    spreads = {b: _spread(n, b) for b in range(2, min(n, _MOST) + 1)}
    return min(spreads, key=lambda b: spreads[b].hi)


def _spread(n: int, b: int) -> Enclosure:
    h = ln(n, _PRECISION) / ln(b, _PRECISION)
    return (b - 1) * h * h * h - (b + 1) * h * h * 2 / 3


_MAKE = "MakeTransformation"
_BRANCHING_FIX = "Pass for example branching_factor=16; choose_branching_factor helps"


@constructor(proof="transformations/make_b_ary_tree", status="vetted")
def make_b_ary_tree(
    input_domain: Domain, input_metric: Metric, leaf_count: int, branching_factor: int
) -> Transformation:
    """Return the transformation of counts into a tree of their sums.

    The tree has h layers, the least number with b^(h - 1) >= `leaf_count`, where b is
    `branching_factor`. It comes out layer by layer from the root, each from left to
    right, and in the last layer only the first `leaf_count` leaves. A leaf that the
    data do not have is 0, and what they have beyond is left out.

    Guarantee: the trees of vectors at distance at most d_in are at distance at most

    * h d_in in L1,
    * sqrt(s (k_0 + ... + k_(h-1))) in L2, exactly, where s is floor(d_in^2) and k_i is
      the least of b^i, `leaf_count` and s. So one count that moves by 1 costs sqrt(h).

    :param input_domain: vector_domain of int
    :param input_metric: l1_distance or l2_distance
    :param leaf_count: how many leaves the tree has, from 1 to 2^61
    :param branching_factor: b, how many nodes are summed up in one, at least 2

    >>> import opendp_lite.prelude as dp
    >>> counts = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    >>> tree = counts >> dp.t.then_b_ary_tree(leaf_count=4, branching_factor=2)
    >>> tree([1, 2, 3, 4]), tree.map(1)
    ([10, 3, 7, 1, 2, 3, 4], 3)

    An array comes out as an array where the bounds of the domain say that no sum
    leaves the 64-bit integers, and otherwise as a list.

    Raises `MakeTransformation` for another space, and for numbers that are too small,
    or more leaves.

    Proof: proofs/transformations/make_b_ary_tree.tex
    """
    atom = _check_counts(input_domain)  # proof: domain
    fix = "Pass l1_distance(T=int) or l2_distance(T=float)"
    kinds = (L1Distance, L2Distance)
    check_type(_MAKE, "input_metric", input_metric, kinds, fix)  # proof: metric
    fix = "Pass the number of counts, such as leaf_count=100"
    n = integer_argument(  # proof: leaves
        _MAKE, "leaf_count", leaf_count, fix=fix, at_least=1, at_most=2**61
    )
    b = integer_argument(  # proof: branching
        _MAKE, "branching_factor", branching_factor, fix=_BRANCHING_FIX, at_least=2
    )
    sizes = tree_sizes(n, b)  # proof: sizes
    size = sum(sizes[:-1]) + n  # proof: size
    bounds = atom.bounds or (-math.inf, math.inf)
    short = max(map(abs, bounds)) * n < 2**63  # proof: short

    def function(arg: Data) -> Any:
        if is_array(arg) and short:
            return _array_tree(arg, n, sizes)  # proof: array
        leaves = rows(arg)[:n]  # proof: leaves-held
        leaves += [0] * (n - len(leaves))  # proof: leaves-missing
        return [*_inner_nodes(leaves, sizes), *leaves]  # proof: list

    def stability_map(d_in: ExactDistance) -> Any:
        if d_in == math.inf:
            return math.inf  # proof: infinite
        if isinstance(input_metric, L1Distance):
            return len(sizes) * d_in  # proof: l1
        s = floor_multiple(mpq(squared(d_in)), 0)  # proof: entries
        return root(s * sum(min(width, n, s) for width in sizes))  # proof: l2

    return Transformation(
        input_domain,
        VectorDomain(AtomDomain(T=int), size),  # proof: output
        function,
        input_metric,
        input_metric,
        stability_map,
    )


then_b_ary_tree = then(make_b_ary_tree)


def tree_sizes(leaf_count: int, branching_factor: int) -> list[int]:
    """Return how many nodes each layer has, 1, b, b^2, ..., up to the leaves."""
    sizes = [1]
    while sizes[-1] < leaf_count:  # proof: enough
        sizes.append(sizes[-1] * branching_factor)
    return sizes


def _check_counts(domain: object) -> AtomDomain:
    """Return the domain of the entries of vectors, which are integers."""
    fix = "Pass for example vector_domain(atom_domain(T=int))"
    check_type(_MAKE, "input_domain", domain, VectorDomain, fix)  # proof: vectors
    assert isinstance(domain, VectorDomain)
    atom = domain.element_domain
    if not isinstance(atom, AtomDomain) or atom.T is not int:  # proof: integers
        rule = "entries must be integers"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    return atom


def _inner_nodes(leaves: list[int], sizes: list[int]) -> Iterator[int]:
    """Yield all nodes but the leaves: differences of one running sum."""
    run = [0, *accumulate(leaves)]  # proof: run
    for size in sizes[:-1]:
        marks = run[:: sizes[-1] // size]  # proof: marks
        marks += [run[-1]] * (size + 1 - len(marks))  # proof: filled
        yield from (right - left for left, right in pairwise(marks))  # proof: nodes


def _array_tree(array: Array, leaf_count: int, sizes: list[int]) -> Any:
    """As the list of nodes, in int64."""
    import numpy

    end = sum(sizes[:-1])
    nodes = numpy.zeros(end + leaf_count, numpy.int64)
    layer, held = nodes[end:], array[:leaf_count]
    layer[: len(held)] = held  # proof: held
    step = min(sizes[1], leaf_count) if len(sizes) > 1 else 1
    for size in reversed(sizes[:-1]):
        firsts = numpy.arange(0, len(layer), step)  # proof: firsts
        layer = numpy.add.reduceat(layer, firsts)  # proof: sums
        end -= size
        nodes[end : end + len(layer)] = layer  # proof: layer
    return nodes
