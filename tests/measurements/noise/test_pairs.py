"""All pairs of an aggregate and a mechanism that adds noise.

Each pair chains and releases, or its refusal names the link to use, and that link
works. Every constructor is classified, so that a new one is tried with all others.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

import opendp_lite.prelude as dp

ROWS = dp.symmetric_distance()
PURE, ZERO = dp.max_divergence(), dp.zero_concentrated_divergence()


def rows(size: int | None = None, **atom: Any) -> Any:
    return dp.vector_domain(dp.atom_domain(**atom), size=size), ROWS


INTS, FLOATS = rows(bounds=(0, 9)), rows(bounds=(0.0, 9.0))
FOUR_INTS, FOUR_FLOATS = rows(4, bounds=(0, 9)), rows(4, bounds=(0.0, 9.0))
NINTHS = rows(4, bounds=(Fraction(0), Fraction(9)))
TEXTS = rows(T=str)
POINTS = dp.vector_domain(dp.vector_domain(dp.atom_domain(T=float, nan=False), size=2))
PAIRS = dp.vector_domain(dp.vector_domain(dp.atom_domain(T=int), size=2), size=4)
NUMBER = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
L2 = dp.l2_distance(T=int)

ONES: list[Any] = [1, 1, 1, 1]
REALS: list[Any] = [1.0, 2.0, 3.0, 4.0]
WORDS: list[Any] = ["a", "a", "b", "c"]
SUMS = {
    "make_bounded_float_checked_sum": (9, (0.0, 9.0)),
    "make_bounded_float_ordered_sum": (9, (0.0, 9.0)),
    "make_bounded_int_monotonic_sum": ((0, 9),),
    "make_bounded_int_ordered_sum": ((0, 9),),
    "make_bounded_int_split_sum": ((0, 9),),
    "make_sized_bounded_float_checked_sum": (4, (0.0, 9.0)),
    "make_sized_bounded_float_ordered_sum": (4, (0.0, 9.0)),
    "make_sized_bounded_int_checked_sum": (4, (0, 9)),
    "make_sized_bounded_int_monotonic_sum": (4, (0, 9)),
    "make_sized_bounded_int_ordered_sum": (4, (0, 9)),
    "make_sized_bounded_int_split_sum": (4, (0, 9)),
}


def table(**columns: Any) -> Any:
    """The space of a table with people, whose rows count together."""
    people = {"id": dp.atom_domain(T="i64"), **columns}
    return dp.table_domain(people), dp.symmetric_id_distance("id")


def aggregates() -> list[tuple[str, Any, Any]]:
    """The constructor, a transformation that it made, and data for it."""
    t = dp.t
    points = (POINTS, ROWS) >> t.then_clip_rows(norm=1.0) >> t.then_sum()
    counts = TEXTS >> t.then_count_by_categories(["a", "b"])
    squares = TEXTS >> t.then_count_by_categories(["a", "b"], MO=L2)
    keys = None, dp.l02inf_distance(dp.absolute_distance(T=int))
    bought = table(item=dp.atom_domain(T=str))
    aged = table(age=dp.atom_domain(T="i64"))
    age = {"age": dp.col("age").clip(0, 120)}
    return [
        ("make_count", TEXTS >> t.then_count(), WORDS),
        ("make_count", TEXTS >> t.then_count(TO="i8"), WORDS),
        ("make_count", TEXTS >> t.then_count(TO=float), WORDS),
        ("make_count_distinct", TEXTS >> t.then_count_distinct(), WORDS),
        ("make_sum", INTS >> t.then_sum(), ONES),
        ("make_sum", FLOATS >> t.then_sum(), REALS),
        ("make_sum", NINTHS >> t.then_sum(), ONES),
        ("make_sum", points, [[1.0, 2.0]] * 4),
        ("make_mean", FOUR_INTS >> t.then_mean(), ONES),
        ("make_mean", FOUR_FLOATS >> t.then_mean(), REALS),
        ("make_variance", FOUR_INTS >> t.then_variance(), ONES),
        ("make_variance", FOUR_FLOATS >> t.then_variance(), REALS),
        (
            "make_sum_of_squared_deviations",
            FOUR_FLOATS >> t.then_sum_of_squared_deviations(),
            REALS,
        ),
        (
            "make_covariance",
            (PAIRS, ROWS) >> t.then_covariance((0, 9), (0, 9)),
            [[1, 2], [3, 4], [5, 6], [7, 8]],
        ),
        (
            "make_lipschitz_float_mul",
            NUMBER >> t.then_lipschitz_float_mul("0.1", (0.0, 9.0)),
            3.5,
        ),
        ("make_histogram", FLOATS >> t.then_histogram([0, 3, 9]), REALS),
        ("make_histogram", FLOATS >> t.then_histogram([0, 3, 9], MO=L2), REALS),
        ("make_histogram", FLOATS >> t.then_histogram([0, 3], TOA=float), REALS),
        ("make_count_by_categories", counts, WORDS),
        ("make_count_by_categories", squares, WORDS),
        ("make_b_ary_tree", counts >> t.then_b_ary_tree(3, 2), WORDS),
        ("make_b_ary_tree", squares >> t.then_b_ary_tree(3, 2), WORDS),
        *(("make_count_by", TEXTS >> t.then_count_by(MO=MO), WORDS) for MO in keys),
        *(
            (
                "make_table_count_distinct",
                bought >> t.then_table_count_distinct({}, "item", p=p),
                {"id": [1, 1, 2], "item": ["tea", "rice", "tea"]},
            )
            for p in (1, 2)
        ),
        (
            "make_table_group_by",
            aged >> t.then_table_group_by({}, age),
            {"id": [1, 1, 2], "age": [30, 32, 50]},
        ),
        (
            "make_quantile_score_candidates",
            FLOATS >> t.then_quantile_score_candidates([1.0, 2.0], 0.5),
            REALS,
        ),
        *(
            (name, getattr(t, name)(*given), REALS if "float" in name else ONES)
            for name, given in SUMS.items()
        ),
    ]


# Their results are rows, frames, tables or what a user says, or they take a release.
NO_AGGREGATES = {
    f"make_{name}"
    for name in (
        "cast cast_default cast_inherent cdf clamp clip_rows consistent_b_ary_tree "
        "create_dataframe df_cast_default df_is_equal drop_null find find_bin "
        "frame_column frame_subset identity impute_constant impute_uniform_float index "
        "is_equal is_null metric_bounded metric_unbounded ordered_random "
        "quantiles_from_counts resize row_by_row select_column split_dataframe "
        "split_lines split_records subset_by table_filter "
        "table_join table_with_columns unordered user_transformation"
    ).split()
}


def values(a: Fraction, precision: int) -> Any:
    """(epsilon, delta) with e^epsilon = 2 and delta = 0."""
    f = max(0, 1 - 2 * a, (1 - a) / 2)
    return f, f


def mechanisms() -> list[tuple[str, Any]]:
    """The constructor, and a link for it."""
    m = dp.m
    both = dp.approximate(PURE), dp.approximate(ZERO)
    return [
        ("make_laplace", m.then_laplace(1.0)),
        ("make_gaussian", m.then_gaussian(1.0)),
        ("make_geometric", m.then_geometric(1.0)),
        ("make_noise", m.then_noise(PURE, 1.0)),
        ("make_noise", m.then_noise(ZERO, 1.0)),
        ("make_snapping", m.then_snapping(1.0, (0, 9))),
        ("make_canonical_noise", m.then_canonical_noise(10.0, (1.0, 1e-7))),
        ("make_tradeoff_noise", m.then_tradeoff_noise(10.0, m.laplace_tradeoff(1))),
        (
            "make_user_tradeoff_noise",
            m.then_user_tradeoff_noise(10.0, m.user_tradeoff(values)),
        ),
        ("make_laplace_threshold", m.then_laplace_threshold(1.0, 10)),
        ("make_gaussian_threshold", m.then_gaussian_threshold(1.0, 10)),
        *(
            ("make_noise_threshold", m.then_noise_threshold(each, 1.0, 10))
            for each in both
        ),
    ]


# They select, answer at random, take rows, take tables, or are a user's own.
NO_NOISE = {
    f"make_{name}"
    for name in (
        "above_threshold noisy_max noisy_top_k private_bounds private_mean "
        "private_quantile randomized_response randomized_response_bitvec "
        "randomized_response_bitvec_column randomized_response_bool "
        "randomized_response_column sparse_vector table_threshold user_measurement"
    ).split()
}

# What refusals name.
LINKS = {
    "then_laplace": lambda: dp.m.then_laplace(1.0),
    "then_gaussian": lambda: dp.m.then_gaussian(1.0),
    "then_noisy_max": lambda: dp.m.then_noisy_max(PURE, 1.0, negate=True),
    "then_laplace_threshold": lambda: dp.m.then_laplace_threshold(1.0, 10),
    "then_gaussian_threshold": lambda: dp.m.then_gaussian_threshold(1.0, 10),
    "then_product": lambda: dp.c.then_product([dp.m.then_laplace(1.0)] * 3),
}
# Which of them works, by the metric of the aggregate.
WORKS = {
    "AbsoluteDistance": "then_laplace",
    "L1Distance": "then_laplace",
    "L2Distance": "then_gaussian",
    "LInfDistance": "then_noisy_max",
    "L01InfDistance": "then_laplace_threshold",
    "L02InfDistance": "then_gaussian_threshold",
    "ProductDistance": "then_product",
}
# Numbers take all noise but that of maps; the geometric one is for integers.
FOR_NUMBERS = {
    "make_laplace",
    "make_gaussian",
    "make_noise",
    "make_snapping",
    "make_canonical_noise",
    "make_tradeoff_noise",
    "make_user_tradeoff_noise",
}


@pytest.fixture(autouse=True)
def _trusted() -> Any:
    dp.enable_features("honest-but-curious")
    yield
    dp.disable_features("honest-but-curious")


@pytest.mark.parametrize("index", range(13))
def test_each_pair_chains_or_the_refusal_names_a_link_that_works(index: int) -> None:
    name, link = mechanisms()[index]
    chained = 0
    for aggregate, made, data in aggregates():
        number = isinstance(made.output_metric, dp.AbsoluteDistance)
        whole = made.output_domain.atom_type is int
        try:
            noisy = made >> link
        except dp.OpenDPException as error:
            message = error.message
        else:
            chained += 1
            released = noisy(data)
            if number:
                kind = int if whole and name != "make_snapping" else float
                assert type(released) is kind, (aggregate, name)
            continue
        assert not (number and name in FOR_NUMBERS), (aggregate, name)
        assert not (number and whole and name == "make_geometric")
        works = WORKS[type(made.output_metric).__name__]
        assert works in re.findall(r"then_\w+", message), (aggregate, name, message)
        (made >> LINKS[works]())(data)
    assert chained >= 1


def test_every_constructor_is_tried_or_classified() -> None:
    assert len(mechanisms()) == 13
    for room, tried, others in (
        (dp.t, {name for name, *_ in aggregates()}, NO_AGGREGATES),
        (dp.m, {name for name, _ in mechanisms()}, NO_NOISE),
    ):
        found = {name for name in dir(room) if name.startswith("make_")}
        assert found == tried | others
        assert not tried & others
