"""Measures: how privacy loss is counted; kinds that are alike share a file."""

from opendp_lite.core.measures.approximate import (
    ApproximateDivergence,
    approximate,
    fixed_smoothed_max_divergence,
)
from opendp_lite.core.measures.curves import (
    RenyiDivergence,
    SmoothedMaxDivergence,
    renyi_divergence,
    smoothed_max_divergence,
)
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.plain import (
    MaxDivergence,
    ZeroConcentratedDivergence,
    max_divergence,
    zero_concentrated_divergence,
)
from opendp_lite.core.measures.profiles import PrivacyProfile, new_privacy_profile

__all__ = [
    "ApproximateDivergence",
    "MaxDivergence",
    "Measure",
    "PrivacyProfile",
    "RenyiDivergence",
    "SmoothedMaxDivergence",
    "ZeroConcentratedDivergence",
    "approximate",
    "fixed_smoothed_max_divergence",
    "max_divergence",
    "new_privacy_profile",
    "renyi_divergence",
    "smoothed_max_divergence",
    "zero_concentrated_divergence",
]
