# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.release_accuracy; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.map import MapDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measures.approximate import approximate
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.laws.noise import GAUSSIAN
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.noise import Law
from opendp_lite.measurements.noise.accuracies import discrete_gaussian_scale_to_accuracy
from opendp_lite.measurements.noise.accuracies import discrete_laplacian_scale_to_accuracy
from opendp_lite.measurements.noise.accuracies import gaussian_scale_to_accuracy
from opendp_lite.measurements.noise.accuracies import laplacian_scale_to_accuracy
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.noise.additive import check_grid
from opendp_lite.measurements.noise.additive import check_scale
from opendp_lite.measurements.noise.additive import spacing
from opendp_lite.measurements.snapping.snapping_accuracy import snapping_scale_to_accuracy
from typing import Any
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.laws.noise.LAPLACE = opendp_lite.laws.noise.Law('Laplace', 1, 2)
opendp_lite.laws.noise.GAUSSIAN = opendp_lite.laws.noise.Law('Gaussian', 2, 2)


# === noise_accuracy with mpq, ExactNumber, AtomDomain, ceil_multiple, power_of_two,
#    round_up, Law, discrete_gaussian_scale_to_accuracy,
#    discrete_laplacian_scale_to_accuracy, NumberSpace, check_grid, check_scale,
#    spacing, math, ?, opendp_lite.base.aliases.ExactNumber
def noise_accuracy(
    law: Law,
    atom: AtomDomain,
    scale: ExactNumber,
    k: ExactNumber | None,
    alpha: ExactNumber,
) -> float:
    b = check_scale(scale)
    k = check_grid(k, NumberSpace(atom, vector=False, size=None))
    if k is None and atom.T is not int:
        return _real_accuracy(law, b, alpha)
    grid = power_of_two(k or 0)
    if law.power == 1:
        steps = discrete_laplacian_scale_to_accuracy(b / grid, alpha)
    else:
        steps = discrete_gaussian_scale_to_accuracy(b / grid, alpha)
    rounded = mpq(0) if spacing(atom) >= grid else grid / 2
    if steps < math.inf:
        whole = max(ceil_multiple(mpq(steps), 0) - 1, 0)
        return round_up(mpq(whole) * grid + rounded)
    real = _real_accuracy(law, b, alpha)
    if real == math.inf:
        return math.inf
    return round_up(mpq(real) + grid + rounded)


# === _real_accuracy with mpq, ExactNumber, Law, gaussian_scale_to_accuracy,
#    laplacian_scale_to_accuracy, ?, opendp_lite.base.aliases.ExactNumber
def _real_accuracy(law: Law, scale: mpq, alpha: ExactNumber) -> float:
    if law.power == 1:
        return laplacian_scale_to_accuracy(scale, alpha)
    return gaussian_scale_to_accuracy(scale, alpha)


# === laplace_accuracy with ExactNumber, LAPLACE, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.laws.noise.LAPLACE
def laplace_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    atom = _numbers(given["input_domain"])
    return noise_accuracy(LAPLACE, atom, given["scale"], given["k"], alpha)


# === gaussian_accuracy with ExactNumber, GAUSSIAN, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.laws.noise.GAUSSIAN
def gaussian_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    atom = _numbers(given["input_domain"])
    return noise_accuracy(GAUSSIAN, atom, given["scale"], given["k"], alpha)


# === measured_accuracy with ExactNumber, approximate, max_divergence, Any, ?,
#    opendp_lite.base.aliases.ExactNumber
def measured_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    measure = given["output_measure"]
    if measure in (max_divergence(), approximate(max_divergence())):
        return laplace_accuracy(given, alpha)
    return gaussian_accuracy(given, alpha)


# === geometric_accuracy with ExactNumber, to_mpq, round_up, LAPLACE, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.laws.noise.LAPLACE
def geometric_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    atom = _numbers(given["input_domain"])
    noise = noise_accuracy(LAPLACE, atom, given["scale"], None, alpha)
    if given["bounds"] is None:
        return noise
    lower, upper = map(to_mpq, given["bounds"])
    return min(noise, round_up(upper - lower))


# === snapping_accuracy with ExactNumber, refusal, snapping_scale_to_accuracy, Any, ?,
#    opendp_lite.base.aliases.ExactNumber
def snapping_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    if given["precision"] is not None:
        rule = "of the finite arithmetic no accuracy is proved"
        fix = "Leave precision out: the exact arithmetic costs nothing"
        raise refusal("Unsupported", "precision", given["precision"], rule, fix)
    return snapping_scale_to_accuracy(
        given["scale"], given["bounds"], alpha
    )


# === _numbers with Domain, MapDomain, VectorDomain, Any
def _numbers(domain: Domain) -> Any:
    if isinstance(domain, VectorDomain):
        return domain.element_domain
    return domain.value_domain if isinstance(domain, MapDomain) else domain
