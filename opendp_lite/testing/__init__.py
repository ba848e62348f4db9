"""For tests of code that uses noise: tolerances and assertions of stated flakiness.

The plugin of pytest is loaded in every run of pytest wherever the library is installed,
so this file loads its parts when they are asked for.
"""

from typing import TYPE_CHECKING

from opendp_lite.core.loading import on_demand

if TYPE_CHECKING:
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
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "opendp_lite.testing.assertions": [
                "assert_close",
                "assert_noisy",
                "tolerance",
            ],
            "opendp_lite.testing.canonical": [
                "canonical_tolerance",
                "complementary_canonical_tolerance",
            ],
            "opendp_lite.testing.ledger": [
                "state_flakiness",
            ],
            "opendp_lite.testing.tolerances": [
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
            ],
        },
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
