r"""How near a release is: the accuracy of what a constructor makes, by its arguments.

The functions are given the arguments of a constructor, by name, and a level alpha. What
they return is an a with P(\|r - c\| > a + u) <= alpha for the release r of every number
x, or of every entry or value x by itself. Here c is x, clamped where releases are: to
the bounds, to the doubles, in arrays of integers to int64. And u is what rounding a
float to its last place may move it: at most half an ulp of r (of snapping, what
`snapping_scale_to_accuracy` says), and 0 for integers. An infinite x is released as it
is. Of thresholds: a key is released with a value farther off with probability at most
alpha.
"""

from __future__ import annotations

import math
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, MapDomain, VectorDomain
from opendp_lite.core.measures import approximate, max_divergence
from opendp_lite.exact.grids import ceil_multiple, power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.measurements.noise.accuracies import (
    discrete_gaussian_scale_to_accuracy,
    discrete_laplacian_scale_to_accuracy,
    gaussian_scale_to_accuracy,
    laplacian_scale_to_accuracy,
)
from opendp_lite.measurements.noise.additive import (
    NumberSpace,
    check_grid,
    check_scale,
    spacing,
)
from opendp_lite.measurements.snapping.snapping_accuracy import (
    snapping_scale_to_accuracy,
)


def noise_accuracy(
    law: Law,
    atom: AtomDomain,
    scale: ExactNumber,
    k: ExactNumber | None,
    alpha: ExactNumber,
) -> float:
    """Return the accuracy of noise that is added to members of `atom`.

    Without a grid it is that of the law, by `..._scale_to_accuracy`. On the grid of
    multiples of 2^k, which without `k` are the integers, it is the least whole number
    of steps that the noise passes with probability at most alpha (beyond 2^53 of them
    rounded up, as doubles are), and half a step more where numbers are rounded to the
    grid before. Where the steps are so many that no double counts them, it is that of
    the law without a grid, and a step more.

    >>> noise_accuracy(LAPLACE, AtomDomain(T=int), 1, None, "0.05")
    3.0
    >>> noise_accuracy(LAPLACE, AtomDomain(T=float, nan=False), 1, -1, "0.05")
    3.25

    Proof: proofs/measurements/noise_accuracy.tex
    """
    b = check_scale(scale)  # proof: scale
    k = check_grid(k, NumberSpace(atom, vector=False, size=None))  # proof: k
    if k is None and atom.T is not int:
        return _real_accuracy(law, b, alpha)  # proof: real
    grid = power_of_two(k or 0)  # proof: grid
    if law.power == 1:
        steps = discrete_laplacian_scale_to_accuracy(b / grid, alpha)  # proof: steps
    else:
        steps = discrete_gaussian_scale_to_accuracy(b / grid, alpha)  # proof: squares
    rounded = mpq(0) if spacing(atom) >= grid else grid / 2  # proof: rounded
    if steps < math.inf:
        whole = max(ceil_multiple(mpq(steps), 0) - 1, 0)  # proof: whole
        return round_up(mpq(whole) * grid + rounded)  # proof: sum
    real = _real_accuracy(law, b, alpha)  # proof: fine
    if real == math.inf:  # proof: infinite
        return math.inf
    return round_up(mpq(real) + grid + rounded)  # proof: fine-sum


def _real_accuracy(law: Law, scale: mpq, alpha: ExactNumber) -> float:
    """Return the accuracy of real noise."""
    if law.power == 1:
        return laplacian_scale_to_accuracy(scale, alpha)  # proof: laplace
    return gaussian_scale_to_accuracy(scale, alpha)  # proof: gaussian


def laplace_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    """Return that of `make_laplace` and `make_laplace_threshold`."""
    atom = _numbers(given["input_domain"])
    return noise_accuracy(LAPLACE, atom, given["scale"], given["k"], alpha)


def gaussian_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    """Return that of `make_gaussian` and `make_gaussian_threshold`."""
    atom = _numbers(given["input_domain"])
    return noise_accuracy(GAUSSIAN, atom, given["scale"], given["k"], alpha)


def measured_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    """Return that of `make_noise` and `make_noise_threshold`, by the measure."""
    measure = given["output_measure"]
    if measure in (max_divergence(), approximate(max_divergence())):  # proof: law
        return laplace_accuracy(given, alpha)
    return gaussian_accuracy(given, alpha)


def geometric_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    """Return that of `make_geometric`; no more than the width of the bounds."""
    atom = _numbers(given["input_domain"])
    noise = noise_accuracy(LAPLACE, atom, given["scale"], None, alpha)  # proof: noise
    if given["bounds"] is None:
        return noise  # proof: unbounded
    lower, upper = map(to_mpq, given["bounds"])  # proof: bounds
    return min(noise, round_up(upper - lower))  # proof: width


def snapping_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    """Return that of `make_snapping` with exact arithmetic."""
    if given["precision"] is not None:  # proof: exact
        rule = "of the finite arithmetic no accuracy is proved"
        fix = "Leave precision out: the exact arithmetic costs nothing"
        raise refusal("Unsupported", "precision", given["precision"], rule, fix)
    return snapping_scale_to_accuracy(  # proof: snapping
        given["scale"], given["bounds"], alpha
    )


def _numbers(domain: Domain) -> Any:
    """Return the domain of the numbers to which noise is added, one by one."""
    if isinstance(domain, VectorDomain):
        return domain.element_domain  # proof: entries
    return domain.value_domain if isinstance(domain, MapDomain) else domain
