"""Assertions about noisy releases, each with a stated flakiness.

The flakiness of an assertion is an upper bound on the probability that it fails
although the measurement is right. It is None for the default of the run: 1e-23, or what
the option `--dp-flakiness` of the pytest plugin says. The plugin reports the sum over
all assertions.
"""

from __future__ import annotations

import math
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactNumber, Release
from opendp_lite.base.arguments import check_type, integer_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal, shown
from opendp_lite.core.measurement import NOISE_FIX, Measurement
from opendp_lite.exact.doubles import greatest_double, last_index
from opendp_lite.exact.enclosures import power
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_extended, to_mpq
from opendp_lite.exact.rounding import round_up, to_double
from opendp_lite.laws.noise import LARGEST, Noise
from opendp_lite.testing.ledger import LEDGER
from opendp_lite.testing.tolerances import partition_flakiness

_ONE, _TWO = mpq(1), mpq(2)
_LITTLE_LESS = _ONE - mpq(1, 2**50)
_NARROW = mpq(2**60)
_LAST_PRECISION = 2**14


def tolerance(
    measurement: Measurement,
    flakiness: ExactNumber | None = None,
    *,
    size: int | None = None,
) -> int | float:
    """Return how far noise takes a release, but for a probability of `flakiness`.

    Guarantee: with probability at least 1 - f, where f is `flakiness`, the noise that
    is added to the number, or to every entry of the vector, is at most t in size. The
    rounding of a release to a double comes on top; `assert_close` allows for it. Of
    the snapping mechanism t bounds the distance from the clamped number, the snapping
    included. It is an int if integers are released, else a float that is rounded up.

    :param measurement: whose `noise` is stated, for a number or a vector
    :param flakiness: above 0 and below 1, exact: float, Fraction, Decimal or text
    :param size: the number of entries, for vectors of unknown size only

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    >>> tolerance(space >> dp.m.then_laplace(scale=0.5), "1e-23")
    26.47972856943152...
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> tolerance(space >> dp.t.then_count() >> dp.m.then_laplace(scale=2), "1e-23")
    106

    Proof: proofs/testing/tolerance.tex
    """
    noise = _noise_of(measurement)  # proof: noise
    level = LEDGER.chosen(flakiness)  # proof: level
    if noise.form == "number" or noise.size is not None:
        if size is not None:
            fix = "Leave size out: the measurement says how many numbers it releases"
            rule = "is for vectors of unknown size"
            raise refusal(  # proof: known-size
                "InvalidDistance", "size", size, rule, fix
            )
        size = noise.size
    elif size is None:
        fix = "Pass the number of entries that will be compared, such as size=3"
        rule = "must be given for vectors of unknown size"
        raise refusal(  # proof: missing-size
            "InvalidDistance", "size", size, rule, fix
        )
    else:
        fix = "Pass the number of entries, such as size=3"
        size = integer_argument(  # proof: size
            "InvalidDistance", "size", size, fix=fix, at_least=0
        )
    bound = _bound(noise, level, 1 if size is None else size)
    if noise.whole and bound != math.inf:
        return int(bound)  # proof: whole
    return round_up(bound)  # proof: rounded


def assert_close(
    release: Release,
    expected: Release,
    measurement: Measurement,
    flakiness: ExactNumber | None = None,
) -> None:
    """Fail unless the release is as close to `expected` as the noise allows.

    A correct measurement fails with probability at most `flakiness`: the noise is
    within `tolerance(measurement, flakiness)`, and the rounding of a double within half
    an ulp. The comparison is exact. `expected` is what noise is added to: the data of
    the last link, such as the true count; it is rounded to the grid and clamped to the
    bounds where the measurement does so.

    :param release: what the measurement returned: a number, a list or an array
    :param expected: the number, or the numbers, without noise
    :param measurement: whose `noise` is stated, for a number or a vector
    :param flakiness: above 0 and below 1, exact: float, Fraction, Decimal or text

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = space >> dp.m.then_laplace(scale=2)
    >>> assert_close(noisy(100), 100, noisy, "1e-23")
    >>> assert_close(207, 100, noisy, "1e-23")
    Traceback (most recent call last):
        ...
    AssertionError: release 207 is 107 from 100, beyond the tolerance 106 (flakiness \
1e-23)

    Proof: proofs/testing/tolerance.tex
    """
    noise, level = _noise_of(measurement, release), LEDGER.chosen(flakiness)
    pairs = _pairs(release, expected, noise)
    bound = _bound(noise, level, len(pairs))  # proof: bound
    if not noise.is_zero:
        LEDGER.charge(level)
    for index, (found, true) in enumerate(pairs):
        place = f" (entry {index})" if noise.form == "vector" else ""
        if _infinite(true) or _infinite(found):
            if found != true:  # proof: infinite
                raise AssertionError(
                    f"release {shown(found)} is not {shown(true)}{place}"
                )
            continue
        centre = noise.clamp_to_ends(noise.start(to_mpq(true)))  # proof: centre
        distance = abs(_finite(found, place) - centre)
        allowed = _allowed(noise, found, bound)
        if distance > allowed:  # proof: beyond
            raise AssertionError(
                f"release {shown(found)} is {_short(distance)} from {_short(centre)}, "
                f"beyond the tolerance {_short(allowed)} (flakiness "
                f"{float(level):.3g}){place}"
            )


