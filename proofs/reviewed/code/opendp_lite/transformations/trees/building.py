# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.trees.building; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterator
from gmpy2 import mpq
from itertools import accumulate
from itertools import pairwise
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import L1Distance
from opendp_lite.core.metrics.numbers import L2Distance
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.roots import root
from opendp_lite.exact.roots import squared
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeTransformation"
_BRANCHING_FIX = "Pass for example branching_factor=16; choose_branching_factor helps"
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)


# === make_b_ary_tree with mpq, Data, ExactDistance, check_type, integer_argument,
#    is_array, rows, AtomDomain, Domain, VectorDomain, Metric, L1Distance, L2Distance,
#    Transformation, floor_multiple, root, squared, Any, math,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE,
#    _BRANCHING_FIX
def make_b_ary_tree(
    input_domain: Domain, input_metric: Metric, leaf_count: int, branching_factor: int
) -> Transformation:
    atom = _check_counts(input_domain)
    fix = "Pass l1_distance(T=int) or l2_distance(T=float)"
    kinds = (L1Distance, L2Distance)
    check_type(_MAKE, "input_metric", input_metric, kinds, fix)
    fix = "Pass the number of counts, such as leaf_count=100"
    n = integer_argument(
        _MAKE, "leaf_count", leaf_count, fix=fix, at_least=1, at_most=2**61
    )
    b = integer_argument(
        _MAKE, "branching_factor", branching_factor, fix=_BRANCHING_FIX, at_least=2
    )
    sizes = tree_sizes(n, b)
    size = sum(sizes[:-1]) + n
    bounds = atom.bounds or (-math.inf, math.inf)
    short = max(map(abs, bounds)) * n < 2**63

    def function(arg: Data) -> Any:
        if is_array(arg) and short:
            return _array_tree(arg, n, sizes)
        leaves = rows(arg)[:n]
        leaves += [0] * (n - len(leaves))
        return [*_inner_nodes(leaves, sizes), *leaves]

    def stability_map(d_in: ExactDistance) -> Any:
        if d_in == math.inf:
            return math.inf
        if isinstance(input_metric, L1Distance):
            return len(sizes) * d_in
        s = floor_multiple(mpq(squared(d_in)), 0)
        return root(s * sum(min(width, n, s) for width in sizes))

    return Transformation(
        input_domain,
        VectorDomain(AtomDomain(T=int), size),
        function,
        input_metric,
        input_metric,
        stability_map,
    )


# === tree_sizes
def tree_sizes(leaf_count: int, branching_factor: int) -> list[int]:
    sizes = [1]
    while sizes[-1] < leaf_count:
        sizes.append(sizes[-1] * branching_factor)
    return sizes


# === _check_counts with check_type, refusal, AtomDomain, VectorDomain, _MAKE
def _check_counts(domain: object) -> AtomDomain:
    fix = "Pass for example vector_domain(atom_domain(T=int))"
    check_type(_MAKE, "input_domain", domain, VectorDomain, fix)
    assert isinstance(domain, VectorDomain)
    atom = domain.element_domain
    if not isinstance(atom, AtomDomain) or atom.T is not int:
        rule = "entries must be integers"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    return atom


# === _inner_nodes with Iterator, accumulate, pairwise
def _inner_nodes(leaves: list[int], sizes: list[int]) -> Iterator[int]:
    run = [0, *accumulate(leaves)]
    for size in sizes[:-1]:
        marks = run[:: sizes[-1] // size]
        marks += [run[-1]] * (size + 1 - len(marks))
        yield from (right - left for left, right in pairwise(marks))


# === _array_tree with Array, Any, ?
def _array_tree(array: Array, leaf_count: int, sizes: list[int]) -> Any:
    import numpy

    end = sum(sizes[:-1])
    nodes = numpy.zeros(end + leaf_count, numpy.int64)
    layer, held = nodes[end:], array[:leaf_count]
    layer[: len(held)] = held
    step = min(sizes[1], leaf_count) if len(sizes) > 1 else 1
    for size in reversed(sizes[:-1]):
        firsts = numpy.arange(0, len(layer), step)
        layer = numpy.add.reduceat(layer, firsts)
        end -= size
        nodes[end : end + len(layer)] = layer
    return nodes
