"""The same integers as `Plan.meaning`, asked of an engine in Narwhals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from opendp_lite.tables.cells import PRIME, Plan
from opendp_lite.tables.engines.engine import Frame, Totals
from opendp_lite.tables.engines.waiting import Waiting
from opendp_lite.tables.steps import LIMB, Steps, joined, limb_count, limbs, rint
from opendp_lite.tables.terms import atom_of

if TYPE_CHECKING:
    from opendp_lite.tables.engines.lazy import LazyEngine


def lazy_totals(
    engine: LazyEngine, frame: Frame, plan: Plan, names: Mapping[str, str]
) -> Totals:
    """Return what `plan.meaning` returns of the rows of the frame.

    :param frame: a lazy frame of Narwhals
    :param names: what the columns of the table are called in the frame
    """
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
        frame = _public(engine, _different(frame), plan, by)  # proof: pairs
        frame = _different(_chosen(engine, frame, plan, keys).select(*keys))
    frame, parts = _cut(frame, {} if engine.wide_sum else tops, by, list(tops))
    frame = _summed(engine, frame, by, [part for each in parts for part in each])
    if plain:
        frame = _public(engine, frame, plan, by)  # proof: after
    found: Totals = {}
    with Waiting():
        collected = engine.collect(frame)
    for row in collected:
        limbs_of = [[int(row[part] or 0) for part in each] for each in parts]
        sums = [joined(each, 1 << LIMB) for each in limbs_of]  # proof: joined
        count = [int(row["count"] or 0)] * (2 if plain else 1)
        if count[0]:  # proof: met
            found[tuple(row[name] for name in by)] = (*count, *sums)
    return found


def _selected(
    frame: Frame, plan: Plan, names: Mapping[str, str], keys: list[str]
) -> Any:
    """Return the frame with our columns only, of rows whose identifier is present."""
    import narwhals.stable.v2 as nw

    pairs = zip(keys, plan.cell_columns, strict=True)
    chosen = [nw.col(names[old]).alias(new) for new, old in pairs]
    for i, each in enumerate(plan.sums):
        chosen.append(_steps(each, plan, names).alias(f"s{i}"))
    if plan.identifier is not None:
        identifier = nw.col(names[plan.identifier])
        frame = frame.filter(~identifier.is_null())  # proof: missing
        chosen.append(identifier.alias("u"))
    chosen.append(nw.lit(1, nw.Int64).alias("one"))
    sums = [f"s{i}" for i in range(len(plan.sums))]
    person = [] if plan.identifier is None else ["u"]
    # Where all columns are constants, a selection alone would have one row.
    return frame.with_columns(*chosen).select(*person, *keys, *sums, "one")


def _different(frame: Frame) -> Any:
    """Return the different rows of a frame of keys, each once."""
    import narwhals.stable.v2 as nw

    names = [name for name in frame.collect_schema().names() if name != "one"]
    ones = frame.group_by(*names).agg(nw.len().alias("count")).select(*names)
    return ones.with_columns(one=nw.lit(1, nw.Int64))


def _steps(each: Steps, plan: Plan, names: Mapping[str, str]) -> Any:
    """Return the column of the steps of the rows: int64."""
    import narwhals.stable.v2 as nw

    from opendp_lite.tables.translate import translated

    value = translated(each.expr, plan.columns, names)
    if not each.real:
        return value  # proof: integers
    steps = rint(value * nw.lit(2.0**-each.k, nw.Float64))  # proof: steps
    if not each.whole:  # where they are, an engine is spared two comparisons of a row
        steps = _within(steps, each.low, each.high)  # proof: range
    return steps.cast(nw.Int64)  # proof: cast


def _within(x: Any, low: int, high: int) -> Any:
    """Return doubles brought between two integers."""
    import narwhals.stable.v2 as nw

    least, most = nw.lit(float(low), nw.Float64), nw.lit(float(high), nw.Float64)
    upper = nw.when(x > most).then(most).otherwise(x)
    return nw.when(x < least).then(least).otherwise(upper)


def _cut(
    frame: Frame, tops: Mapping[str, int], kept: list[str], names: list[str]
) -> tuple[Any, list[list[str]]]:
    """Return the frame with integers in limbs, and which limbs each has.

    :param tops: the greatest magnitude of columns; what is not in it stays whole
    :param kept: columns that are not to be summed
    :param names: columns that are
    """
    import narwhals.stable.v2 as nw

    columns, parts = [nw.col(name) for name in (*kept, "one")], []
    for name in names:
        count = limb_count(tops.get(name, 0))
        parts.append([f"{name}_{j}" for j in range(count)] if count > 1 else [name])
        column = nw.col(name)
        cut = limbs(column.cast(nw.Float64), count) if count > 1 else [column]
        for limb, part in zip(cut, parts[-1], strict=True):
            columns.append(limb.cast(nw.Int64).alias(part))  # proof: limbs
    return frame.select(*columns), parts


def _summed(engine: LazyEngine, frame: Frame, by: list[str], columns: list[str]) -> Any:
    """Return the number of rows and the sums of columns, by key."""
    import narwhals.stable.v2 as nw

    # The number of rows has 32 bits on Polars: there it is a sum of ones.
    count = nw.len() if engine.wide_sum else nw.col("one").sum()
    sums = [count.alias("count"), *(nw.col(name).sum() for name in columns)]
    return frame.group_by(*by).agg(*sums) if by else frame.select(*sums)


def _public(engine: LazyEngine, frame: Frame, plan: Plan, by: list[str]) -> Any:
    """Return the frame without the keys that are not public."""
    if plan.keys is None or not by:
        return frame
    public = dict(zip(by, map(list, zip(*plan.keys, strict=True)), strict=True))
    return engine.joined(frame, by, public, "inner")


def _cells(
    engine: LazyEngine,
    frame: Frame,
    plan: Plan,
    keys: list[str],
    tops: Mapping[str, int],
) -> Any:
    """Return a row for each person and key: `count` rows, and sums as doubles.

    Sums have limbs on every engine, so that all round them to the same doubles.
    """
    import narwhals.stable.v2 as nw

    frame, parts = _cut(frame, tops, ["u", *keys], list(tops))  # proof: cut
    columns = [part for each in parts for part in each]
    frame = _summed(engine, frame, ["u", *keys], columns)
    sums = [
        joined([_double(part) for part in each], nw.lit(2.0**LIMB, nw.Float64))
        for each in parts
    ]  # proof: doubles
    named = [each.alias(f"s{i}") for i, each in enumerate(sums)]
    return frame.select("u", *keys, _double("count").alias("n"), *named)


def _double(name: str) -> Any:
    """Return an integer of 64 bits as the nearest double; DuckDB sums have 128 bits."""
    import narwhals.stable.v2 as nw

    return nw.col(name).cast(nw.Int64).cast(nw.Float64)


def _bounded(frame: Frame, plan: Plan, keys: list[str]) -> Any:
    """Return the cells with what counts of them, in int64."""
    import narwhals.stable.v2 as nw

    m, n, most = nw.lit(float(plan.rows), nw.Float64), nw.col("n"), plan.rows
    averages, sums = [], []
    for i, each in enumerate(plan.sums):
        total = nw.col(f"s{i}")
        average = nw.when(n > m).then(total * m / n).otherwise(total)  # proof: average
        averages.append(average.alias(f"s{i}"))
        clipped = _within(total, most * min(each.low, 0), most * max(each.high, 0))
        sums.append(rint(clipped).cast(nw.Int64).alias(f"s{i}"))  # proof: clip
    rows = nw.when(n > m).then(m).otherwise(n).cast(nw.Int64).alias("n")  # proof: rows
    frame = frame.select("u", *keys, "n", *averages)
    return frame.select("u", *keys, rows, *sums, one=nw.lit(1, nw.Int64))


def _chosen(engine: LazyEngine, frame: Frame, plan: Plan, keys: list[str]) -> Any:
    """Return the first cells of each person, in the order of the place and the key.

    The rank is a sum of ones, so that it is never missing, whatever a place is.
    """
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
        # A remainder may be negative here or there: adding the prime makes it one.
        h = (nw.col("h") + nw.col("code") % prime + prime) % prime  # proof: place
        frame = frame.with_columns(h=h)
        frame = frame.with_columns(h2=nw.col("h") * nw.col("h") % prime)
        frame = frame.with_columns(h2=nw.col("h2") * nw.col("h2") % prime)
        frame = frame.with_columns(h=nw.col("h2") * nw.col("h") % prime)
    rank = nw.col("one").cum_sum().over("u", order_by=["h", *keys])  # proof: rank
    return frame.with_columns(rank=rank).filter(nw.col("rank") <= plan.groups)
