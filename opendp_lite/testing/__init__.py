"""For tests of code that uses noise: tolerances and assertions of stated flakiness.

The plugin of pytest is loaded in every run of pytest wherever the library is installed,
so this file loads its parts when they are asked for.
"""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.testing.assertions import (
        assert_close as assert_close,
        assert_noisy as assert_noisy,
        tolerance as tolerance,
    )
    from opendp_lite.testing.ledger import state_flakiness as state_flakiness
    from opendp_lite.testing.tolerances import (
        canonical_tolerance as canonical_tolerance,
        complementary_canonical_tolerance as complementary_canonical_tolerance,
        complementary_gaussian_tolerance as complementary_gaussian_tolerance,
        complementary_laplace_tolerance as complementary_laplace_tolerance,
        discrete_gaussian_tolerance as discrete_gaussian_tolerance,
        discrete_laplace_tolerance as discrete_laplace_tolerance,
        gaussian_tolerance as gaussian_tolerance,
        integer_tolerance as integer_tolerance,
        laplace_tolerance as laplace_tolerance,
        mean_flakiness as mean_flakiness,
        mean_tolerance as mean_tolerance,
        partition_flakiness as partition_flakiness,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)
