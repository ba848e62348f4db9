"""Measures: the public names of `opendp_lite.core.measures`."""

from typing import TYPE_CHECKING

from opendp_lite.core.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.core.measures import *  # noqa: F403
else:
    __getattr__, __dir__ = on_demand(__name__)
