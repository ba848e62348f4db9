"""Metrics: the public names of `opendp_lite.core.metrics`, and that of people."""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.core.metrics import *  # noqa: F403
    from opendp_lite.sessions.user import (
        UserDistance as UserDistance,
        user_distance as user_distance,
    )
    from opendp_lite.tables.distance import (
        IdentifierDistance as IdentifierDistance,
        symmetric_id_distance as symmetric_id_distance,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)
