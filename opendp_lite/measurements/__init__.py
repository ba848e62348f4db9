"""Measurements: constructors of randomised releases with a privacy map."""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import has_constructors, on_demand

if TYPE_CHECKING:
    from opendp_lite.laws.noise import Noise as Noise
    from opendp_lite.sessions.user import (
        make_user_measurement as make_user_measurement,
        then_user_measurement as then_user_measurement,
    )
    from opendp_lite.measurements.selection.above_threshold import (
        make_above_threshold as make_above_threshold,
        make_sparse_vector as make_sparse_vector,
        then_above_threshold as then_above_threshold,
        then_sparse_vector as then_sparse_vector,
    )
    from opendp_lite.measurements.responses.response_column import (
        make_randomized_response_bitvec_column as make_randomized_response_bitvec_column,
        then_randomized_response_bitvec_column as then_randomized_response_bitvec_column,
        make_randomized_response_column as make_randomized_response_column,
        then_randomized_response_column as then_randomized_response_column,
    )
    from opendp_lite.measurements.canonical.canonical_noise import (
        make_canonical_noise as make_canonical_noise,
        then_canonical_noise as then_canonical_noise,
    )
    from opendp_lite.measurements.responses.debiasing import (
        Frequency as Frequency,
        debias_randomized_response as debias_randomized_response,
        debias_randomized_response_bitvec as debias_randomized_response_bitvec,
    )
    from opendp_lite.measurements.noise.laplace_gaussian import (
        make_gaussian as make_gaussian,
        then_gaussian as then_gaussian,
        make_laplace as make_laplace,
        then_laplace as then_laplace,
        make_noise as make_noise,
        then_noise as then_noise,
    )
    from opendp_lite.measurements.noise.geometric import (
        make_geometric as make_geometric,
        then_geometric as then_geometric,
    )
    from opendp_lite.measurements.estimates.mean_estimate import (
        MeanEstimate as MeanEstimate,
    )
    from opendp_lite.measurements.estimates.private_bounds import (
        make_private_bounds as make_private_bounds,
        then_private_bounds as then_private_bounds,
    )
    from opendp_lite.measurements.estimates.private_mean import (
        make_private_mean as make_private_mean,
        then_private_mean as then_private_mean,
    )
    from opendp_lite.measurements.selection.noisy_max import (
        make_noisy_max as make_noisy_max,
        make_noisy_top_k as make_noisy_top_k,
        then_noisy_max as then_noisy_max,
        then_noisy_top_k as then_noisy_top_k,
    )
    from opendp_lite.measurements.selection.private_quantile import (
        make_private_quantile as make_private_quantile,
        then_private_quantile as then_private_quantile,
    )
    from opendp_lite.measurements.responses.randomized_response import (
        make_randomized_response as make_randomized_response,
        make_randomized_response_bitvec as make_randomized_response_bitvec,
        make_randomized_response_bool as make_randomized_response_bool,
        then_randomized_response_bitvec as then_randomized_response_bitvec,
    )
    from opendp_lite.measurements.snapping.snapping import (
        make_snapping as make_snapping,
        then_snapping as then_snapping,
    )
    from opendp_lite.measurements.threshold import (
        make_gaussian_threshold as make_gaussian_threshold,
        make_laplace_threshold as make_laplace_threshold,
        make_noise_threshold as make_noise_threshold,
        then_gaussian_threshold as then_gaussian_threshold,
        then_laplace_threshold as then_laplace_threshold,
        then_noise_threshold as then_noise_threshold,
    )
    from opendp_lite.measurements.canonical.tradeoff_noise import (
        gaussian_tradeoff as gaussian_tradeoff,
        laplace_tradeoff as laplace_tradeoff,
        make_tradeoff_noise as make_tradeoff_noise,
        make_user_tradeoff_noise as make_user_tradeoff_noise,
        then_tradeoff_noise as then_tradeoff_noise,
        then_user_tradeoff_noise as then_user_tradeoff_noise,
        user_tradeoff as user_tradeoff,
    )

    # Of a layer above: listed here, where users look, and loaded when asked for.
    from opendp_lite.tables.keys import (
        make_table_threshold as make_table_threshold,
        then_table_threshold as then_table_threshold,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)

has_constructors(__name__)