def assert_noisy(
    release: Release,
    expected: Release,
    measurement: Measurement,
    flakiness: ExactNumber | None = None,
) -> None:
    """Fail if the release is so close to `expected` that it seems to have no noise.

    A correct measurement fails with probability at most `flakiness`. For a number it
    fails within the complementary tolerance of the *released* law, for a vector if all
    entries are within it.

    A release may well be what it would be without noise: a double with probability
    about 1e-16, an integer often. Where that is more probable than `flakiness`, which
    is so for the default, 1e-23, of a single number, the assertion is refused, with
    the flakiness that can be reached.

    :param release: what the measurement returned: a number, a list or an array
    :param expected: the number, or the numbers, without noise
    :param measurement: whose `noise` is stated, for a number or a vector
    :param flakiness: above 0 and below 1, exact: float, Fraction, Decimal or text

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    >>> noisy = space >> dp.m.then_laplace(scale=1.0)
    >>> assert_noisy(noisy(1.0), 1.0, noisy, "1e-12")
    >>> assert_noisy(noisy(1.0), 1.0, noisy, "1e-23")
    Traceback (most recent call last):
        ...
    opendp_lite.base.errors.OpenDPException: InvalidDistance: flakiness=...: a correct \
release is the expected value itself with probability 8.32...e-17. Pass at least \
flakiness=8.32...e-17, or compare more entries at once.

    Proof: proofs/testing/tolerance.tex
    """
    noise, level = _noise_of(measurement, release), LEDGER.chosen(flakiness)
    pairs = _pairs(release, expected, noise)
    if noise.is_zero or not pairs or any(_infinite(true) for _, true in pairs):
        rule = "adds no noise to what is expected, so that there is none to be found"
        fix = "Pass a positive scale or d_in, and finite data with at least one entry"
        raise refusal("InvalidDistance", "measurement", measurement, rule, fix)
    root = mpq(1, len(pairs))
    part = greatest_double(lambda p: power(level, root, p))  # proof: part
    starts = [noise.start(to_mpq(true)) for _, true in pairs]
    quiet = {each: _quiet(noise, each, part) for each in set(starts)}  # proof: quiet
    if None in quiet.values():  # proof: unreachable
        atom = max(mpq(_same(noise, start)) for start in quiet)
        _refuse_unreachable(flakiness, level, round_up(_power(atom, len(pairs))))
    LEDGER.charge(level)
    for (found, _), start in zip(pairs, starts, strict=True):
        if _infinite(found) or not _within(noise, found, start, quiet[start]):
            return  # proof: noisy
    raise AssertionError(
        f"release {shown(release)} is within the complementary tolerance of "
        f"{shown(expected)}: it seems to have no noise (flakiness {float(level):.3g})"
    )


def _refuse_unreachable(given: Any, level: mpq, reachable: float) -> None:
    value = f"{float(level):.3g}" if given is None else given
    rule = (
        f"a correct release is the expected value itself with probability {reachable}"
    )
    fix = f"Pass at least flakiness={reachable}, or compare more entries at once"
    if reachable == 1:
        fix = "Pass a greater scale or d_in, or data that bounds do not hold fast"
    raise refusal("InvalidDistance", "flakiness", value, rule, fix)


def _quiet(noise: Noise, start: mpq, flakiness: float) -> mpq | None:
    """A t for which P(|release - start| <= t) is at most this; None if none is.

    It is the greatest one for integers. Elsewhere it is the distance of a release
    without noise, or for real noise and doubles one that allows for their rounding.
    """
    if _same(noise, start) > flakiness:  # proof: same
        return None
    if noise.whole:
        step = noise.step or _ONE

        def is_rare(i: int) -> bool:
            return _stays(noise, start, mpq(i) * step) <= flakiness

        far = _central(noise, flakiness)  # its multiples are only where to begin
        return mpq(last_index(is_rare, int(far / step))) * step  # proof: whole
    if noise.step is not None:
        return noise.measure_rounding(start)  # proof: near
    far = _central(noise, flakiness)  # proof: far
    if any(noise.clamp_to_ends(each) != each for each in (start - far, start + far)):
        return mpq(0)  # proof: zero
    # Where the noise exceeds `far` the release is at least far - ulp/2 away.
    ulp = to_mpq(math.ulp(round_up(abs(start) + far)))
    return max(far - ulp, mpq(0))  # proof: ulp


