# ruff: noqa
# fmt: off
# What was read of opendp_lite.testing.assertions; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.aliases import Release
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.base.errors import shown
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.doubles import greatest_double
from opendp_lite.exact.elementary import power
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.exact.rounding import to_double
from opendp_lite.testing.canonical import CanonicalNoise
from opendp_lite.testing.ledger import LEDGER
from opendp_lite.testing.noise import AddedNoise
from opendp_lite.testing.noise import added_noise
from opendp_lite.testing.snapping import SnappedNoise
from opendp_lite.testing.tolerances import partition_flakiness
from typing import Any
from typing import TypeAlias
import attrs
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.testing.ledger.LEDGER = opendp_lite.testing.ledger.Ledger()
opendp_lite.base.aliases.Release: typing.TypeAlias = typing.Any
_Noise: TypeAlias = AddedNoise | CanonicalNoise | SnappedNoise
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === tolerance with ExactNumber, integer_argument, refusal, Measurement, round_up,
#    LEDGER, added_noise, math, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.testing.ledger.LEDGER
def tolerance(
    measurement: Measurement,
    flakiness: ExactNumber | None = None,
    *,
    size: int | None = None,
) -> int | float:
    noise = added_noise(measurement)
    level = LEDGER.chosen(flakiness)
    if not noise.vector or noise.size is not None:
        if size is not None:
            fix = "Leave size out: the measurement says how many numbers it releases"
            rule = "is for vectors of unknown size"
            raise refusal(
                "InvalidDistance", "size", size, rule, fix
            )
        size = noise.size
    elif size is None:
        fix = "Pass the number of entries that will be compared, such as size=3"
        rule = "must be given for vectors of unknown size"
        raise refusal(
            "InvalidDistance", "size", size, rule, fix
        )
    else:
        fix = "Pass the number of entries, such as size=3"
        size = integer_argument(
            "InvalidDistance", "size", size, fix=fix, at_least=0
        )
    bound = _bound(noise, level, 1 if size is None else size)
    if noise.whole and bound != math.inf:
        return int(bound)
    return round_up(bound)


# === assert_close with ExactNumber, Release, shown, Measurement, LEDGER, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Release,
#    opendp_lite.testing.ledger.LEDGER
def assert_close(
    release: Release,
    expected: Release,
    measurement: Measurement,
    flakiness: ExactNumber | None = None,
) -> None:
    noise, level = _noise_of(measurement, release), LEDGER.chosen(flakiness)
    pairs = _pairs(release, expected, noise)
    bound = _bound(noise, level, len(pairs))
    if noise.scale > 0:
        LEDGER.charge(level)
    for index, (found, true) in enumerate(pairs):
        place = f" (entry {index})" if noise.vector else ""
        if _infinite(true) or _infinite(found):
            if found != true:
                raise AssertionError(
                    f"release {shown(found)} is not {shown(true)}{place}"
                )
            continue
        centre = noise.released(noise.start(true))
        distance = abs(_finite(found, place) - centre)
        allowed = _allowed(noise, found, bound)
        if distance > allowed:
            raise AssertionError(
                f"release {shown(found)} is {_short(distance)} from {_short(centre)}, "
                f"beyond the tolerance {_short(allowed)} (flakiness "
                f"{float(level):.3g}){place}"
            )


# === assert_noisy with mpq, ExactNumber, Release, refusal, shown, Measurement,
#    greatest_double, power, round_up, LEDGER, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Release, opendp_lite.testing.ledger.LEDGER
def assert_noisy(
    release: Release,
    expected: Release,
    measurement: Measurement,
    flakiness: ExactNumber | None = None,
) -> None:
    noise, level = _noise_of(measurement, release), LEDGER.chosen(flakiness)
    pairs = _pairs(release, expected, noise)
    if noise.scale == 0 or not pairs or any(_infinite(true) for _, true in pairs):
        rule = "adds no noise to what is expected, so that there is none to be found"
        fix = "Pass a positive scale or d_in, and finite data with at least one entry"
        raise refusal("InvalidDistance", "measurement", measurement, rule, fix)
    root = mpq(1, len(pairs))
    part = greatest_double(lambda p: power(level, root, p))
    starts = [noise.start(true) for _, true in pairs]
    quiet = {each: noise.quiet(each, part) for each in set(starts)}
    if None in quiet.values():
        atom = max(mpq(noise.same(start)) for start in quiet)
        _refuse_unreachable(flakiness, level, round_up(_power(atom, len(pairs))))
    LEDGER.charge(level)
    for (found, _), start in zip(pairs, starts, strict=True):
        if _infinite(found) or not _within(noise, found, start, quiet[start]):
            return
    raise AssertionError(
        f"release {shown(release)} is within the complementary tolerance of "
        f"{shown(expected)}: it seems to have no noise (flakiness {float(level):.3g})"
    )


