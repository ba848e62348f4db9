"""What constructors return, and the tools around it, under the names OpenDP uses."""

from opendp_lite.core.domain import Domain
from opendp_lite.core.errors import OpenDPException, SearchError
from opendp_lite.core.features import (
    GLOBAL_FEATURES,
    assert_features,
    disable_features,
    enable_features,
)
from opendp_lite.core.measure import Measure
from opendp_lite.core.measurement import Function, Measurement, new_function
from opendp_lite.core.metric import Metric
from opendp_lite.core.registry import Partial as PartialConstructor
from opendp_lite.core.search import (
    binary_search,
    binary_search_chain,
    binary_search_param,
    exponential_bounds_search,
)
from opendp_lite.core.spaces import domain_of, metric_of, space_of
from opendp_lite.core.transformation import Transformation

__all__ = [
    "GLOBAL_FEATURES",
    "Domain",
    "Function",
    "Measure",
    "Measurement",
    "Metric",
    "OpenDPException",
    "PartialConstructor",
    "SearchError",
    "Transformation",
    "assert_features",
    "binary_search",
    "binary_search_chain",
    "binary_search_param",
    "disable_features",
    "domain_of",
    "enable_features",
    "exponential_bounds_search",
    "metric_of",
    "new_function",
    "space_of",
]
