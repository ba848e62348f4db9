"""Group-bys with public keys: exact vectors, and how far a person moves them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.domains.product import ProductDomain
from opendp_lite.core.metrics import (
    ChangeOneDistance,
    L1Distance,
    L2Distance,
    Metric,
)
from opendp_lite.core.metrics.product import ProductDistance
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.planning import (
    key_column,
    make_plan,
    public_keys,
    spread,
    table_space,
)
from opendp_lite.tables.terms import Expr

_MAKE = "MakeTransformation"


@constructor(proof="tables/make_table_group_by", status="vetted")
def make_table_group_by(
    input_domain: Domain,
    input_metric: Metric,
    keys: Mapping[Any, Sequence[Any]],
    sums: Mapping[str, Expr],
    *,
    p: int = 1,
    rows: int = 1,
    groups: int = 1,
    salt: int = 0,
    k: Mapping[str, int] | None = None,
) -> Transformation:
    """Return the transformation of a table into vectors of exact integers, by key.

    There is a vector of the number of people under each key (where the metric has an
    identifier), one of the number of rows, and one for each of the sums, all in the
    order of the keys. What a person adds is bounded in this very step: the rows of a
    person under one key that are more than `rows` count as `rows` of them, of the same
    average, and of the keys that a person has, `groups` count, whose choice depends on
    the person and these keys alone. Rows without an identifier do not count.

    Guarantee: let c be the lesser of `groups` and the number of keys, m be `rows`, and
    a and b the least and the most that an expression of a sum can be, in steps, and
    M = max(|a|, |b|); for numbers of rows a = b = 1. For tables at distance at most
    d_in the vectors are in L1 (or in L2, if `p` is 2) at distance at most

    * with an identifier, c d_in (sqrt(c) d_in) for people, m times that for rows, and
      m M times that for a sum,
    * under the symmetric distance M d_in,
    * under the change-one distance 2 M d_in (max(sqrt(2) M, b - a) d_in); with one key
      only max(M, b - a) d_in, and without keys (b - a) d_in, which is 0 for the number
      of rows: it is known then.

    A sum is in steps: of 1 for integers, and for floats of 2^k, to which they are
    rounded as in `make_sum`.

    :param input_domain: table_domain of declared columns
    :param input_metric: symmetric_id_distance(...), symmetric_distance() or
        change_one_distance()
    :param keys: a dict of columns and lists of their public values, whose product is
        the keys; a tuple of columns stands for a list of tuples. With {} all rows are
        one group. Rows of other keys do not count, and absent keys have 0
    :param sums: a dict of names and expressions with finite bounds
    :param p: 1 for the L1, 2 for the L2 distance of vectors
    :param rows: how many rows of a person count under one key
    :param groups: how many keys of a person count
    :param salt: any integer; another one chooses other keys of a person
    :param k: a dict of names of sums of floats and exponents of their grids; by default
        2^k is 2^-40 of the least power of two that both bounds are within, or less
        where no multiple of that lies between them

    >>> import opendp_lite.prelude as dp
    >>> years = dp.option_domain(dp.atom_domain(T="i64"))
    >>> domain = dp.table_domain({"id": dp.atom_domain(T="i64"), "age": years})
    >>> age = dp.col("age").fill_null(0).clip(0, 120)
    >>> space = domain, dp.symmetric_id_distance("id")
    >>> totals = space >> dp.t.then_table_group_by({}, {"age": age}, rows=2)
    >>> totals({"id": [1, 1, 2], "age": [30, 32, None]})
    ([2], [3], [62])
    >>> totals.map(1)
    (1, 2, 240)

    Raises `MakeTransformation` for another space, keys that are no values of their
    columns, or not different, and sums that have no finite bounds or could overflow.

    Proof: proofs/tables/make_table_group_by.tex
    """
    space = table_space(input_domain, input_metric)  # proof: space
    by, found = public_keys(keys, space[0])  # proof: keys
    plan = make_plan(  # proof: plan
        space, by, found, sums=sums, k=k, rows=rows, groups=groups, salt=salt
    )
    fix = "Pass p=1 for Laplace noise, or p=2 for Gaussian noise"
    p = integer_argument(_MAKE, "p", p, fix=fix, at_least=1, at_most=2)  # proof: p
    changes = isinstance(input_metric, ChangeOneDistance)
    first = 1 if plan.identifier is None else 0  # proof: first
    sized = [(each.low, each.high, plan.rows) for each in plan.sums]
    parts = [(1, 1, 1), (1, 1, plan.rows), *sized][first:]  # proof: parts
    units = [_unit(plan, p, changes, *part) for part in parts]  # proof: units
    never = [low == high == 0 for low, high, _ in parts]  # proof: never
    blank = (0,) * (2 + len(plan.sums))

    def function(arg: Table) -> tuple[list[int], ...]:
        totals = arg.engine.totals(arg, plan)  # proof: totals
        entries = [totals.get(key, blank)[first:] for key in found]  # proof: entries
        return tuple(map(list, zip(*entries, strict=True)))  # proof: vectors

    def stability_map(d_in: ExactDistance) -> Any:
        if d_in == math.inf:
            return tuple(0 if each else d_in for each in never)  # proof: infinite
        return tuple(spread(p, unit, d_in) for unit in units)  # proof: map

    vectors = VectorDomain(AtomDomain(T=int), len(found))
    metric = (L1Distance if p == 1 else L2Distance)(int)
    return Transformation(
        input_domain,
        ProductDomain((vectors,) * len(parts)),
        function,
        input_metric,
        ProductDistance((metric,) * len(parts)),
        stability_map,
    )


def _unit(plan: Plan, p: int, changes: bool, low: int, high: int, m: int) -> int:
    """Return how far one person or row moves a vector in Lp, to the power of p.

    Each of at most m rows adds from `low` to `high`.
    """
    count = len(plan.keys or ())
    largest, width = max(abs(low), abs(high)), high - low
    if plan.identifier is not None:
        return int(min(plan.groups, count) * (m * largest) ** p)  # proof: people
    if not changes:
        return int(largest**p)  # proof: rows
    if not plan.by:
        return int(width**p)  # proof: total
    pair = 2 if count > 1 else 1
    return int(max(pair * largest**p, width**p))  # proof: changed


then_table_group_by = then(make_table_group_by)


@constructor(proof="tables/make_table_count_distinct", status="vetted")
def make_table_count_distinct(
    input_domain: Domain,
    input_metric: Metric,
    keys: Mapping[Any, Sequence[Any]],
    column: str,
    *,
    p: int = 1,
    groups: int = 1,
    salt: int = 0,
) -> Transformation:
    """Return the transformation of a table into numbers of different values, by key.

    The vector tells for each key how many different values a column has in the rows
    under it. Where the metric has an identifier, `groups` of the different pairs of a
    key and a value that a person has count, and their choice depends on the person and
    on these pairs alone.

    Guarantee: for tables at distance at most d_in the vectors are in L1 (or in L2, if
    `p` is 2) at distance at most

    * with an identifier, groups d_in,
    * under the symmetric distance, and under the change-one distance if there is one
      key or none, d_in,
    * under the change-one distance otherwise 2 d_in (sqrt(2) d_in).

    :param input_domain: table_domain of declared columns
    :param input_metric: symmetric_id_distance(...), symmetric_distance() or
        change_one_distance()
    :param keys: a dict of columns and lists of their public values, whose product is
        the keys; a tuple of columns stands for a list of tuples. With {} all rows are
        one group
    :param column: whose values are counted: of int, bool or text, never missing
    :param p: 1 for the L1, 2 for the L2 distance of vectors
    :param groups: how many pairs of a key and a value of a person count
    :param salt: any integer; another one chooses other pairs of a person

    >>> import opendp_lite.prelude as dp
    >>> domain = dp.table_domain({
    ...     "id": dp.atom_domain(T="i64"), "item": dp.atom_domain(T=str)
    ... })
    >>> space = domain, dp.symmetric_id_distance("id")
    >>> items = space >> dp.t.then_table_count_distinct({}, "item", groups=2)
    >>> items({"id": [1, 1, 2], "item": ["tea", "rice", "tea"]}), items.map(1)
    ([2], 2)

    Raises `MakeTransformation` for another space, keys that are no values of their
    columns, or not different, and a column that is missing, of floats, or a key.

    Proof: proofs/tables/make_table_count_distinct.tex
    """
    space = table_space(input_domain, input_metric)  # proof: space
    by, found = public_keys(keys, space[0])  # proof: keys
    key_column("column", column, space[0])  # proof: column
    if column in by:  # proof: other
        rule, fix = "is a key, under which it has one value", "Name another column"
        raise refusal(_MAKE, "column", column, rule, fix)
    plan = make_plan(  # proof: plan
        space, by, found, groups=groups, salt=salt, distinct=column
    )
    fix = "Pass p=1 for Laplace noise, or p=2 for Gaussian noise"
    p = integer_argument(_MAKE, "p", p, fix=fix, at_least=1, at_most=2)  # proof: p
    changes = isinstance(input_metric, ChangeOneDistance)
    unit = plan.groups**p  # proof: unit
    if changes and len(found) > 1:
        unit = 2  # proof: pair

    def function(arg: Table) -> list[int]:
        totals = arg.engine.totals(arg, plan)  # proof: totals
        return [totals.get(key, (0,))[0] for key in found]  # proof: vector

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in if d_in == math.inf else spread(p, unit, d_in)  # proof: map

    return Transformation(
        input_domain,
        VectorDomain(AtomDomain(T=int), len(found)),
        function,
        input_metric,
        (L1Distance if p == 1 else L2Distance)(int),
        stability_map,
    )


then_table_count_distinct = then(make_table_count_distinct)
