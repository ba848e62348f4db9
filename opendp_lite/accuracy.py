"""Scales to accuracies, losses and bounds and back; those of OpenDP by its names."""

from typing import TYPE_CHECKING

from opendp_lite.core.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.measurements.accuracy import (
        accuracy_to_discrete_gaussian_scale,
        accuracy_to_discrete_laplacian_scale,
        accuracy_to_gaussian_scale,
        accuracy_to_laplacian_scale,
        discrete_gaussian_scale_to_accuracy,
        discrete_laplacian_scale_to_accuracy,
        gaussian_scale_to_accuracy,
        laplacian_scale_to_accuracy,
    )
    from opendp_lite.measurements.snapping_accuracy import (
        accuracy_to_snapping_scale,
        snapping_scale_to_accuracy,
    )
    from opendp_lite.measurements.snapping_bias import (
        Bias,
        snapping_bias,
    )
    from opendp_lite.measurements.snapping_bounds import (
        snapping_bounds,
    )
    from opendp_lite.measurements.snapping_budget import (
        snapping_epsilon_to_scale,
        snapping_scale_to_epsilon,
    )
    from opendp_lite.measurements.snapping_law import (
        snapping_distribution,
    )
    from opendp_lite.measurements.snapping_precision import (
        snapping_precision,
    )
    from opendp_lite.measurements.statistic_bounds import (
        covariance_bounds,
        histogram_bounds,
        mean_bounds,
        variance_bounds,
    )
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "opendp_lite.measurements.accuracy": [
                "accuracy_to_discrete_gaussian_scale",
                "accuracy_to_discrete_laplacian_scale",
                "accuracy_to_gaussian_scale",
                "accuracy_to_laplacian_scale",
                "discrete_gaussian_scale_to_accuracy",
                "discrete_laplacian_scale_to_accuracy",
                "gaussian_scale_to_accuracy",
                "laplacian_scale_to_accuracy",
            ],
            "opendp_lite.measurements.snapping_accuracy": [
                "accuracy_to_snapping_scale",
                "snapping_scale_to_accuracy",
            ],
            "opendp_lite.measurements.snapping_bias": ["Bias", "snapping_bias"],
            "opendp_lite.measurements.snapping_bounds": ["snapping_bounds"],
            "opendp_lite.measurements.snapping_budget": [
                "snapping_epsilon_to_scale",
                "snapping_scale_to_epsilon",
            ],
            "opendp_lite.measurements.snapping_law": ["snapping_distribution"],
            "opendp_lite.measurements.snapping_precision": ["snapping_precision"],
            "opendp_lite.measurements.statistic_bounds": [
                "covariance_bounds",
                "histogram_bounds",
                "mean_bounds",
                "variance_bounds",
            ],
        },
    )

__all__ = [
    "Bias",
    "accuracy_to_discrete_gaussian_scale",
    "accuracy_to_discrete_laplacian_scale",
    "accuracy_to_gaussian_scale",
    "accuracy_to_laplacian_scale",
    "accuracy_to_snapping_scale",
    "covariance_bounds",
    "discrete_gaussian_scale_to_accuracy",
    "discrete_laplacian_scale_to_accuracy",
    "gaussian_scale_to_accuracy",
    "histogram_bounds",
    "laplacian_scale_to_accuracy",
    "mean_bounds",
    "snapping_bias",
    "snapping_bounds",
    "snapping_distribution",
    "snapping_epsilon_to_scale",
    "snapping_precision",
    "snapping_scale_to_accuracy",
    "snapping_scale_to_epsilon",
    "variance_bounds",
]
