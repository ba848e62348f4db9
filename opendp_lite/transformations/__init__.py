"""Transformations: functions of the data, and how far they spread it."""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import has_constructors, on_demand

if TYPE_CHECKING:
    from opendp_lite.sessions.user import (
        make_user_transformation as make_user_transformation,
        then_user_transformation as then_user_transformation,
    )
    from opendp_lite.transformations.sums.aliases import (
        make_bounded_float_checked_sum as make_bounded_float_checked_sum,
        make_bounded_float_ordered_sum as make_bounded_float_ordered_sum,
        make_bounded_int_monotonic_sum as make_bounded_int_monotonic_sum,
        make_bounded_int_ordered_sum as make_bounded_int_ordered_sum,
        make_bounded_int_split_sum as make_bounded_int_split_sum,
        make_sized_bounded_float_checked_sum as make_sized_bounded_float_checked_sum,
        make_sized_bounded_float_ordered_sum as make_sized_bounded_float_ordered_sum,
        make_sized_bounded_int_checked_sum as make_sized_bounded_int_checked_sum,
        make_sized_bounded_int_monotonic_sum as make_sized_bounded_int_monotonic_sum,
        make_sized_bounded_int_ordered_sum as make_sized_bounded_int_ordered_sum,
        make_sized_bounded_int_split_sum as make_sized_bounded_int_split_sum,
    )
    from opendp_lite.transformations.rows.binning import (
        make_find_bin as make_find_bin,
        then_find_bin as then_find_bin,
    )
    from opendp_lite.transformations.rows.casting import (
        make_cast as make_cast,
        make_cast_default as make_cast_default,
        make_cast_inherent as make_cast_inherent,
        then_cast as then_cast,
        then_cast_default as then_cast_default,
        then_cast_inherent as then_cast_inherent,
    )
    from opendp_lite.transformations.counts.categories import (
        make_count_by_categories as make_count_by_categories,
        make_histogram as make_histogram,
        then_count_by_categories as then_count_by_categories,
        then_histogram as then_histogram,
    )
    from opendp_lite.transformations.rows.clamping import (
        make_clamp as make_clamp,
        then_clamp as then_clamp,
        make_clip_rows as make_clip_rows,
        then_clip_rows as then_clip_rows,
    )
    from opendp_lite.transformations.counts.counting import (
        make_count as make_count,
        make_count_distinct as make_count_distinct,
        then_count as then_count,
        then_count_distinct as then_count_distinct,
    )
    from opendp_lite.transformations.sums.covariance import (
        make_covariance as make_covariance,
        then_covariance as then_covariance,
    )
    from opendp_lite.transformations.counts.keys import (
        make_count_by as make_count_by,
        then_count_by as then_count_by,
    )
    from opendp_lite.transformations.frames import (
        make_create_dataframe as make_create_dataframe,
        make_df_cast_default as make_df_cast_default,
        make_df_is_equal as make_df_is_equal,
        make_frame_column as make_frame_column,
        make_frame_subset as make_frame_subset,
        make_select_column as make_select_column,
        make_split_dataframe as make_split_dataframe,
        make_subset_by as make_subset_by,
        then_df_cast_default as then_df_cast_default,
        then_df_is_equal as then_df_is_equal,
        then_frame_column as then_frame_column,
        then_frame_subset as then_frame_subset,
    )
    from opendp_lite.transformations.identity import (
        make_identity as make_identity,
        then_identity as then_identity,
    )
    from opendp_lite.transformations.rows.imputing import (
        make_drop_null as make_drop_null,
        make_impute_constant as make_impute_constant,
        make_impute_uniform_float as make_impute_uniform_float,
        make_is_null as make_is_null,
        then_drop_null as then_drop_null,
        then_impute_constant as then_impute_constant,
        then_impute_uniform_float as then_impute_uniform_float,
        then_is_null as then_is_null,
    )
    from opendp_lite.transformations.rows.matching import (
        make_find as make_find,
        make_index as make_index,
        make_is_equal as make_is_equal,
        then_find as then_find,
        then_index as then_index,
        then_is_equal as then_is_equal,
    )
    from opendp_lite.transformations.lines import (
        make_split_lines as make_split_lines,
        make_split_records as make_split_records,
    )
    from opendp_lite.transformations.ordering import (
        make_metric_bounded as make_metric_bounded,
        make_metric_unbounded as make_metric_unbounded,
        make_ordered_random as make_ordered_random,
        make_unordered as make_unordered,
        then_metric_bounded as then_metric_bounded,
        then_metric_unbounded as then_metric_unbounded,
        then_ordered_random as then_ordered_random,
        then_unordered as then_unordered,
    )
    from opendp_lite.transformations.sizing import (
        make_resize as make_resize,
        then_resize as then_resize,
    )
    from opendp_lite.transformations.sums.moments import (
        make_mean as make_mean,
        make_sum_of_squared_deviations as make_sum_of_squared_deviations,
        make_variance as make_variance,
        then_mean as then_mean,
        then_sum_of_squared_deviations as then_sum_of_squared_deviations,
        then_variance as then_variance,
    )
    from opendp_lite.transformations.quantiles import (
        make_quantile_score_candidates as make_quantile_score_candidates,
        then_quantile_score_candidates as then_quantile_score_candidates,
    )
    from opendp_lite.transformations.rows.rowwise import (
        make_row_by_row as make_row_by_row,
        then_row_by_row as then_row_by_row,
    )
    from opendp_lite.transformations.sums.summing import (
        make_lipschitz_float_mul as make_lipschitz_float_mul,
        then_lipschitz_float_mul as then_lipschitz_float_mul,
        make_sum as make_sum,
        then_sum as then_sum,
    )
    from opendp_lite.transformations.trees.building import (
        choose_branching_factor as choose_branching_factor,
        make_b_ary_tree as make_b_ary_tree,
        then_b_ary_tree as then_b_ary_tree,
    )
    from opendp_lite.transformations.trees.releases import (
        make_consistent_b_ary_tree as make_consistent_b_ary_tree,
        make_cdf as make_cdf,
        make_quantiles_from_counts as make_quantiles_from_counts,
    )

    # Of a layer above: listed here, where users look, and loaded when asked for.
    from opendp_lite.tables.grouping import (
        make_table_count_distinct as make_table_count_distinct,
        make_table_group_by as make_table_group_by,
        then_table_count_distinct as then_table_count_distinct,
        then_table_group_by as then_table_group_by,
    )
    from opendp_lite.tables.rows import (
        make_table_filter as make_table_filter,
        make_table_join as make_table_join,
        make_table_with_columns as make_table_with_columns,
        then_table_filter as then_table_filter,
        then_table_join as then_table_join,
        then_table_with_columns as then_table_with_columns,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)

has_constructors(__name__)
