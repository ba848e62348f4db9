"""Measurements: constructors of randomised releases with a privacy map."""

from opendp_lite.core.user import make_user_measurement, then_user_measurement
from opendp_lite.measurements.debiasing import (
    Frequency,
    debias_randomized_response,
    debias_randomized_response_bitvec,
)
from opendp_lite.measurements.geometric import make_geometric, then_geometric
from opendp_lite.measurements.laplace import make_laplace, then_laplace
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
    "make_geometric",
    "make_laplace",
    "make_randomized_response",
    "make_randomized_response_bitvec",
    "make_randomized_response_bool",
    "make_randomized_response_column",
    "make_user_measurement",
    "then_geometric",
    "then_laplace",
    "then_randomized_response_bitvec",
    "then_randomized_response_column",
    "then_user_measurement",
]
