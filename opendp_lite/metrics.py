"""Metrics: the public names of `opendp_lite.core.metric`."""

from opendp_lite.core.metric import *  # noqa: F403
from opendp_lite.core.metric import __all__ as __all__
