from __future__ import annotations

import numpy

import opendp_lite.prelude as dp
from opendp_lite.transformations.sums import aliases


def test_the_argument_itself_comes_back() -> None:
    data = numpy.arange(3)
    same = dp.t.make_identity(
        dp.vector_domain(dp.atom_domain(T=int)), dp.hamming_distance()
    )
    assert same(data) is data
    assert same.map(7) == 7


def test_the_public_names() -> None:
    expected = [
        f"{form}_{name}"
        for form in ("make", "then")
        for name in (
            "b_ary_tree cast cast_default cast_inherent clamp clip_rows count count_by "
            "count_by_categories count_distinct covariance df_cast_default df_is_equal "
            "drop_null find find_bin frame_column frame_subset histogram identity "
            "impute_constant impute_uniform_float index is_equal is_null "
            "lipschitz_float_mul mean metric_bounded metric_unbounded ordered_random "
            "quantile_score_candidates resize row_by_row sum "
            "sum_of_squared_deviations table_count_distinct table_filter "
            "table_group_by table_join table_with_columns unordered "
            "user_transformation variance"
        ).split()
    ]
    expected += ["make_create_dataframe", "make_select_column", "make_split_dataframe"]
    expected += ["make_split_lines", "make_split_records", "make_subset_by"]
    expected += aliases.__all__  # take no domain and metric, so they have no then_
    expected += ["choose_branching_factor", "make_cdf", "make_consistent_b_ary_tree"]
    expected += ["make_quantiles_from_counts"]  # functions of a release
    assert dir(dp.t) == sorted(expected)
    assert all(callable(getattr(dp.t, name)) for name in expected)
