"""Clamp, sum and Laplace noise over a column of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load
from benchmarks.rows.sizes import Sizes, count

__all__ = ["rows"]


def column(kind: str, length: int) -> Any:
    """Numbers from 0 to 199 in no order, half of them above the bound, as an array.

    In an order, a processor would foresee which of them are clamped.
    """
    np = load("numpy")
    values = np.random.default_rng(0).integers(0, 200, length)
    return values if kind == "int64" else values + 0.3


def chain(name: str, kind: str, length: int, sized: bool, listed: bool = False) -> Call:
    """Clamp, sum and add noise through the same lines of either library."""
    dp = load(name)
    bounds: tuple[float, float]
    if kind == "int64":
        atom, bounds = dp.atom_domain(T=int if listed else "i64"), (0, 100)
    else:
        T = float if listed else "f64"
        atom, bounds = dp.atom_domain(T=T, nan=False), (0.0, 100.0)
    size = {"size": length} if sized else {}
    total = dp.t.then_sum()
    if name == "OpenDP" and kind == "float64" and not sized:
        # Its then_sum would shuffle the rows and drop all but 2^20 of them.
        total = dp.t.make_bounded_float_checked_sum(size_limit=length, bounds=bounds)
    measurement = (
        (dp.vector_domain(atom, **size), dp.symmetric_distance())
        >> dp.t.then_clamp(bounds)
        >> total
        >> dp.m.then_laplace(scale=100.0)
    )
    values = column(kind, length)
    if listed:
        values = values.tolist()
    return lambda: measurement(values)


def pydp(kind: str, length: int) -> Call:
    """`quick_result` of a bounded sum that is made once."""
    algorithms = load("PyDP", submodule="algorithms.laplacian")
    total = algorithms.BoundedSum(
        epsilon=1.0,
        lower_bound=0,
        upper_bound=100,
        dtype="int" if kind == "int64" else "float",
    )
    values = column(kind, length).tolist()
    return lambda: total.quick_result(values)


def diffprivlib(kind: str, length: int) -> Call:
    """`tools.sum`, with an accountant that has no limit."""
    tools = load("diffprivlib", submodule="tools")
    accountant = load("diffprivlib").BudgetAccountant()
    values = column(kind, length)
    return lambda: tools.sum(
        values, epsilon=1.0, bounds=(0, 100), accountant=accountant
    )


def plain(kind: str, length: int) -> Call:
    """The same in numpy, without privacy to speak of."""
    np = load("numpy")
    generator = np.random.default_rng()
    values = column(kind, length)
    return lambda: np.clip(values, 0, 100).sum() + generator.laplace(0.0, 100.0)


def row(kind: str, sized: bool, sizes: Sizes) -> Row:
    """One type of numbers; the size of the column known or not."""
    length, fewer = sizes.data, max(sizes.data // 10, 1)
    note = "numpy array (its fastest)"
    if kind == "float64" and not sized:
        note += ", make_bounded_float_checked_sum with room for all rows"
    contenders = [
        Contender(
            OURS, lambda: chain(OURS, kind, length, sized), length, "numpy array"
        ),
        Contender(
            "OpenDP",
            lambda: chain("OpenDP", kind, length, sized),
            length,
            note,
        ),
    ]
    if not sized:
        contenders += [
            Contender(
                "PyDP",
                lambda: pydp(kind, fewer),
                fewer,
                f"BoundedSum.quick_result, list of {count(fewer)} (its fastest)",
            ),
            Contender(
                "diffprivlib",
                lambda: diffprivlib(kind, length),
                length,
                "tools.sum, numpy array",
            ),
            Contender(
                "numpy float",
                lambda: plain(kind, length),
                length,
                "clip, sum and one draw; no mechanism, not secure",
            ),
        ]
    return Row(
        f"sum-{kind}{'-sized' if sized else ''}",
        f"clamp + sum + Laplace, {kind}{', size known' if sized else ''}",
        "row",
        tuple(contenders),
        (Goal(("OpenDP",), 10),),
        f"{count(length)} rows",
    )


def list_row(kind: str, sizes: Sizes) -> Row:
    """A list of Python's integers or floats, of a tenth of the length."""
    length = max(sizes.data // 10, 1)
    name = "int" if kind == "int64" else "float"
    note = "" if kind == "int64" else ", make_bounded_float_checked_sum"
    return Row(
        f"sum-list-{name}",
        f"clamp + sum + Laplace, list of {name}",
        "row",
        (
            Contender(
                OURS,
                lambda: chain(OURS, kind, length, sized=False, listed=True),
                length,
                f"list of T={name}",
            ),
            Contender(
                "OpenDP",
                lambda: chain("OpenDP", kind, length, sized=False, listed=True),
                length,
                f"list of T={name}{note}",
            ),
        ),
        (Goal(("OpenDP",), 10),),
        f"{count(length)} rows",
    )


def rows(sizes: Sizes) -> Iterator[Row]:
    """Integers and floats, the size of the column known or not; and lists."""
    for kind in ("int64", "float64"):
        for sized in (False, True):
            yield row(kind, sized, sizes)
    for kind in ("int64", "float64"):
        yield list_row(kind, sizes)
