# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.selection.private_quantile; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import LInfDistance
from opendp_lite.measurements.selection.noisy_max import make_noisy_max
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from opendp_lite.transformations.quantiles import check_candidates
from opendp_lite.transformations.quantiles import make_quantile_score_candidates
from opendp_lite.transformations.quantiles import quantile_level
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_SCALE_FIX = "Pass a scale such as scale=1.0; 0 selects a nearest candidate for sure"


# === make_private_quantile with Iterable, mpq, Data, ExactDistance, ExactNumber,
#    rational_argument, Domain, Measurement, Measure, Metric, LInfDistance,
#    make_noisy_max, check_dataset, check_numbers, check_candidates,
#    make_quantile_score_candidates, quantile_level, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, _SCALE_FIX
def make_private_quantile(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    candidates: Iterable[ExactNumber],
    alpha: ExactNumber,
    scale: Any,
) -> Measurement:
    domain = check_dataset(input_domain, input_metric)
    element = check_numbers(domain)
    cuts = check_candidates(candidates, element)
    level = quantile_level(alpha)
    score = make_quantile_score_candidates(
        input_domain, input_metric, cuts, level
    )
    scale = rational_argument(
        "MakeMeasurement", "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    select = make_noisy_max(
        score.output_domain,
        LInfDistance(int, level.denominator == 1),
        output_measure,
        scale * mpq(level.denominator),
        negate=True,
    )

    def function(arg: Data) -> Any:
        return cuts[select.function(score.function(arg))]

    def privacy_map(d_in: ExactDistance) -> Any:
        return select.privacy_map(score.stability_map(d_in))

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        reads_floats=score.reads_floats,
    )
