# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.totals; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from opendp_lite.tables.cells import PRIME
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.engine import Frame
from opendp_lite.tables.engines.engine import Totals
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.engines.waiting import Waiting
from opendp_lite.tables.steps import LIMB
from opendp_lite.tables.steps import Steps
from opendp_lite.tables.steps import joined
from opendp_lite.tables.steps import limb_count
from opendp_lite.tables.steps import limbs
from opendp_lite.tables.steps import rint
from opendp_lite.tables.terms import atom_of
from typing import Any

opendp_lite.tables.engines.engine.Frame: typing.TypeAlias = typing.Any
opendp_lite.tables.engines.engine.Totals = dict[tuple[typing.Any, ...], tuple[int, ...]]
opendp_lite.tables.steps.LIMB = 23
opendp_lite.tables.cells.PRIME = 2 ** 31 - 1


# === lazy_totals with Mapping, Plan, Frame, Totals, LazyEngine, Waiting, LIMB, joined,
#    opendp_lite.tables.engines.engine.Frame, opendp_lite.tables.engines.engine.Totals,
#    opendp_lite.tables.steps.LIMB
def lazy_totals(
    engine: LazyEngine, frame: Frame, plan: Plan, names: Mapping[str, str]
) -> Totals:
    by = [f"k{i}" for i in range(len(plan.by))]
    keys = [f"k{i}" for i in range(len(plan.cell_columns))]
    tops = {f"s{i}": each.largest for i, each in enumerate(plan.sums)}
    frame = _selected(frame, plan, names, keys)
    plain = plan.identifier is None and plan.distinct is None
    if plan.identifier is not None and plan.distinct is None:
        frame = _public(engine, _cells(engine, frame, plan, keys, tops), plan, by)
        frame = _chosen(engine, _bounded(frame, plan, keys), plan, keys)
        tops = {name: plan.rows * top for name, top in ({"n": 1} | tops).items()}
    if plan.distinct is not None:
        frame = _public(engine, _different(frame), plan, by)
        frame = _different(_chosen(engine, frame, plan, keys).select(*keys))
    frame, parts = _cut(frame, {} if engine.wide_sum else tops, by, list(tops))
    frame = _summed(engine, frame, by, [part for each in parts for part in each])
    if plain:
        frame = _public(engine, frame, plan, by)
    found: Totals = {}
    with Waiting():
        collected = engine.collect(frame)
    for row in collected:
        limbs_of = [[int(row[part] or 0) for part in each] for each in parts]
        sums = [joined(each, 1 << LIMB) for each in limbs_of]
        count = [int(row["count"] or 0)] * (2 if plain else 1)
        if count[0]:
            found[tuple(row[name] for name in by)] = (*count, *sums)
    return found


# === _selected with Mapping, Plan, Frame, Any, opendp_lite.tables.engines.engine.Frame
def _selected(
    frame: Frame, plan: Plan, names: Mapping[str, str], keys: list[str]
) -> Any:
    import narwhals.stable.v2 as nw

    pairs = zip(keys, plan.cell_columns, strict=True)
    chosen = [nw.col(names[old]).alias(new) for new, old in pairs]
    for i, each in enumerate(plan.sums):
        chosen.append(_steps(each, plan, names).alias(f"s{i}"))
    if plan.identifier is not None:
        identifier = nw.col(names[plan.identifier])
        frame = frame.filter(~identifier.is_null())
        chosen.append(identifier.alias("u"))
    chosen.append(nw.lit(1, nw.Int64).alias("one"))
    sums = [f"s{i}" for i in range(len(plan.sums))]
    person = [] if plan.identifier is None else ["u"]
    return frame.with_columns(*chosen).select(*person, *keys, *sums, "one")


# === _different with Frame, Any, opendp_lite.tables.engines.engine.Frame
def _different(frame: Frame) -> Any:
    import narwhals.stable.v2 as nw

    names = [name for name in frame.collect_schema().names() if name != "one"]
    ones = frame.group_by(*names).agg(nw.len().alias("count")).select(*names)
    return ones.with_columns(one=nw.lit(1, nw.Int64))


# === _steps with Mapping, Plan, Steps, rint, Any
def _steps(each: Steps, plan: Plan, names: Mapping[str, str]) -> Any:
    import narwhals.stable.v2 as nw

    from opendp_lite.tables.translate import translated

    value = translated(each.expr, plan.columns, names)
    if not each.real:
        return value
    steps = rint(value * nw.lit(2.0**-each.k, nw.Float64))
    if not each.whole:
        steps = _within(steps, each.low, each.high)
    return steps.cast(nw.Int64)


# === _within with Any
def _within(x: Any, low: int, high: int) -> Any:
    import narwhals.stable.v2 as nw

    least, most = nw.lit(float(low), nw.Float64), nw.lit(float(high), nw.Float64)
    upper = nw.when(x > most).then(most).otherwise(x)
    return nw.when(x < least).then(least).otherwise(upper)


