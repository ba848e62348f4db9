"""Measurements: constructors of randomised releases with a privacy map."""

from opendp_lite.core.user import make_user_measurement, then_user_measurement
from opendp_lite.measurements.debiasing import (
    Frequency,
    debias_randomized_response,
    debias_randomized_response_bitvec,
)
from opendp_lite.measurements.gaussian import make_gaussian, then_gaussian
from opendp_lite.measurements.geometric import make_geometric, then_geometric
from opendp_lite.measurements.laplace import make_laplace, then_laplace
from opendp_lite.measurements.noisy_max import make_noisy_max, then_noisy_max
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

__all__ = [
    "Frequency",
    "debias_randomized_response",
    "debias_randomized_response_bitvec",
    "make_gaussian",
    "make_geometric",
    "make_laplace",
    "make_noisy_max",
    "make_randomized_response",
    "make_randomized_response_bitvec",
    "make_randomized_response_bool",
    "make_randomized_response_column",
    "make_user_measurement",
    "then_gaussian",
    "then_geometric",
    "then_laplace",
    "then_noisy_max",
    "then_randomized_response_bitvec",
    "then_randomized_response_column",
    "then_user_measurement",
]
