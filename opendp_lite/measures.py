"""Measures: the public names of `opendp_lite.core.measure`."""

from opendp_lite.core.measure import *  # noqa: F403
from opendp_lite.core.measure import __all__ as __all__
