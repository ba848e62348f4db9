"""Pipelines of every kind, each with a distance and what is claimed of it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import opendp_lite.prelude as dp

__all__ = [
    "PIPELINES",
    "count",
    "double",
    "noisy",
    "own",
    "response",
    "table_query",
]


def rows() -> Any:
    return dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()


def noisy(scale: Any = 2) -> Any:
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    return space >> dp.m.then_laplace(scale=scale)


def count(scale: Any = 2) -> Any:
    return rows() >> dp.t.then_count() >> dp.m.then_laplace(scale=scale)


def total() -> Any:
    summed = rows() >> dp.t.then_clamp((0, 10)) >> dp.t.then_sum()
    return summed >> dp.m.then_laplace(scale=20)


def gaussian() -> Any:
    return rows() >> dp.t.then_count() >> dp.m.then_gaussian(scale=Fraction(3, 2))


def canonical() -> Any:
    noise = dp.m.then_canonical_noise(d_in=3.0, d_out=("1/2", "1e-6"))
    return rows() >> dp.t.then_count() >> noise


def histogram() -> Any:
    domain = dp.vector_domain(dp.atom_domain(T=str))
    space = domain, dp.symmetric_distance()
    by = dp.t.then_count_by_categories(["a", "b"])
    return space >> by >> dp.m.then_laplace(scale=1)


def changed() -> Any:
    domain = dp.vector_domain(dp.atom_domain(T=float, bounds=(0.0, 1.0), nan=False), 10)
    space = domain, dp.change_one_distance()
    return space >> dp.t.then_mean() >> dp.m.then_laplace(scale="0.5")


def response() -> Any:
    return dp.m.make_randomized_response_bool(prob="3/4")


def table_query() -> Any:
    context = dp.Context.compositor(
        data={"age": [31, 33, None]},
        domain=dp.table_domain({"age": dp.option_domain(dp.atom_domain(T="i64"))}),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    age = dp.col("age").fill_null(0).clip(0, 100)
    return context.table(epsilon=0.5).agg(years=age.sum())


def query() -> Any:
    context = dp.Context.compositor(
        data=[1, 2, 3],
        domain=rows()[0],
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    return context.query(epsilon=0.5).count().laplace()


def double(x: int) -> int:
    return 2 * x


def own(function: Callable[[int], int] = double) -> Any:
    """A pipeline that rests on a function of one's own."""
    dp.enable_features("honest-but-curious")
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    twice = dp.t.make_user_transformation(*space, *space, function, double)
    return twice >> dp.m.then_laplace(scale=2)


PIPELINES: dict[str, tuple[Callable[[], Any], Any, str]] = {
    "noise": (noisy, 1, "epsilon = 1/2"),
    "chain": (count, 1, "epsilon = 1/2"),
    "long chain": (total, 2, "epsilon = 1."),
    "conversion": (
        lambda: dp.c.make_zCDP_to_approxDP(gaussian()),
        1,
        "a profile delta(epsilon)",
    ),
    "fixed delta": (
        lambda: dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(gaussian()), 1e-6),
        1,
        " (rounded up) and delta = 1e-06.",
    ),
    "concentrated": (gaussian, 3, "rho = 2."),
    "composition": (
        lambda: dp.c.make_composition([count(), count(4)]),
        1,
        "epsilon = 3/4",
    ),
    "canonical noise": (canonical, 3, "epsilon = 1/2 = 0.5 and delta = 1/1000000 "),
    "histogram": (histogram, 1, "epsilon = 1."),
    "one row changed": (changed, 2, "epsilon = 2/5"),
    "response": (response, 1, "epsilon = "),
    "transformation": (
        lambda: rows() >> dp.t.then_clamp((0, 10)) >> dp.t.then_sum(),
        3,
        "at distance at most 30",
    ),
    "session": (
        lambda: dp.c.make_adaptive_composition(
            *rows(), dp.max_divergence(), d_in=1, d_mids=[0.5, 0.25]
        ),
        1,
        "no series of answers becomes more than 2.12 times as likely",
    ),
    "odometer": (
        lambda: dp.c.make_fully_adaptive_composition(*rows(), dp.max_divergence()),
        1,
        "all answers of a session that it opens lose no more than the session states",
    ),
    "query": (query, None, "epsilon = 1/2"),
    "table query": (table_query, None, "epsilon = 1/2"),
}
