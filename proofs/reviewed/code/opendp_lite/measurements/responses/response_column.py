# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.responses.response_column; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from gmpy2 import mpq
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.metrics.counting import HammingDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.measurements.responses.category_codes import category_array
from opendp_lite.measurements.responses.category_codes import encode_categories
from opendp_lite.measurements.responses.randomized_response import check_categories
from opendp_lite.measurements.responses.randomized_response import check_truth
from opendp_lite.measurements.responses.randomized_response import make_randomized_response
from opendp_lite.randomness.lanes import FEW_COINS
from opendp_lite.randomness.lanes import is_bulk
from typing import Any
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_FIX = "Pass vector_domain(atom_domain(T=str)), hamming_distance() and a list of str"
opendp_lite.randomness.lanes.FEW_COINS = 8


# === make_randomized_response_column with Iterable, Data, ExactDistance, ExactNumber,
#    is_array, rows, refusal, Domain, VectorDomain, Measurement, max_divergence,
#    HammingDistance, Metric, category_array, check_categories, check_truth,
#    make_randomized_response, FEW_COINS, is_bulk, Any, math, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, _FIX, opendp_lite.randomness.lanes.FEW_COINS
def make_randomized_response_column(
    input_domain: Domain,
    input_metric: Metric,
    categories: Iterable[Data],
    prob: ExactNumber,
) -> Measurement:
    _, values = check_categories("MakeMeasurement", categories)
    p = check_truth(prob, len(values))
    response = make_randomized_response(values, p)
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

    def function(arg: Data) -> Any:
        table = category_array(values) if is_array(arg) else None
        if is_bulk(len(arg), FEW_COINS):
            picked = _pick(_encode(arg, values), values, p)
            if table is not None:
                return table.take(picked)
            return [values[i] for i in picked.tolist()]
        answers = [response.function(row) for row in rows(arg)]
        return answers if table is None else _as_array(answers, table)

    def privacy_map(d_in: ExactDistance) -> Any:
        differing = min(d_in, size)
        if differing == 0:
            return 0
        if math.inf in (differing, epsilon):
            return math.inf
        return differing * epsilon

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


# === _encode with Array, Data, is_array, rows, encode_categories, Any, ?,
#    opendp_lite.base.aliases.Data
def _encode(column: Array, values: list[Data]) -> Any:
    import numpy as np

    if is_array(column):
        return encode_categories(column, values)
    positions = {value: i for i, value in enumerate(values)}
    codes = [positions.get(row, -1) for row in rows(column)]
    return np.array(codes, dtype=np.int64)


# === _pick with mpq, Array, Data, Any, ?, opendp_lite.base.aliases.Data
def _pick(codes: Array, values: list[Data], p: mpq) -> Any:
    from opendp_lite.randomness.bulk_draws import (
        sample_bernoullis,
        sample_uniforms_below,
    )

    if type(values[0]) is bool:
        return codes ^ sample_bernoullis(mpq(1) - p, codes.size)
    k, one = mpq(len(values)), mpq(1)
    s = (k * p - one) / (k - one)
    truthful = sample_bernoullis(s, codes.size)
    picked = sample_uniforms_below(len(values), codes.size)
    picked += (truthful & (codes >= 0)) * (codes - picked)
    return picked


# === _as_array with Data, Any, opendp_lite.base.aliases.Data
def _as_array(answers: list[Data], table: Any) -> Any:
    import numpy as np

    return np.array(answers, dtype=table.dtype)
