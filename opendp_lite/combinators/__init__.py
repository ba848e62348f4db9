"""Combinators: constructors that make one object out of others."""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import has_constructors, on_demand

if TYPE_CHECKING:
    from opendp_lite.combinators.adaptive import (
        make_adaptive_composition as make_adaptive_composition,
        make_fully_adaptive_composition as make_fully_adaptive_composition,
        make_privacy_filter as make_privacy_filter,
        make_sequential_composition as make_sequential_composition,
        then_adaptive_composition as then_adaptive_composition,
        then_fully_adaptive_composition as then_fully_adaptive_composition,
        then_sequential_composition as then_sequential_composition,
    )
    from opendp_lite.combinators.amplification import (
        make_poisson_subsample as make_poisson_subsample,
        make_population_amplification as make_population_amplification,
    )
    from opendp_lite.combinators.composition import (
        make_basic_composition as make_basic_composition,
        make_composition as make_composition,
        make_product as make_product,
        then_product as then_product,
    )
    from opendp_lite.combinators.conversion import (
        make_approximate as make_approximate,
        make_fix_delta as make_fix_delta,
        make_fixed_approxDP_to_approxDP as make_fixed_approxDP_to_approxDP,
        make_pureDP_to_zCDP as make_pureDP_to_zCDP,
        make_RDP_to_approxDP as make_RDP_to_approxDP,
        make_zCDP_to_approxDP as make_zCDP_to_approxDP,
    )
    from opendp_lite.combinators.parallel import (
        make_parallel_composition as make_parallel_composition,
        then_parallel_composition as then_parallel_composition,
    )
    from opendp_lite.combinators.selection import (
        make_select_private_candidate as make_select_private_candidate,
    )
    from opendp_lite.core.chaining import (
        make_chain_mt as make_chain_mt,
        make_chain_pm as make_chain_pm,
        make_chain_proved as make_chain_proved,
        make_chain_tt as make_chain_tt,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)

has_constructors(__name__)
