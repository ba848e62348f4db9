# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_randomized_response_column; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.response_column:make_randomized_response_column ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.containers import rows
from opendp_lite.core.distance import HammingDistance
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.randomized_response import make_randomized_response
from typing import Any
import math

_FIX = "Pass vector_domain(atom_domain(T=str)), hamming_distance() and a list of str"

def make_randomized_response_column(
    input_domain: Domain, input_metric: Metric, categories: Any, prob: Any
) -> Measurement:
    response = make_randomized_response(categories, prob)
    if not isinstance(input_domain, VectorDomain) or not (
        response.input_domain.contains(input_domain.element_domain)
    ):
        rule = "must be a vector_domain whose rows are of the type of the categories"
        raise refusal("MakeMeasurement", "input_domain", input_domain, rule, _FIX)
    if not isinstance(input_metric, HammingDistance):
        rule = "must be hamming_distance(): the release has the order of the rows"
        raise refusal("MakeMeasurement", "input_metric", input_metric, rule, _FIX)
    size = math.inf if input_domain.size is None else input_domain.size
    epsilon = response.privacy_map(1)

    def function(arg: Any) -> list[Any]:
        return [response.function(row) for row in rows(arg)]

    def privacy_map(d_in: Any) -> Any:
        differing = min(d_in, size)
        if differing == 0:
            return 0
        if math.inf in (differing, epsilon):
            return math.inf
        return differing * epsilon

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


# === opendp_lite.core.containers:rows ===

from typing import Any

def rows(data: Any) -> list[Any]:
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]


# === opendp_lite.core.containers:native ===

from typing import Any

def native(value: Any) -> Any:
    return value.item() if scalar_kind(value) is not None else value


# === opendp_lite.core.containers:scalar_kind ===

def scalar_kind(value: object) -> str | None:
    numpy = _numpy()
    if numpy is None or not issubclass(type(value), numpy.generic):
        return None
    dtype = numpy.generic.dtype.__get__(value)
    if dtype.type is not type(value) or (dtype.kind in "iuf" and dtype.itemsize > 8):
        return None
    return str(dtype.kind)


# === opendp_lite.core.containers:_numpy ===

from typing import Any
import sys

def _numpy() -> Any:
    return sys.modules.get("numpy")