def _same(noise: Noise, start: mpq) -> float:
    """P(the release is as near as it would be without noise), rounded up."""
    return _stays(noise, start, noise.measure_rounding(start))  # proof: reach


def _stays(noise: Noise, start: mpq, reach: mpq) -> float:
    """P(|release - start| is at most `reach`), rounded up."""
    precision = 256
    while True:
        inside = noise.enclose_within(start, reach, precision)  # proof: inside
        narrow = mpq(inside.width) * _NARROW <= inside.hi
        if narrow or precision >= _LAST_PRECISION:
            return min(round_up(inside.hi), 1.0)  # proof: up
        precision *= 2


def _central(noise: Noise, flakiness: float) -> mpq:
    """A t with P(|noise| <= t) <= flakiness, which may be 0; for real noise."""
    least = noise.quantile(_ONE - mpq(flakiness))
    if least == math.inf:
        return mpq(0)
    size = mpq(least) * _LITTLE_LESS
    bits = 2 * abs(math.frexp(flakiness)[1])
    precision = 256 << max(0, bits.bit_length() - 8)
    inside = Enclosure(1, 1) - noise.tail(size, precision) * _TWO
    return size if inside.hi <= mpq(flakiness) else mpq(0)  # proof: checked


def _within(noise: Noise, found: Any, start: mpq, reach: mpq | None) -> bool:
    number = _finite(found, "")
    # A double that is the nearest to the start has no noise, whatever its distance.
    if not noise.whole and number == to_mpq(to_double(start)):
        return True  # proof: nearest
    return reach is not None and abs(number - start) <= reach  # proof: reach


def _noise_of(measurement: object, release: Release = None) -> Noise:
    """Return the noise of a number or a vector, or refuse what has no such noise."""
    fix = "Pass a measurement, such as space >> then_laplace(scale=1.0)"
    check_type("MakeMeasurement", "measurement", measurement, Measurement, fix)
    assert isinstance(measurement, Measurement)
    noise = measurement.noise
    if not isinstance(noise, Noise) or noise.form == "map":  # proof: unknown
        rule = "does not say which noise is added to one number or one vector"
        raise refusal("MakeMeasurement", "measurement", measurement, rule, NOISE_FIX)
    return noise.in_array() if is_array(release) else noise  # proof: array


def _bound(noise: Noise, level: mpq, count: int) -> mpq | float:
    """Return what bounds all noises; a double, if the releases are doubles."""
    part = level if count <= 1 else partition_flakiness(level, count)  # proof: part
    bound = noise.quantile(to_mpq(part))  # proof: bound
    if noise.whole or bound == math.inf:
        return bound
    up = round_up(bound)
    return up if up == math.inf else mpq(up)


def _allowed(noise: Noise, found: Any, bound: mpq | float) -> mpq | float:
    """The tolerance; with half an ulp if the release was rounded to a double."""
    if noise.whole or bound == math.inf:
        return bound
    ulp = math.ulp(to_double(to_mpq(found)))
    return mpq(bound) + to_mpq(ulp) / mpq(2)  # proof: half-ulp


def _pairs(release: Release, expected: Release, noise: Noise) -> list[tuple[Any, Any]]:
    if noise.form == "number":
        return [(release, noise.replace_infinity(expected))]  # proof: meant
    found, true = _entries("release", release), _entries("expected", expected)
    if len(found) != len(true):
        raise AssertionError(f"release has {len(found)} entries, not {len(true)}")
    return [(a, noise.replace_infinity(b)) for a, b in zip(found, true, strict=True)]


def _entries(name: str, values: Data) -> list[Any]:
    if is_array(values):
        return list(values.tolist())
    if isinstance(values, list | tuple):
        return list(values)
    rule, fix = "must be a list or an array", "The measurement releases vectors"
    raise refusal("InvalidDistance", name, values, rule, fix)


def _infinite(value: object) -> bool:
    try:
        return isinstance(to_extended(value), float)  # proof: extended
    except (TypeError, ValueError):
        return False


def _finite(found: Any, place: str) -> mpq:
    try:
        return to_mpq(found)
    except (TypeError, ValueError):
        raise AssertionError(f"release {shown(found)} is no number{place}") from None


def _power(base: mpq, exponent: int) -> mpq:
    """base^exponent, base <= 1, or a little more: squares are rounded up to doubles."""
    result, square = mpq(1), base
    while exponent:
        if exponent & 1:
            result = mpq(round_up(result * square))
        square = mpq(round_up(square * square))
        exponent >>= 1
    return result


def _short(number: mpq | float) -> str:
    if isinstance(number, float):
        return repr(number)
    if number.denominator == 1:
        return shown(int(number))
    return repr(float(number)) if abs(number) <= LARGEST else "inf"
