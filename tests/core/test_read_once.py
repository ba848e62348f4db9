"""Every number that is given is read once.

A subclass of float or int may answer differently each time that it is asked. If a
constructor asked twice, its map could rest on one answer and its noise on another.
The constructors are called here without their decorator, which turns such values into
plain numbers before they see them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.arguments import user_distance_argument
from opendp_lite.measurements.snapping.snapping_budget import (
    snapping_epsilon_to_scale,
    snapping_scale_to_epsilon,
)
from opendp_lite.randomness.entropy import use_source
from tests.contracts.test_coverage import registered_name, shipped
from tests.randomness.lane_bits import LaneString
from tests.rows import for_each


class Readings:
    """The answers that a number gives, one after the other, and how many it gave."""

    def __init__(self, *answers: Any) -> None:
        self.answers = answers
        self.count = 0

    def next(self) -> Any:
        self.count += 1
        return self.answers[min(self.count, len(self.answers)) - 1]


class Float(float):
    readings: Readings

    def __float__(self) -> float:
        return self.readings.next()


class Integer(int):
    readings: Readings

    def __int__(self) -> int:
        return self.readings.next()

    def __index__(self) -> int:
        return self.readings.next()


class Quotient(Fraction):
    readings: Readings

    @property
    def numerator(self) -> int:  # the denominator is asked for with it
        return self.readings.next()


def changing(*answers: Any) -> Any:
    """A number that answers the first, then the next, ... and keeps to the last."""
    kinds = {float: Float, int: Integer, Fraction: Quotient}
    first = answers[0]
    number: Any = kinds[type(first)](first)
    parts = [a.numerator if isinstance(a, Fraction) else a for a in answers]
    number.readings = Readings(*parts)
    return number


def test_a_changing_number_is_one() -> None:
    assert [float(x) for x in [changing(0.5, 1.0)] * 3] == [0.5, 1.0, 1.0]
    assert [int(x) for x in [changing(3, 4)] * 3] == [3, 4, 4]
    assert changing(Fraction(1, 3), Fraction(2, 3)).numerator == 1


INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOAT = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
TEXT_ROWS = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
FLOAT_ROWS = (
    dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0))),
    dp.symmetric_distance(),
)
SIZED_ROWS = (
    dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0)), size=2),
    dp.symmetric_distance(),
)
SCORES = (
    dp.vector_domain(dp.atom_domain(T=int)),
    dp.linf_distance(T=int),
    dp.max_divergence(),
)
COUNTS = (
    dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)),
    dp.l01inf_distance(dp.absolute_distance(T=int)),
)
GAUSSIAN_COUNTS = COUNTS[0], dp.l02inf_distance(dp.absolute_distance(T=int))
TABLES = (
    dp.table_domain({"id": dp.atom_domain(T="i64"), "item": dp.atom_domain(T=str)}),
    dp.symmetric_id_distance("id"),
)
BITS = dp.bitvector_domain(max_weight=2, size=16)
ANSWERS = ["a", "b", "c"]


def halves(a: Fraction, precision: int) -> tuple[Fraction, Fraction]:
    f = max(0, Fraction(7, 8) - 2 * a, (Fraction(7, 8) - a) / 2)
    return Fraction(f), Fraction(f)  # type: ignore[call-overload]


TRADEOFF = dp.m.gaussian_tradeoff(1)
OWN_TRADEOFF = dp.m.user_tradeoff(halves)
ODOMETER = dp.Odometer(*INT, dp.max_divergence())

RENYI = dp.Measurement(
    INT[0], abs, INT[1], dp.renyi_divergence(), lambda d_in: lambda order: order
)
PROFILED = dp.m.make_tradeoff_noise(*FLOAT, d_in=1, tradeoff=dp.m.laplace_tradeoff(1))
COUNT = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=1)
MEAN = SIZED_ROWS >> dp.t.then_mean() >> dp.m.then_laplace(scale=1)

# Each constructor with its arguments: those by name are numbers, or pairs of them.
CALLS: dict[Callable[..., Any], tuple[tuple[Any, ...], dict[str, Any]]] = {
    dp.m.make_laplace: (FLOAT, {"scale": 1.5, "k": -3}),
    dp.m.make_gaussian: (FLOAT, {"scale": Fraction(3, 2), "k": -3}),
    dp.m.make_geometric: (INT, {"scale": 1.5, "bounds": (0, 10)}),
    dp.m.make_noise: ((*FLOAT, dp.max_divergence()), {"scale": 1.5, "k": -3}),
    dp.m.make_canonical_noise: (FLOAT, {"d_in": 1.0, "d_out": (0.5, 1e-6)}),
    dp.m.make_tradeoff_noise: (FLOAT, {"d_in": 1.0, "tradeoff": TRADEOFF}),
    dp.m.make_user_tradeoff_noise: (FLOAT, {"d_in": 1.0, "tradeoff": OWN_TRADEOFF}),
    dp.m.make_snapping: (
        FLOAT,
        {"scale": 1.5, "bounds": (0.0, 10.0), "precision": 118},
    ),
    dp.m.make_laplace_threshold: (COUNTS, {"scale": 2.0, "threshold": 30.0, "k": 0}),
    dp.m.make_gaussian_threshold: (
        GAUSSIAN_COUNTS,
        {"scale": 2.0, "threshold": 30.0, "k": 0},
    ),
    dp.m.make_noise_threshold: (
        (*COUNTS, dp.approximate(dp.max_divergence())),
        {"scale": 2.0, "threshold": 30.0, "k": 0},
    ),
    dp.t.make_table_group_by: (
        (*TABLES, {"item": ["a", "b"]}, {}),
        {"p": 2, "rows": 3, "groups": 2, "salt": 5},
    ),
    dp.t.make_table_count_distinct: (
        (*TABLES, {}, "item"),
        {"p": 2, "groups": 2, "salt": 5},
    ),
    dp.m.make_table_threshold: (
        (*TABLES, dp.approximate(dp.max_divergence()), ["item"], {}),
        {"scales": (1.5, Fraction(1, 2)), "threshold": 30.0, "groups": 2},
    ),
    dp.m.make_noisy_max: (SCORES, {"scale": 1.5}),
    dp.m.make_noisy_top_k: (SCORES, {"k": 2, "scale": 1.5}),
    dp.m.make_above_threshold: (SCORES, {"threshold": 5.0, "scale": 1.5}),
    dp.m.make_sparse_vector: (SCORES, {"threshold": 5.0, "scale": 1.5, "k": 2}),
    dp.m.make_private_quantile: (
        (*ROWS, dp.max_divergence(), [0, 10, 20]),
        {"alpha": 0.5, "scale": 1.5},
    ),
    dp.m.make_private_bounds: (
        (*FLOAT_ROWS, dp.max_divergence()),
        {"scale": 1.5, "alpha": 0.25, "exponents": (0, 3)},
    ),
    dp.m.make_private_mean: (
        (*FLOAT_ROWS, dp.max_divergence()),
        {"scale": 1.5, "k": -3},
    ),
    dp.m.make_randomized_response: ((ANSWERS,), {"prob": 0.5}),
    dp.m.make_randomized_response_bool: ((), {"prob": 0.75}),
    dp.m.make_randomized_response_bitvec: (
        (BITS, dp.discrete_distance()),
        {"f": 0.5},
    ),
    dp.m.make_randomized_response_column: (
        (dp.vector_domain(dp.atom_domain(T=str)), dp.hamming_distance(), ANSWERS),
        {"prob": Fraction(1, 2)},
    ),
    dp.m.make_randomized_response_bitvec_column: (
        (dp.vector_domain(BITS), dp.hamming_distance()),
        {"f": 0.5},
    ),
    dp.t.make_table_group_by: (
        (*TABLES, {"item": ["a", "b"]}, {}),
        {"p": 2, "rows": 2, "groups": 2, "salt": 7},
    ),
    dp.t.make_table_count_distinct: (
        (*TABLES, {}, "item"),
        {"p": 2, "groups": 2, "salt": 7},
    ),
    dp.t.make_b_ary_tree: (
        (ROWS[0], dp.l1_distance(T=int)),
        {"leaf_count": 5, "branching_factor": 2},
    ),
    dp.c.make_adaptive_composition: (
        (*INT, dp.max_divergence()),
        {"d_in": 1, "d_mids": (0.5, Fraction(1, 4))},
    ),
    dp.c.make_privacy_filter: ((ODOMETER,), {"d_in": 1, "d_out": 0.5}),
    dp.t.make_clamp: (ROWS, {"bounds": (0, 10)}),
    dp.t.make_impute_uniform_float: (FLOAT_ROWS, {"bounds": (0.0, 1.0)}),
    dp.t.make_resize: (TEXT_ROWS, {"size": 3, "constant": ""}),
    dp.t.make_clip_rows: (
        (dp.vector_domain(SIZED_ROWS[0]), dp.symmetric_distance()),
        {"norm": 1.5, "p": 1, "k": -3},
    ),
    dp.t.make_find_bin: (ROWS, {"edges": (0, 2.5, Fraction(7, 2))}),
    dp.t.make_sum: (FLOAT_ROWS, {"k": -3}),
    dp.t.make_mean: (SIZED_ROWS, {"k": -3}),
    dp.t.make_sum_of_squared_deviations: (FLOAT_ROWS, {"k": -3}),
    dp.t.make_variance: (SIZED_ROWS, {"ddof": 1, "k": -3}),
    dp.t.make_covariance: (
        (dp.vector_domain(SIZED_ROWS[0], size=5), dp.symmetric_distance()),
        {"bounds_0": (0.0, 1.0), "bounds_1": (0.0, 2.0), "ddof": 1},
    ),
    dp.t.make_lipschitz_float_mul: (FLOAT, {"constant": 0.5, "bounds": (0.0, 1.0)}),
    dp.t.make_quantile_score_candidates: ((*ROWS, [0, 10]), {"alpha": 0.25}),
    dp.t.make_histogram: (FLOAT_ROWS, {"edges": (0.5, 1.5)}),
    dp.c.make_fix_delta: ((PROFILED,), {"delta": 0.25}),
    dp.c.make_poisson_subsample: ((COUNT,), {"rate": 0.25}),
    dp.c.make_population_amplification: ((MEAN,), {"population_size": 4}),
    dp.c.make_select_private_candidate: (
        (dp.m.make_laplace(*INT, scale=1),),
        {"stop_probability": 0.5, "threshold": Fraction(1, 3)},
    ),
    dp.c.make_RDP_to_approxDP: ((RENYI,), {"orders": (1.5, 2.25)}),
}
# Those that convert no number. Candidates, categories and a constant must be of the
# very type of the rows, as data are.
WITHOUT = {
    "opendp_lite.combinators.adaptive:make_fully_adaptive_composition",
    "opendp_lite.combinators.composition:make_composition",
    "opendp_lite.combinators.conversion:make_approximate",
    "opendp_lite.combinators.conversion:make_fixed_approxDP_to_approxDP",
    "opendp_lite.combinators.conversion:make_pureDP_to_zCDP",
    "opendp_lite.combinators.conversion:make_zCDP_to_approxDP",
    "opendp_lite.combinators.parallel:make_parallel_composition",
    "opendp_lite.combinators.composition:make_product",
    "opendp_lite.core.chaining:make_chain_mt",
    "opendp_lite.core.chaining:make_chain_pm",
    "opendp_lite.core.chaining:make_chain_proved",
    "opendp_lite.core.chaining:make_chain_tt",
    "opendp_lite.sessions.user:make_user_measurement",
    "opendp_lite.sessions.user:make_user_transformation",
    "opendp_lite.tables.rows:make_table_filter",
    "opendp_lite.tables.rows:make_table_join",
    "opendp_lite.tables.rows:make_table_with_columns",
    "opendp_lite.transformations.rows.casting:make_cast",
    "opendp_lite.transformations.rows.casting:make_cast_default",
    "opendp_lite.transformations.rows.casting:make_cast_inherent",
    "opendp_lite.transformations.counts.categories:make_count_by_categories",
    "opendp_lite.transformations.counts.counting:make_count",
    "opendp_lite.transformations.counts.keys:make_count_by",
    "opendp_lite.transformations.counts.counting:make_count_distinct",
    "opendp_lite.transformations.frames:make_create_dataframe",
    "opendp_lite.transformations.frames:make_df_cast_default",
    "opendp_lite.transformations.frames:make_df_is_equal",
    "opendp_lite.transformations.frames:make_frame_column",
    "opendp_lite.transformations.frames:make_frame_subset",
    "opendp_lite.transformations.identity:make_identity",
    "opendp_lite.transformations.lines:make_split_lines",
    "opendp_lite.transformations.lines:make_split_records",
    "opendp_lite.transformations.rows.imputing:make_drop_null",
    "opendp_lite.transformations.rows.imputing:make_impute_constant",
    "opendp_lite.transformations.rows.imputing:make_is_null",
    "opendp_lite.transformations.rows.matching:make_find",
    "opendp_lite.transformations.rows.matching:make_index",
    "opendp_lite.transformations.rows.matching:make_is_equal",
    "opendp_lite.transformations.ordering:make_metric_bounded",
    "opendp_lite.transformations.ordering:make_metric_unbounded",
    "opendp_lite.transformations.ordering:make_ordered_random",
    "opendp_lite.transformations.ordering:make_unordered",
    "opendp_lite.transformations.rows.rowwise:make_row_by_row",
}


def numbers() -> list[Any]:
    """Each constructor with the name of a number, and its place if it is in a pair."""
    found = []
    for make, (_, named) in CALLS.items():
        for name, value in named.items():
            if isinstance(value, str | type(TRADEOFF) | type(OWN_TRADEOFF)):
                continue
            places = range(len(value)) if isinstance(value, tuple) else [None]
            for place in places:
                label = f"{make.__name__}-{name}{'' if place is None else place}"
                found.append(pytest.param(make, name, place, id=label))
    return found


@pytest.fixture
def _features() -> Iterator[None]:
    dp.enable_features("contrib", "honest-but-curious")
    yield
    dp.disable_features("contrib", "honest-but-curious")


@pytest.mark.usefixtures("_features")
@pytest.mark.parametrize(("make", "name", "place"), numbers())
def test_every_number_is_read_once(
    make: Callable[..., Any], name: str, place: int | None
) -> None:
    given, named = CALLS[make]
    value = named[name]
    number = changing(value if place is None else value[place])
    if place is None:
        value = number
    else:
        value = (*value[:place], number, *value[place + 1 :])
    made = make.__wrapped__(*given, **{**named, name: value})  # type: ignore[attr-defined]
    assert number.readings.count <= 1  # 0: by a decorator inside
    by_keys = made.input_metric in (COUNTS[1], GAUSSIAN_COUNTS[1])
    made.map((1, 1, 1) if by_keys else 1)
    assert number.readings.count <= 1  # 0: by a decorator inside


def test_every_constructor_is_tried() -> None:
    tried = {registered_name(make) for make in CALLS}
    assert tried.isdisjoint(WITHOUT)
    assert tried | WITHOUT == shipped()


# What one gained by it


@pytest.mark.parametrize("rows", [4, 1000])
def test_the_map_and_the_answers_rest_on_one_probability(rows: int) -> None:
    def column(*answers: float) -> Any:
        space = dp.vector_domain(dp.atom_domain(T=str)), dp.hamming_distance()
        make = dp.m.make_randomized_response_column.__wrapped__  # type: ignore[attr-defined]
        return make(*space, ["a", "b"], changing(*answers))

    # At first 1/2, of which the map is 0, and then 1, which tells the truth.
    made = column(0.5, 1.0)
    assert made.privacy_map(1) == 0
    with use_source(LaneString(0)):
        assert made.function(["a"] * rows) != ["a"] * rows
    made = column(1.0, 0.5)
    assert made.privacy_map(1) == math.inf
    assert made.function(["a"] * rows) == ["a"] * rows


def test_the_flips_and_the_map_rest_on_one_f() -> None:
    space = dp.vector_domain(BITS), dp.hamming_distance()
    make = dp.m.make_randomized_response_bitvec_column.__wrapped__  # type: ignore[attr-defined]
    made = make(*space, changing(1.0, 1e-300))
    assert made.privacy_map(1) == 0
    with use_source(LaneString(0)):
        assert made.function([bytes(2)] * 100) != [bytes(2)] * 100


def test_what_is_listed_is_read_once() -> None:
    class List(list[Any]):
        readings = 0

        def __iter__(self) -> Iterator[Any]:
            self.readings += 1
            return super().__iter__()

    rows = dp.vector_domain(dp.atom_domain(T=str)), dp.hamming_distance()
    laplace = dp.m.make_laplace(*INT, scale=1)
    for make, given in [
        (dp.c.make_composition, lambda each: (each,)),
        (dp.m.make_randomized_response, lambda each: (each, 0.5)),
        (dp.m.make_randomized_response_column, lambda each: (*rows, each, 0.5)),
        (dp.t.make_quantile_score_candidates, lambda each: (*ROWS, each, 0.5)),
        (
            dp.m.make_private_quantile,
            lambda each: (*ROWS, dp.max_divergence(), each, 0.5, 1.0),
        ),
        (dp.t.make_find, lambda each: (*rows, each)),
        (dp.t.make_find_bin, lambda each: (*ROWS, each)),
        (dp.t.make_index, lambda each: (*ROWS, each, "none")),
    ]:
        of_numbers = "quantile" in make.__name__ or "bin" in make.__name__
        items: list[Any] = [0, 1] if of_numbers else ANSWERS
        listed = List([laplace] * 2 if make is dp.c.make_composition else items)
        made = make.__wrapped__(*given(listed))  # type: ignore[attr-defined]
        assert listed.readings == 1, make
        listed.clear()
        made.map(1)
        assert listed.readings == 1, make


READERS: list[Callable[[Any], Any]] = [
    dp.symmetric_distance().parse,
    dp.absolute_distance(T=int).parse,
    dp.absolute_distance(T=float).parse,
    dp.max_divergence().parse,
    lambda d: user_distance_argument("d_in", d),
    lambda d: dp.approximate(dp.max_divergence()).parse((d, 0)),
    lambda d: dp.l01inf_distance(dp.absolute_distance(T=int)).parse((1, 1, d)),
    lambda d: snapping_scale_to_epsilon(d, 1, (0, 10)),
    lambda d: snapping_scale_to_epsilon(1, d, (0, 10)),
    lambda d: snapping_scale_to_epsilon(1, 1, (0.0, d)),
    lambda d: snapping_epsilon_to_scale(d, 1, (0, 10)),
    lambda d: snapping_epsilon_to_scale(1, d, (0, 10)),
    lambda d: snapping_epsilon_to_scale(1, 1, (0.0, d)),
]


@for_each("first", [3.0, 3])
@for_each("read", READERS)
def test_distances_losses_and_budgets_are_read_once(read: Any, first: Any) -> None:
    number = changing(first, -first)
    read(number)
    assert number.readings.count == 1


@pytest.mark.parametrize(
    "read", [READERS[0], READERS[4]], ids=["rows", "a user's own distance"]
)
def test_the_distance_is_the_one_that_was_checked(read: Any) -> None:
    assert read(changing(3.0, -1.0)) == 3
    for wrong in (-1.0, math.nan):
        with pytest.raises(dp.OpenDPException, match="d_in="):
            read(changing(wrong, 3.0))


def test_half_a_row_is_refused() -> None:
    with pytest.raises(dp.OpenDPException, match="must be an integer"):
        dp.symmetric_distance().parse(changing(0.5, 3.0))
