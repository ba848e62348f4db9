"""Measures: how privacy loss is counted, one file a kind."""

from opendp_lite.core.measures.approximate import (
    ApproximateDivergence,
    approximate,
    fixed_smoothed_max_divergence,
)
from opendp_lite.core.measures.concentrated import (
    ZeroConcentratedDivergence,
    zero_concentrated_divergence,
)
from opendp_lite.core.measures.curves import (
    RenyiDivergence,
    SmoothedMaxDivergence,
    renyi_divergence,
    smoothed_max_divergence,
)
from opendp_lite.core.measures.max_divergence import MaxDivergence, max_divergence
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.profiles import PrivacyProfile, new_privacy_profile
from opendp_lite.core.measures.user import UserDivergence, user_divergence

__all__ = [
    "ApproximateDivergence",
    "MaxDivergence",
    "Measure",
    "PrivacyProfile",
    "RenyiDivergence",
    "SmoothedMaxDivergence",
    "UserDivergence",
    "ZeroConcentratedDivergence",
    "approximate",
    "fixed_smoothed_max_divergence",
    "max_divergence",
    "new_privacy_profile",
    "renyi_divergence",
    "smoothed_max_divergence",
    "user_divergence",
    "zero_concentrated_divergence",
]