# === _cut with Mapping, Frame, limb_count, limbs, Any,
#    opendp_lite.tables.engines.engine.Frame
def _cut(
    frame: Frame, tops: Mapping[str, int], kept: list[str], names: list[str]
) -> tuple[Any, list[list[str]]]:
    import narwhals.stable.v2 as nw

    columns, parts = [nw.col(name) for name in (*kept, "one")], []
    for name in names:
        count = limb_count(tops.get(name, 0))
        parts.append([f"{name}_{j}" for j in range(count)] if count > 1 else [name])
        column = nw.col(name)
        cut = limbs(column.cast(nw.Float64), count) if count > 1 else [column]
        for limb, part in zip(cut, parts[-1], strict=True):
            columns.append(limb.cast(nw.Int64).alias(part))
    return frame.select(*columns), parts


# === _summed with Frame, LazyEngine, Any, opendp_lite.tables.engines.engine.Frame
def _summed(engine: LazyEngine, frame: Frame, by: list[str], columns: list[str]) -> Any:
    import narwhals.stable.v2 as nw

    count = nw.len() if engine.wide_sum else nw.col("one").sum()
    sums = [count.alias("count"), *(nw.col(name).sum() for name in columns)]
    return frame.group_by(*by).agg(*sums) if by else frame.select(*sums)


# === _public with Plan, Frame, LazyEngine, Any, opendp_lite.tables.engines.engine.Frame
def _public(engine: LazyEngine, frame: Frame, plan: Plan, by: list[str]) -> Any:
    if plan.keys is None or not by:
        return frame
    public = dict(zip(by, map(list, zip(*plan.keys, strict=True)), strict=True))
    return engine.joined(frame, by, public, "inner")


# === _cells with Mapping, Plan, Frame, LazyEngine, LIMB, joined, Any,
#    opendp_lite.tables.engines.engine.Frame, opendp_lite.tables.steps.LIMB
def _cells(
    engine: LazyEngine,
    frame: Frame,
    plan: Plan,
    keys: list[str],
    tops: Mapping[str, int],
) -> Any:
    import narwhals.stable.v2 as nw

    frame, parts = _cut(frame, tops, ["u", *keys], list(tops))
    columns = [part for each in parts for part in each]
    frame = _summed(engine, frame, ["u", *keys], columns)
    sums = [
        joined([_double(part) for part in each], nw.lit(2.0**LIMB, nw.Float64))
        for each in parts
    ]
    named = [each.alias(f"s{i}") for i, each in enumerate(sums)]
    return frame.select("u", *keys, _double("count").alias("n"), *named)


# === _double with Any
def _double(name: str) -> Any:
    import narwhals.stable.v2 as nw

    return nw.col(name).cast(nw.Int64).cast(nw.Float64)


# === _bounded with Plan, Frame, rint, Any, opendp_lite.tables.engines.engine.Frame
def _bounded(frame: Frame, plan: Plan, keys: list[str]) -> Any:
    import narwhals.stable.v2 as nw

    m, n, most = nw.lit(float(plan.rows), nw.Float64), nw.col("n"), plan.rows
    averages, sums = [], []
    for i, each in enumerate(plan.sums):
        total = nw.col(f"s{i}")
        average = nw.when(n > m).then(total * m / n).otherwise(total)
        averages.append(average.alias(f"s{i}"))
        clipped = _within(total, most * min(each.low, 0), most * max(each.high, 0))
        sums.append(rint(clipped).cast(nw.Int64).alias(f"s{i}"))
    rows = nw.when(n > m).then(m).otherwise(n).cast(nw.Int64).alias("n")
    frame = frame.select("u", *keys, "n", *averages)
    return frame.select("u", *keys, rows, *sums, one=nw.lit(1, nw.Int64))


# === _chosen with PRIME, Plan, Frame, LazyEngine, atom_of, Any,
#    opendp_lite.tables.cells.PRIME, opendp_lite.tables.engines.engine.Frame
def _chosen(engine: LazyEngine, frame: Frame, plan: Plan, keys: list[str]) -> Any:
    import narwhals.stable.v2 as nw

    if not plan.chooses:
        return frame
    prime = nw.lit(PRIME, nw.Int64)
    old = (str(plan.identifier), *plan.cell_columns)
    frame = frame.with_columns(h=nw.lit(plan.salt % PRIME, nw.Int64))
    for name, column in zip(["u", *keys], old, strict=True):
        if atom_of(plan.columns[column]).T is str:
            frame = engine.text_code(frame, name, "code")
        else:
            frame = frame.with_columns(code=nw.col(name).cast(nw.Int64))
        h = (nw.col("h") + nw.col("code") % prime + prime) % prime
        frame = frame.with_columns(h=h)
        frame = frame.with_columns(h2=nw.col("h") * nw.col("h") % prime)
        frame = frame.with_columns(h2=nw.col("h2") * nw.col("h2") % prime)
        frame = frame.with_columns(h=nw.col("h2") * nw.col("h") % prime)
    rank = nw.col("one").cum_sum().over("u", order_by=["h", *keys])
    return frame.with_columns(rank=rank).filter(nw.col("rank") <= plan.groups)
