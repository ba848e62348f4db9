"""Measures: the public names of `opendp_lite.core.measures`."""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.core.measures import *  # noqa: F403
    from opendp_lite.sessions.user import (
        UserDivergence as UserDivergence,
    )
    from opendp_lite.sessions.user import (
        user_divergence as user_divergence,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)
