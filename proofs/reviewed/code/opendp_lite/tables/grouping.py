# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.grouping; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from collections.abc import Sequence
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.product import ProductDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.counting import ChangeOneDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import L1Distance
from opendp_lite.core.metrics.numbers import L2Distance
from opendp_lite.core.metrics.product import ProductDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.planning import key_column
from opendp_lite.tables.planning import make_plan
from opendp_lite.tables.planning import public_keys
from opendp_lite.tables.planning import spread
from opendp_lite.tables.planning import table_space
from opendp_lite.tables.terms import Expr
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
_MAKE = "MakeTransformation"


# === make_table_group_by with Mapping, Sequence, ExactDistance, integer_argument,
#    AtomDomain, Domain, ProductDomain, VectorDomain, ChangeOneDistance, Metric,
#    L1Distance, L2Distance, ProductDistance, Transformation, Table, make_plan,
#    public_keys, spread, table_space, Expr, Any, math,
#    opendp_lite.base.aliases.ExactDistance, _MAKE
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
    space = table_space(input_domain, input_metric)
    by, found = public_keys(keys, space[0])
    plan = make_plan(
        space, by, found, sums=sums, k=k, rows=rows, groups=groups, salt=salt
    )
    fix = "Pass p=1 for Laplace noise, or p=2 for Gaussian noise"
    p = integer_argument(_MAKE, "p", p, fix=fix, at_least=1, at_most=2)
    changes = issubclass(type(input_metric), ChangeOneDistance)
    first = 1 if plan.identifier is None else 0
    sized = [(each.low, each.high, plan.rows) for each in plan.sums]
    parts = [(1, 1, 1), (1, 1, plan.rows), *sized][first:]
    units = [_unit(plan, p, changes, *part) for part in parts]
    never = [low == high == 0 for low, high, _ in parts]
    blank = (0,) * (2 + len(plan.sums))

    def function(arg: Table) -> tuple[list[int], ...]:
        totals = arg.engine.totals(arg, plan)
        entries = [totals.get(key, blank)[first:] for key in found]
        return tuple(map(list, zip(*entries, strict=True)))

    def stability_map(d_in: ExactDistance) -> Any:
        if d_in == math.inf:
            return tuple(0 if each else d_in for each in never)
        return tuple(spread(p, unit, d_in) for unit in units)

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


# === _unit with Plan
def _unit(plan: Plan, p: int, changes: bool, low: int, high: int, m: int) -> int:
    count = len(plan.keys or ())
    largest, width = max(abs(low), abs(high)), high - low
    if plan.identifier is not None:
        return int(min(plan.groups, count) * (m * largest) ** p)
    if not changes:
        return int(largest**p)
    if not plan.by:
        return int(width**p)
    pair = 2 if count > 1 else 1
    return int(max(pair * largest**p, width**p))


# === make_table_count_distinct with Mapping, Sequence, ExactDistance, integer_argument,
#    refusal, AtomDomain, Domain, VectorDomain, ChangeOneDistance, Metric, L1Distance,
#    L2Distance, Transformation, Table, key_column, make_plan, public_keys, spread,
#    table_space, Any, math, opendp_lite.base.aliases.ExactDistance, _MAKE
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
    space = table_space(input_domain, input_metric)
    by, found = public_keys(keys, space[0])
    key_column("column", column, space[0])
    if column in by:
        rule, fix = "is a key, under which it has one value", "Name another column"
        raise refusal(_MAKE, "column", column, rule, fix)
    plan = make_plan(
        space, by, found, groups=groups, salt=salt, distinct=column
    )
    fix = "Pass p=1 for Laplace noise, or p=2 for Gaussian noise"
    p = integer_argument(_MAKE, "p", p, fix=fix, at_least=1, at_most=2)
    changes = issubclass(type(input_metric), ChangeOneDistance)
    unit = plan.groups**p
    if changes and len(found) > 1:
        unit = 2

    def function(arg: Table) -> list[int]:
        totals = arg.engine.totals(arg, plan)
        return [totals.get(key, (0,))[0] for key in found]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in if d_in == math.inf else spread(p, unit, d_in)

    return Transformation(
        input_domain,
        VectorDomain(AtomDomain(T=int), len(found)),
        function,
        input_metric,
        (L1Distance if p == 1 else L2Distance)(int),
        stability_map,
    )