# === _refuse_unreachable with mpq, refusal, Any
def _refuse_unreachable(given: Any, level: mpq, reachable: float) -> None:
    value = f"{float(level):.3g}" if given is None else given
    rule = (
        f"a correct release is the expected value itself with probability {reachable}"
    )
    fix = f"Pass at least flakiness={reachable}, or compare more entries at once"
    if reachable == 1:
        fix = "Pass a greater scale or d_in, or data that bounds do not hold fast"
    raise refusal("InvalidDistance", "flakiness", value, rule, fix)


# === _within with mpq, to_mpq, to_double, CanonicalNoise, AddedNoise, SnappedNoise,
#    Any, TypeAlias, _Noise
def _within(noise: _Noise, found: Any, start: mpq, reach: mpq | None) -> bool:
    number = _finite(found, "")
    if not noise.whole and number == to_mpq(to_double(start)):
        return True
    return reach is not None and abs(number - start) <= reach


# === _noise_of with Release, is_array, CanonicalNoise, AddedNoise, added_noise,
#    SnappedNoise, TypeAlias, attrs, opendp_lite.base.aliases.Release, _Noise
def _noise_of(measurement: object, release: Release) -> _Noise:
    return attrs.evolve(added_noise(measurement), array=is_array(release))


# === _bound with mpq, CanonicalNoise, AddedNoise, SnappedNoise, partition_flakiness,
#    TypeAlias, _Noise
def _bound(noise: _Noise, level: mpq, count: int) -> mpq | float:
    part = level if count <= 1 else partition_flakiness(level, count)
    return noise.tolerance(part)


# === _allowed with mpq, to_mpq, to_double, CanonicalNoise, AddedNoise, SnappedNoise,
#    Any, TypeAlias, math, _Noise
def _allowed(noise: _Noise, found: Any, bound: mpq | float) -> mpq | float:
    if noise.whole or bound == math.inf:
        return bound
    ulp = math.ulp(to_double(to_mpq(found)))
    return mpq(bound) + to_mpq(ulp) / mpq(2)


# === _pairs with Release, CanonicalNoise, AddedNoise, SnappedNoise, Any, TypeAlias,
#    opendp_lite.base.aliases.Release, _Noise
def _pairs(release: Release, expected: Release, noise: _Noise) -> list[tuple[Any, Any]]:
    if not noise.vector:
        return [(release, noise.meant(expected))]
    found, true = _entries("release", release), _entries("expected", expected)
    if len(found) != len(true):
        raise AssertionError(f"release has {len(found)} entries, not {len(true)}")
    return [(a, noise.meant(b)) for a, b in zip(found, true, strict=True)]


# === _entries with Data, is_array, refusal, Any, opendp_lite.base.aliases.Data
def _entries(name: str, values: Data) -> list[Any]:
    if is_array(values):
        return list(values.tolist())
    if isinstance(values, list | tuple):
        return list(values)
    rule, fix = "must be a list or an array", "The measurement releases vectors"
    raise refusal("InvalidDistance", name, values, rule, fix)


# === _infinite with to_extended
def _infinite(value: object) -> bool:
    try:
        return isinstance(to_extended(value), float)
    except (TypeError, ValueError):
        return False


# === _finite with mpq, shown, to_mpq, Any
def _finite(found: Any, place: str) -> mpq:
    try:
        return to_mpq(found)
    except (TypeError, ValueError):
        raise AssertionError(f"release {shown(found)} is no number{place}") from None


# === _power with mpq, round_up
def _power(base: mpq, exponent: int) -> mpq:
    result, square = mpq(1), base
    while exponent:
        if exponent & 1:
            result = mpq(round_up(result * square))
        square = mpq(round_up(square * square))
        exponent >>= 1
    return result
