"""Measurements: constructors of randomised releases with a privacy map."""

from typing import TYPE_CHECKING

from opendp_lite.core.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.core.user import make_user_measurement, then_user_measurement
    from opendp_lite.measurements.above_threshold import (
        make_above_threshold,
        make_sparse_vector,
        then_above_threshold,
        then_sparse_vector,
    )
    from opendp_lite.measurements.bitvec_column import (
        make_randomized_response_bitvec_column,
        then_randomized_response_bitvec_column,
    )
    from opendp_lite.measurements.canonical_noise import (
        make_canonical_noise,
        then_canonical_noise,
    )
    from opendp_lite.measurements.debiasing import (
        Frequency,
        debias_randomized_response,
        debias_randomized_response_bitvec,
    )
    from opendp_lite.measurements.gaussian import make_gaussian, then_gaussian
    from opendp_lite.measurements.geometric import make_geometric, then_geometric
    from opendp_lite.measurements.laplace import make_laplace, then_laplace
    from opendp_lite.measurements.noise import make_noise, then_noise
    from opendp_lite.measurements.noisy_max import (
        make_noisy_max,
        make_noisy_top_k,
        then_noisy_max,
        then_noisy_top_k,
    )
    from opendp_lite.measurements.private_quantile import (
        make_private_quantile,
        then_private_quantile,
    )
    from opendp_lite.measurements.randomized_response import (
        make_randomized_response,
        make_randomized_response_bitvec,
        make_randomized_response_bool,
        then_randomized_response_bitvec,
    )
    from opendp_lite.measurements.response_column import (
        make_randomized_response_column,
        then_randomized_response_column,
    )
    from opendp_lite.measurements.snapping import make_snapping, then_snapping
    from opendp_lite.measurements.threshold import (
        make_gaussian_threshold,
        make_laplace_threshold,
        make_noise_threshold,
        then_gaussian_threshold,
        then_laplace_threshold,
        then_noise_threshold,
    )
    from opendp_lite.measurements.tradeoff_noise import (
        gaussian_tradeoff,
        laplace_tradeoff,
        make_tradeoff_noise,
        make_user_tradeoff_noise,
        then_tradeoff_noise,
        then_user_tradeoff_noise,
        user_tradeoff,
    )
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "opendp_lite.core.user": ["make_user_measurement", "then_user_measurement"],
            "opendp_lite.measurements.above_threshold": [
                "make_above_threshold",
                "make_sparse_vector",
                "then_above_threshold",
                "then_sparse_vector",
            ],
            "opendp_lite.measurements.bitvec_column": [
                "make_randomized_response_bitvec_column",
                "then_randomized_response_bitvec_column",
            ],
            "opendp_lite.measurements.canonical_noise": [
                "make_canonical_noise",
                "then_canonical_noise",
            ],
            "opendp_lite.measurements.debiasing": [
                "Frequency",
                "debias_randomized_response",
                "debias_randomized_response_bitvec",
            ],
            "opendp_lite.measurements.gaussian": ["make_gaussian", "then_gaussian"],
            "opendp_lite.measurements.geometric": ["make_geometric", "then_geometric"],
            "opendp_lite.measurements.laplace": ["make_laplace", "then_laplace"],
            "opendp_lite.measurements.noise": ["make_noise", "then_noise"],
            "opendp_lite.measurements.noisy_max": [
                "make_noisy_max",
                "make_noisy_top_k",
                "then_noisy_max",
                "then_noisy_top_k",
            ],
            "opendp_lite.measurements.private_quantile": [
                "make_private_quantile",
                "then_private_quantile",
            ],
            "opendp_lite.measurements.randomized_response": [
                "make_randomized_response",
                "make_randomized_response_bitvec",
                "make_randomized_response_bool",
                "then_randomized_response_bitvec",
            ],
            "opendp_lite.measurements.response_column": [
                "make_randomized_response_column",
                "then_randomized_response_column",
            ],
            "opendp_lite.measurements.snapping": ["make_snapping", "then_snapping"],
            "opendp_lite.measurements.threshold": [
                "make_gaussian_threshold",
                "make_laplace_threshold",
                "make_noise_threshold",
                "then_gaussian_threshold",
                "then_laplace_threshold",
                "then_noise_threshold",
            ],
            "opendp_lite.measurements.tradeoff_noise": [
                "gaussian_tradeoff",
                "laplace_tradeoff",
                "make_tradeoff_noise",
                "make_user_tradeoff_noise",
                "then_tradeoff_noise",
                "then_user_tradeoff_noise",
                "user_tradeoff",
            ],
        },
    )

__all__ = [
    "Frequency",
    "debias_randomized_response",
    "debias_randomized_response_bitvec",
    "gaussian_tradeoff",
    "laplace_tradeoff",
    "make_above_threshold",
    "make_canonical_noise",
    "make_gaussian",
    "make_gaussian_threshold",
    "make_geometric",
    "make_laplace",
    "make_laplace_threshold",
    "make_noise",
    "make_noise_threshold",
    "make_noisy_max",
    "make_noisy_top_k",
    "make_private_quantile",
    "make_randomized_response",
    "make_randomized_response_bitvec",
    "make_randomized_response_bitvec_column",
    "make_randomized_response_bool",
    "make_randomized_response_column",
    "make_snapping",
    "make_sparse_vector",
    "make_tradeoff_noise",
    "make_user_measurement",
    "make_user_tradeoff_noise",
    "then_above_threshold",
    "then_canonical_noise",
    "then_gaussian",
    "then_gaussian_threshold",
    "then_geometric",
    "then_laplace",
    "then_laplace_threshold",
    "then_noise",
    "then_noise_threshold",
    "then_noisy_max",
    "then_noisy_top_k",
    "then_private_quantile",
    "then_randomized_response_bitvec",
    "then_randomized_response_bitvec_column",
    "then_randomized_response_column",
    "then_snapping",
    "then_sparse_vector",
    "then_tradeoff_noise",
    "then_user_measurement",
    "then_user_tradeoff_noise",
    "user_tradeoff",
]
