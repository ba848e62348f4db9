"""Transformations: deterministic functions of the data, and how far they spread it."""

from typing import TYPE_CHECKING

from opendp_lite.core.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.core.user import make_user_transformation, then_user_transformation
    from opendp_lite.transformations.casting import make_cast_default, then_cast_default
    from opendp_lite.transformations.clamping import make_clamp, then_clamp
    from opendp_lite.transformations.counting import make_count, then_count
    from opendp_lite.transformations.identity import make_identity, then_identity
    from opendp_lite.transformations.imputing import (
        make_impute_constant,
        then_impute_constant,
    )
    from opendp_lite.transformations.quantiles import (
        make_quantile_score_candidates,
        then_quantile_score_candidates,
    )
    from opendp_lite.transformations.summing import make_sum, then_sum
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "opendp_lite.core.user": [
                "make_user_transformation",
                "then_user_transformation",
            ],
            "opendp_lite.transformations.casting": [
                "make_cast_default",
                "then_cast_default",
            ],
            "opendp_lite.transformations.clamping": ["make_clamp", "then_clamp"],
            "opendp_lite.transformations.counting": ["make_count", "then_count"],
            "opendp_lite.transformations.identity": ["make_identity", "then_identity"],
            "opendp_lite.transformations.imputing": [
                "make_impute_constant",
                "then_impute_constant",
            ],
            "opendp_lite.transformations.quantiles": [
                "make_quantile_score_candidates",
                "then_quantile_score_candidates",
            ],
            "opendp_lite.transformations.summing": ["make_sum", "then_sum"],
        },
    )

__all__ = [
    "make_cast_default",
    "make_clamp",
    "make_count",
    "make_identity",
    "make_impute_constant",
    "make_quantile_score_candidates",
    "make_sum",
    "make_user_transformation",
    "then_cast_default",
    "then_clamp",
    "then_count",
    "then_identity",
    "then_impute_constant",
    "then_quantile_score_candidates",
    "then_sum",
    "then_user_transformation",
]
