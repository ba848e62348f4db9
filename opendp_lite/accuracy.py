"""Scales to accuracies, losses and bounds and back; those of OpenDP by its names."""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.measurements.noise.accuracies import (
        accuracy_to_discrete_gaussian_scale as accuracy_to_discrete_gaussian_scale,
        accuracy_to_discrete_laplacian_scale as accuracy_to_discrete_laplacian_scale,
        accuracy_to_gaussian_scale as accuracy_to_gaussian_scale,
        accuracy_to_laplacian_scale as accuracy_to_laplacian_scale,
        discrete_gaussian_scale_to_accuracy as discrete_gaussian_scale_to_accuracy,
        discrete_laplacian_scale_to_accuracy as discrete_laplacian_scale_to_accuracy,
        gaussian_scale_to_accuracy as gaussian_scale_to_accuracy,
        laplacian_scale_to_accuracy as laplacian_scale_to_accuracy,
    )
    from opendp_lite.measurements.snapping.snapping_accuracy import (
        accuracy_to_snapping_scale as accuracy_to_snapping_scale,
        snapping_scale_to_accuracy as snapping_scale_to_accuracy,
    )
    from opendp_lite.measurements.snapping.snapping_bias import (
        Bias as Bias,
        snapping_bias as snapping_bias,
    )
    from opendp_lite.measurements.snapping.snapping_bounds import (
        snapping_bounds as snapping_bounds,
    )
    from opendp_lite.measurements.snapping.snapping_budget import (
        snapping_epsilon_to_scale as snapping_epsilon_to_scale,
        snapping_scale_to_epsilon as snapping_scale_to_epsilon,
    )
    from opendp_lite.measurements.snapping.snapping_law import (
        snapping_distribution as snapping_distribution,
    )
    from opendp_lite.measurements.snapping.precision import (
        snapping_precision as snapping_precision,
    )
    from opendp_lite.measurements.estimates.statistic_bounds import (
        covariance_bounds as covariance_bounds,
        histogram_bounds as histogram_bounds,
        mean_bounds as mean_bounds,
        variance_bounds as variance_bounds,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)
