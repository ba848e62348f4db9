"""What constructors return, and the tools around it, under the names OpenDP uses."""

from typing import TYPE_CHECKING

# `deserialize` knows the constructors of the packages that are loaded.
import opendp_lite.combinators
import opendp_lite.measurements
import opendp_lite.transformations  # noqa: F401
from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.core.domains import Domain as Domain
    from opendp_lite.base.errors import (
        OpenDPException as OpenDPException,
        SearchError as SearchError,
        UnknownTypeException as UnknownTypeException,
    )
    from opendp_lite.base.features import (
        GLOBAL_FEATURES as GLOBAL_FEATURES,
        assert_features as assert_features,
        disable_features as disable_features,
        enable_features as enable_features,
    )
    from opendp_lite.sessions.odometer import (
        Odometer as Odometer,
        OdometerQueryable as OdometerQueryable,
    )
    from opendp_lite.sessions.queryable import (
        Queryable as Queryable,
        new_queryable as new_queryable,
    )
    from opendp_lite.sessions.session import Session as Session
    from opendp_lite.core.measures import Measure as Measure
    from opendp_lite.core.measurement import (
        Function as Function,
        Measurement as Measurement,
        as_array as as_array,
        new_function as new_function,
    )
    from opendp_lite.core.metrics import Metric as Metric
    from opendp_lite.core.registry import (
        Partial,
        constructor as constructor,
        then as then,
    )
    from opendp_lite.solving.search import (
        binary_search as binary_search,
        binary_search_chain as binary_search_chain,
        binary_search_param as binary_search_param,
        exponential_bounds_search as exponential_bounds_search,
    )
    from opendp_lite.core.serializing import (
        deserialize as deserialize,
        serialize as serialize,
    )
    from opendp_lite.core.spaces import (
        RuntimeType as RuntimeType,
        domain_of as domain_of,
        metric_of as metric_of,
        space_of as space_of,
    )
    from opendp_lite.core.transformation import Transformation as Transformation

    PartialConstructor = Partial
else:
    __getattr__, __dir__ = on_demand(__name__)
