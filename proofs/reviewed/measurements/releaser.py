# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/releaser; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.additive:releaser ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.sampling.discrete import discrete_noise
from opendp_lite.sampling.law import Law
from opendp_lite.sampling.real import real_noise
from typing import Any

def releaser(
    law: Law, space: NumberSpace, scale: mpq, k: int | None
) -> Callable[[Any], Any]:
    whole = space.atom.T is int
    if k is None and whole:
        number, array = _integers(discrete_noise(law, scale))
    elif k is None:
        number, array = _reals(real_noise(law, scale))
    else:
        noise = discrete_noise(law, scale / power_of_two(k))
        choose = _integers_on_grid if whole else _reals_on_grid
        number, array = choose(noise, k)
    return on_members(space, number, array)


# === opendp_lite.measurements.additive:NumberSpace ===

from opendp_lite.core.atom import AtomDomain
import attrs

@attrs.frozen
class NumberSpace:
    atom: AtomDomain
    vector: bool
    size: int | None


# === opendp_lite.measurements.additive:on_members ===

from collections.abc import Callable
from opendp_lite.core.containers import is_array
from typing import Any

def on_members(
    space: NumberSpace, number: Callable[[Any], Any], array: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    if not space.vector:
        return number

    def function(arg: Any) -> Any:
        if is_array(arg):
            return array(arg)
        return [number(x) for x in arg]

    return function


# === opendp_lite.measurements.additive:_integers ===

from collections.abc import Callable
from opendp_lite.sampling.discrete import DiscreteNoise
from typing import Any

_Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]

def _integers(noise: DiscreteNoise) -> _Pair:
    sample = noise.sample

    def number(x: Any) -> int:
        return int(x) + sample()

    def array(values: Any) -> Any:
        if not _fits_int64(values):
            return saturated(number, values)
        return noise.add(_as_int64(values))

    return number, array


# === opendp_lite.measurements.additive:_integers_on_grid ===

from collections.abc import Callable
from opendp_lite.sampling.discrete import DiscreteNoise
from typing import Any

_Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]

def _integers_on_grid(noise: DiscreteNoise, k: int) -> _Pair:
    sample, step = noise.sample, 1 << k

    def number(x: Any) -> int:
        multiple = (2 * int(x) + step) // (2 * step)
        return (multiple + sample()) * step

    def array(values: Any) -> Any:
        if not _fits_int64(values):
            return saturated(number, values)
        return noise.add_on_grid(_as_int64(values), k)

    return number, array


# === opendp_lite.measurements.additive:_reals ===

from collections.abc import Callable
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.real import RealNoise
from typing import Any
import math

_INFINITE = (math.inf, -math.inf)
_Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]

def _reals(noise: RealNoise) -> _Pair:
    release = noise.release

    def number(x: Any) -> float:
        if type(x) is float:
            return release(x)
        if isinstance(x, float):
            return release(float(x))
        if x in _INFINITE:
            return float(x)
        return to_double(noise.sample(to_mpq(x)))

    def array(values: Any) -> Any:
        return noise.add(_as_float64(values))

    return number, array


# === opendp_lite.measurements.additive:_reals_on_grid ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.discrete import DiscreteNoise
from typing import Any
import math

_INFINITE = (math.inf, -math.inf)
_Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]

def _reals_on_grid(noise: DiscreteNoise, k: int) -> _Pair:
    sample, step = noise.sample, power_of_two(k)

    def number(x: Any) -> float:
        if x in _INFINITE:
            return float(x)
        multiple = nearest_multiple(to_mpq(x), k) + sample()
        return to_double(mpq(multiple) * step)

    def array(values: Any) -> Any:
        return noise.add_on_grid(_as_float64(values), k)

    return number, array


# === opendp_lite.measurements.additive:saturated ===

from collections.abc import Callable
from typing import Any

def saturated(release: Callable[[Any], int], values: Any) -> Any:
    import numpy

    released = [release(x) for x in values.tolist()]
    ends = -(2**63), 2**63 - 1
    clamped = [min(max(y, ends[0]), ends[1]) for y in released]
    return numpy.array(clamped, numpy.int64)


# === opendp_lite.measurements.additive:_fits_int64 ===

from typing import Any

def _fits_int64(values: Any) -> bool:
    return bool(values.dtype.kind == "i" or values.dtype.itemsize < 8)


# === opendp_lite.measurements.additive:_as_int64 ===

from typing import Any

def _as_int64(values: Any) -> Any:
    import numpy

    return numpy.asarray(values, numpy.int64)


# === opendp_lite.measurements.additive:_as_float64 ===

from typing import Any

def _as_float64(values: Any) -> Any:
    import numpy

    return numpy.asarray(values, numpy.float64)


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === opendp_lite.exact.grids:nearest_multiple ===

from gmpy2 import mpq

def nearest_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(((n << 1) + d) // (d << 1))


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)
