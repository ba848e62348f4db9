"""The Context: one budget for many queries, parameters solved for, and a journal.

It is a convenience: nothing in this room decides privacy, see `contexts.py`.
"""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.context.contexts import Context as Context
    from opendp_lite.context.methods import register as register
    from opendp_lite.context.queries import Query as Query
    from opendp_lite.solving.parameters import (
        Chain as Chain,
        PartialChain as PartialChain,
    )
    from opendp_lite.solving.units import loss_of as loss_of, unit_of as unit_of
    from opendp_lite.core.spaces import (
        domain_of as domain_of,
        metric_of as metric_of,
        space_of as space_of,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)
