"""Measurements: constructors of randomised releases with a privacy map."""

from opendp_lite.core.user import make_user_measurement, then_user_measurement
from opendp_lite.measurements.laplace import make_laplace, then_laplace
from opendp_lite.measurements.randomized_response import make_randomized_response_bool

__all__ = [
    "make_laplace",
    "make_randomized_response_bool",
    "make_user_measurement",
    "then_laplace",
    "then_user_measurement",
]
