"""Domains: the public names of `opendp_lite.core.domain`."""

from opendp_lite.core.domain import *  # noqa: F403
from opendp_lite.core.domain import __all__ as __all__
