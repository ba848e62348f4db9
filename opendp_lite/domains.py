"""Domains: the public names of `opendp_lite.core.domains`, and those of tables."""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.core.domains import *  # noqa: F403
    from opendp_lite.sessions.user import (
        UserDomain as UserDomain,
        user_domain as user_domain,
    )
    from opendp_lite.tables.domain import (
        TableDomain as TableDomain,
        lazyframe_domain as lazyframe_domain,
        series_domain as series_domain,
        table_domain as table_domain,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)
