"""For tests of code that uses noise: tolerances and assertions of stated flakiness."""

from opendp_lite.testing.assertions import assert_close, assert_noisy, tolerance
from opendp_lite.testing.canonical import (
    canonical_tolerance,
    complementary_canonical_tolerance,
)
from opendp_lite.testing.ledger import state_flakiness
from opendp_lite.testing.tolerances import (
    complementary_gaussian_tolerance,
    complementary_laplace_tolerance,
    discrete_gaussian_tolerance,
    discrete_laplace_tolerance,
    gaussian_tolerance,
    integer_tolerance,
    laplace_tolerance,
    mean_flakiness,
    mean_tolerance,
    partition_flakiness,
)

__all__ = [
    "assert_close",
    "assert_noisy",
    "canonical_tolerance",
    "complementary_canonical_tolerance",
    "complementary_gaussian_tolerance",
    "complementary_laplace_tolerance",
    "discrete_gaussian_tolerance",
    "discrete_laplace_tolerance",
    "gaussian_tolerance",
    "integer_tolerance",
    "laplace_tolerance",
    "mean_flakiness",
    "mean_tolerance",
    "partition_flakiness",
    "state_flakiness",
    "tolerance",
]
