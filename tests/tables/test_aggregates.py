"""Aggregates: how they are written, and the expressions that they ask sums of."""

from __future__ import annotations

from itertools import product
from typing import Any

from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.core.domains import AtomDomain
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.tables.aggregates import centred, inner_edges
from opendp_lite.tables.answers.estimates import Noise, mean, variance
from opendp_lite.tables.questions.results import Asked, answered, makers
from tests.rows import for_each

COLUMNS: dict[str, Any] = {
    "n": AtomDomain((0, 7)),
    "x": AtomDomain((0.1, 0.7)),
    "wide": AtomDomain((-1e200, 1e200)),
}


def test_they_are_written_as_they_were() -> None:
    x = dp.col("x")
    assert repr(dp.people()) == "people()"
    assert repr(x.sum()) == "col('x').sum()"
    assert repr(x.sum(k=-3)) == "col('x').sum(k=-3)"
    assert repr(x.variance()) == "col('x').variance()"
    assert repr(x.variance(ddof=0)) == "col('x').variance(ddof=0)"
    told = "col('x').quantiles(alphas=[0.5], edges=[0.2, 0.3])"
    assert repr(x.quantiles(0.5, (0.2, 0.3))) == told


def test_what_is_written_is_read_once() -> None:
    edges = [1, 2]
    made = dp.col("n").histogram(edges)
    edges.append(3)
    assert made.option("edges") == (1, 2)


@for_each(("low", "high"), [(0, 7), (-3, 3), (-5, 2), (4, 4), (0, 1)])
def test_integers_stand_around_their_middle(low: int, high: int) -> None:
    """A row weighs half the width, rounded up, and no square is cut off."""
    columns = {"n": AtomDomain((low, high))}
    found = centred("n", dp.col("n"), columns)
    assert found.size == -(-(high - low) // 2)
    expr, most = found.squares("x")
    assert most == found.size**2
    assert expr.domain(columns).bounds == (0, most)
    for value in range(low, high + 1):
        beside = found.beside.python({"n": value})
        assert abs(beside) <= found.size
        assert expr.python({"n": value}) == beside * beside  # nothing is cut off


def test_floats_stand_around_their_middle() -> None:
    found = centred("x", dp.col("x"), COLUMNS)
    expr, most = found.squares("x")
    for value in (0.1, 0.7, 0.3, 0.4):
        beside = value - found.centre
        assert expr.python({"x": value}) == beside * beside <= float(most)
    wide = centred("wide", dp.col("wide"), COLUMNS)
    assert (wide.centre, wide.size) == (0.0, 1e200)  # a mean needs no squares


def test_edges_beyond_the_bounds_are_left_out() -> None:
    quantiles = dp.col("n").quantiles([0.5], [-5, 0, 3, 5, 7, 9])
    assert inner_edges("n", quantiles, COLUMNS) == (0, 3, 5, 7)


@for_each("scales", list(product((mpq(0), mpq(2)), repeat=3)))
def test_alpha_is_parted_among_the_noisy(scales: tuple[mpq, ...]) -> None:
    alpha = mpq(1, 10)
    around = centred("n", dp.col("n"), COLUMNS)
    wanted = ("rows",), ("sum",), ("squares",)
    noises = {
        name: Noise(LAPLACE, scale) for name, scale in zip(wanted, scales, strict=True)
    }
    released = {
        name: [value] for name, value in zip(wanted, (50, 20, 400), strict=True)
    }
    asked = [
        Asked("m", dp.col("n").mean(), wanted[:2], middle=around),
        Asked("v", dp.col("n").variance(), wanted, middle=around, most=mpq(16)),
    ]
    both = list(zip(asked, makers(asked, noises, alpha), strict=True))
    columns = answered([], [()], both, released, True)
    found = {name: values[0] for name, _, values in columns}
    assert [name for name, _, _ in answered([], [()], both, released, False)] == [
        "m",
        "v",
    ]

    def widths(count: int) -> Any:
        parts = max(1, sum(scale > 0 for scale in scales[:count]))
        return tuple(noises[name].width(alpha / parts) for name in wanted[:count])

    expected = mean(widths(2), mpq(1), mpq(3), (mpq(0), mpq(7)))(50, 20)
    assert tuple(found[f"m{end}"] for end in ("", "_low", "_high")) == expected
    told = variance(widths(3), (mpq(1), mpq(1)), 1, mpq(16))(50, 20, 400)
    assert tuple(found[f"v{end}"] for end in ("", "_low", "_high")) == told
