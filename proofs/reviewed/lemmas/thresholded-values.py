# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/thresholded-values; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.threshold:_release_map ===

from collections.abc import Callable
from opendp_lite.core.containers import native
from opendp_lite.exact.rationals import Extended
from typing import Any

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _release_map(
    release: Callable[[Any], Any], least: Extended, arg: dict[Any, Any]
) -> dict[Any, Any]:
    released = {}
    for each in sorted(arg, key=native):
        value = release(arg[each])
        if value >= least:
            released[native(each)] = value
    return released


# === opendp_lite.measurements.threshold:_least ===

from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rounding import round_up

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _least(threshold: mpq, T: type) -> Extended:
    return ceil_multiple(threshold, 0) if T is int else round_up(threshold)


# === opendp_lite.measurements.threshold:_chancer ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rounding import to_double
from typing import Any
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _chancer(
    T: type,
    scale: mpq,
    k: int | None,
    least: Any,
    discrete_tail: Callable[[int, mpq, int], Enclosure],
    real_tail: Callable[[mpq, int], Enclosure],
) -> Callable[[Extended], Callable[[int], Enclosure]]:
    grid = power_of_two(0 if k is None else k)

    def chance(value: Extended) -> Callable[[int], Enclosure]:
        if value == math.inf:
            return _point(True)
        if least == math.inf:
            return _point(False)
        x = mpq(value)
        if T is int:
            x = mpq(floor_multiple(x, 0))
        cut = mpq(least) if T is int else _cut(least)
        if k is None and T is not int:
            if scale == 0:
                return _point(to_double(x) >= least)
            return lambda precision: real_tail((cut - x) / scale, precision)
        first = ceil_multiple(cut, k or 0)
        if T is not int and to_double(mpq(first) * grid) < least:
            first += 1
        steps = first - nearest_multiple(x, k or 0)
        if scale == 0:
            return _point(steps <= 0)
        return lambda precision: discrete_tail(steps, scale / grid, precision)

    return chance


# === opendp_lite.measurements.threshold:_point ===

from collections.abc import Callable
from opendp_lite.exact.intervals import Enclosure

def _point(certain: bool) -> Callable[[int], Enclosure]:
    return lambda precision: Enclosure(int(certain), int(certain))


# === opendp_lite.measurements.threshold:_cut ===

from gmpy2 import mpq
import math

def _cut(least: float) -> mpq:
    before = math.nextafter(least, -math.inf)
    return (mpq(before) + mpq(least)) / mpq(2)


# === opendp_lite.measurements.threshold:_rounded ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended
from opendp_lite.measurements.grid import absolute_sensitivity

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _rounded(d: Extended, k: int | None, step: mpq) -> Extended:
    return d if k is None else absolute_sensitivity(d, k, step)


# === opendp_lite.measurements.threshold:_rounded_norm ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _rounded_norm(
    sensitivity: Callable[[Extended, int, mpq, int], Extended],
    count: Extended,
    d: Extended,
    k: int | None,
    step: mpq,
) -> Extended:
    if k is None or d in (0, math.inf) or step >= power_of_two(k):
        return d
    if count == math.inf:
        return math.inf
    return sensitivity(d, k, step, int(count))


# === opendp_lite.measurements.threshold:_times ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _times(count: Extended, d: Extended) -> Extended:
    if d == 0:
        return 0
    return math.inf if math.inf in (count, d) else mpq(count) * mpq(d)


# === opendp_lite.measurements.threshold:_square ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _square(d: Extended) -> Extended:
    return math.inf if d == math.inf else mpq(d) * mpq(d)


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === opendp_lite.exact.rounding:round_up ===

from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def round_up(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest >= x else math.nextafter(nearest, math.inf)


# === opendp_lite.exact.rounding:_infinity ===

import math

def _infinity(x: float) -> float:
    if not math.isinf(x):
        raise TypeError("must be an int, a rational, or an infinity, got a float")
    return x


# === opendp_lite.exact.grids:nearest_multiple ===

from gmpy2 import mpq

def nearest_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(((n << 1) + d) // (d << 1))


# === opendp_lite.exact.grids:ceil_multiple ===

from gmpy2 import mpq

def ceil_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(-(-n // d))


# === opendp_lite.exact.grids:floor_multiple ===

from gmpy2 import mpq

def floor_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(n // d)


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
