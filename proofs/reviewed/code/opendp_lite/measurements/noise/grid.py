# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.grid; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.roots import Rooted
from opendp_lite.exact.roots import above
import math

_SPACINGS = {int: mpq(1), float: power_of_two(-1074), Fraction: mpq(0)}
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
opendp_lite.exact.roots.Rooted: typing.TypeAlias = opendp_lite.exact.rationals.Extended | opendp_lite.exact.roots.Root


# === spacing with Fraction, mpq, AtomDomain, power_of_two, _SPACINGS
def spacing(domain: AtomDomain) -> mpq:
    return _SPACINGS[domain.T]


# === absolute_sensitivity with mpq, ceil_multiple, power_of_two, Extended, math,
#    opendp_lite.exact.rationals.Extended
def absolute_sensitivity(d_in: Extended, k: int, step: mpq) -> Extended:
    if d_in == math.inf or step >= power_of_two(k):
        return d_in
    return mpq(ceil_multiple(mpq(d_in), k)) * power_of_two(k)


# === l1_sensitivity with mpq, ceil_multiple, floor_multiple, power_of_two, Extended,
#    math, opendp_lite.exact.rationals.Extended
def l1_sensitivity(d_in: Extended, k: int, step: mpq, size: int) -> Extended:
    grid = power_of_two(k)
    if d_in == math.inf or step >= grid:
        return d_in
    if d_in == 0 or size == 0:
        return 0
    if mpq(d_in) < mpq(size) * step:
        return mpq(floor_multiple(mpq(d_in) / step, 0)) * grid
    rest = mpq(d_in) - mpq(size - 1) * step
    return mpq(size - 1 + ceil_multiple(rest, k)) * grid


# === l2_sensitivity with mpq, power_of_two, Rooted, above, math,
#    opendp_lite.exact.rationals.Extended, opendp_lite.exact.roots.Rooted
def l2_sensitivity(d_in: Rooted, k: int, step: mpq, size: int) -> Rooted:
    grid = power_of_two(k)
    if d_in == math.inf or step >= grid:
        return d_in
    if d_in == 0 or size == 0:
        return 0
    root = math.isqrt((size << 128) - 1) + 1
    distance = above(d_in, k - 64)
    return distance + mpq(root, 1 << 64) * (grid - step)
