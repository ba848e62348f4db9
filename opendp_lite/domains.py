"""Domains: the public names of `opendp_lite.core.domains`."""

from typing import TYPE_CHECKING

from opendp_lite.core.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.core.domains import *  # noqa: F403
else:
    __getattr__, __dir__ = on_demand(__name__)
