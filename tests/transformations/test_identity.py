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
            "b_ary_tree cast cast_default cast_inherent clamp count count_by "
            "count_by_categories "
            "count_distinct covariance drop_null find find_bin histogram identity "
            "impute_constant index is_equal is_null lipschitz_float_mul mean "
            "metric_bounded metric_unbounded quantile_score_candidates row_by_row "
            "sum sum_of_squared_deviations unordered user_transformation variance"
        ).split()
    ]
    expected += aliases.__all__  # take no domain and metric, so they have no then_
    assert dir(dp.t) == sorted(expected)
    assert all(callable(getattr(dp.t, name)) for name in expected)
