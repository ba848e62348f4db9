# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.conversion; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Iterable
from gmpy2 import mpq
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.combinators.composition import check_measure
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.approximate import approximate
from opendp_lite.core.measures.curves import SmoothedMaxDivergence
from opendp_lite.core.measures.curves import renyi_divergence
from opendp_lite.core.measures.curves import smoothed_max_divergence
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.plain import MaxDivergence
from opendp_lite.core.measures.plain import ZeroConcentratedDivergence
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.measures.plain import zero_concentrated_divergence
from opendp_lite.core.measures.profiles import epsilon_at
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.exact.rationals import to_loss
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rationals import to_target
from opendp_lite.laws.conversions import ORDERS
from opendp_lite.laws.conversions import Profile
from opendp_lite.laws.conversions import profile_of_concentrated
from opendp_lite.laws.conversions import profile_of_orders
from opendp_lite.laws.conversions import profile_of_pair
from opendp_lite.laws.conversions import pure_to_concentrated
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"
_FIX = "Pass a measurement, such as space >> then_laplace(scale=1.0)"
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.laws.conversions.ORDERS = tuple((1 + gmpy2.mpq(8 + opendp_lite.laws.conversions.i, 8) * opendp_lite.exact.grids.power_of_two(opendp_lite.laws.conversions.k) for opendp_lite.laws.conversions.k in range(-4, 12) for opendp_lite.laws.conversions.i in range(8)))


# === make_approximate with ExactDistance, check_type, refusal, Measurement,
#    approximate, MaxDivergence, ZeroConcentratedDivergence, Any,
#    opendp_lite.base.aliases.ExactDistance, _MAKE, _FIX
def make_approximate(measurement: Measurement) -> Measurement:
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)
    measure = measurement.output_measure
    if not isinstance(measure, MaxDivergence | ZeroConcentratedDivergence):
        rule = (
            f"measures loss by {measure!r}; it must be MaxDivergence or "
            "ZeroConcentratedDivergence"
        )
        fix = "Leave make_approximate out if the loss is a pair already"
        raise refusal(
            "MeasureMismatch", "measurement", measurement, rule, fix
        )

    def privacy_map(d_in: ExactDistance) -> Any:
        return measurement.privacy_map(d_in), 0

    output = approximate(measure)
    return _converted(measurement, output, privacy_map)


# === make_pureDP_to_zCDP with ExactDistance, check_type, check_measure, Measurement,
#    approximate, max_divergence, zero_concentrated_divergence, pure_to_concentrated,
#    Any, opendp_lite.base.aliases.ExactDistance, _MAKE, _FIX
def make_pureDP_to_zCDP(measurement: Measurement) -> Measurement:
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)
    fix = "Leave make_pureDP_to_zCDP out if the loss is a rho already"
    pairs = check_measure(measurement, max_divergence(), fix=fix)

    def privacy_map(d_in: ExactDistance) -> Any:
        loss = measurement.privacy_map(d_in)
        if pairs:
            return pure_to_concentrated(loss[0]), loss[1]
        return pure_to_concentrated(loss)

    rho = zero_concentrated_divergence()
    output = approximate(rho) if pairs else rho
    return _converted(measurement, output, privacy_map)


# === make_zCDP_to_approxDP with mpq, ExactDistance, check_type, check_measure,
#    Measurement, smoothed_max_divergence, zero_concentrated_divergence, Profile,
#    profile_of_concentrated, opendp_lite.base.aliases.ExactDistance, _MAKE, _FIX
def make_zCDP_to_approxDP(measurement: Measurement) -> Measurement:
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)
    base = zero_concentrated_divergence()
    fix = "Convert a pure measurement by make_pureDP_to_zCDP first"
    pairs = check_measure(measurement, base, fix=fix)

    def privacy_map(d_in: ExactDistance) -> Profile:
        loss = measurement.privacy_map(d_in)
        rho, rest = loss if pairs else (loss, 0)
        return profile_of_concentrated(rho, min(mpq(rest), mpq(1)))

    output = smoothed_max_divergence()
    return _converted(measurement, output, privacy_map)


# === make_RDP_to_approxDP with Iterable, mpq, ExactDistance, ExactNumber, check_type,
#    check_measure, Measurement, renyi_divergence, smoothed_max_divergence, ORDERS,
#    Profile, profile_of_orders, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, _MAKE, _FIX,
#    opendp_lite.laws.conversions.ORDERS
def make_RDP_to_approxDP(
    measurement: Measurement, orders: Iterable[ExactNumber] | None = None
) -> Measurement:
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)
    fix = "Convert a zero-concentrated measurement by make_zCDP_to_approxDP"
    pairs = check_measure(measurement, renyi_divergence(), fix=fix)
    ladder = ORDERS if orders is None else _check_orders(orders)

    def privacy_map(d_in: ExactDistance) -> Profile:
        loss = measurement.privacy_map(d_in)
        curve, rest = loss if pairs else (loss, 0)
        losses = [(order, curve(order)) for order in ladder]
        return profile_of_orders(losses, min(mpq(rest), mpq(1)))

    output = smoothed_max_divergence()
    return _converted(measurement, output, privacy_map)


# === _check_orders with Iterable, mpq, ExactNumber, refusal, to_mpq, ?,
#    opendp_lite.base.aliases.ExactNumber, _MAKE
def _check_orders(orders: Iterable[ExactNumber]) -> tuple[mpq, ...]:
    fix = "Pass numbers such as orders=[1.5, 2, 4, 8]"
    values = tuple(orders) if issubclass(type(orders), list | tuple) else ()
    if not values:
        rule = "must be a list, a tuple or an array, of at least one number"
        raise refusal(_MAKE, "orders", orders, rule, fix)
    try:
        exact = tuple(map(to_mpq, values))
    except (TypeError, ValueError):
        rule = "each must be a finite number"
        raise refusal(_MAKE, "orders", orders, rule, fix) from None
    if min(exact) <= 1:
        raise refusal(_MAKE, "orders", orders, "each must be greater than 1", fix)
    return exact


# === make_fixed_approxDP_to_approxDP with mpq, ExactDistance, check_type, refusal,
#    Measurement, approximate, smoothed_max_divergence, max_divergence, Profile,
#    profile_of_pair, opendp_lite.base.aliases.ExactDistance, _MAKE, _FIX
def make_fixed_approxDP_to_approxDP(measurement: Measurement) -> Measurement:
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)
    if measurement.output_measure != approximate(max_divergence()):
        rule = (
            f"measures loss by {measurement.output_measure!r}, not "
            "Approximate(MaxDivergence())"
        )
        fix = "Convert a pure measurement by make_approximate first"
        raise refusal(
            "MeasureMismatch", "measurement", measurement, rule, fix
        )

    def privacy_map(d_in: ExactDistance) -> Profile:
        epsilon, delta = measurement.privacy_map(d_in)
        return profile_of_pair(epsilon, min(mpq(delta), mpq(1)))

    output = smoothed_max_divergence()
    return _converted(measurement, output, privacy_map)


# === make_fix_delta with mpq, ExactDistance, ExactNumber, check_type,
#    rational_argument, refusal, Measurement, approximate, SmoothedMaxDivergence,
#    max_divergence, epsilon_at, present_number, to_loss, to_target, Any, math, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
#    _MAKE, _FIX
def make_fix_delta(measurement: Measurement, delta: ExactNumber) -> Measurement:
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)
    if not isinstance(measurement.output_measure, SmoothedMaxDivergence):
        rule = f"measures loss by {measurement.output_measure!r}, not by a profile"
        fix = "Convert it by make_zCDP_to_approxDP or make_fixed_approxDP_to_approxDP"
        raise refusal(
            "MeasureMismatch", "measurement", measurement, rule, fix
        )
    fixed = most = rational_argument(
        _MAKE,
        "delta",
        delta,
        fix="Pass a probability such as 1e-9",
        convert=to_target,
        at_least=0,
        at_most=1,
    )
    if issubclass(type(delta), float):
        most = to_loss(present_number(fixed, exact=False))

    def privacy_map(d_in: ExactDistance) -> Any:
        curve = measurement.privacy_map(d_in)
        epsilon = epsilon_at(curve, fixed)
        if epsilon == math.inf and fixed < most:
            other = epsilon_at(curve, most)
            return (epsilon, fixed) if other == math.inf else (other, most)
        if epsilon == 0 and curve(mpq(0)) == 0:
            return 0, 0
        return epsilon, fixed

    output = approximate(max_divergence())
    return _converted(measurement, output, privacy_map)


# === _converted with Callable, Measurement, Measure, Any
def _converted(
    measurement: Measurement, measure: Measure, privacy_map: Callable[[Any], Any]
) -> Measurement:
    return Measurement(
        measurement.input_domain,
        measurement.function,
        measurement.input_metric,
        measure,
        privacy_map,
        covers_rationals=measurement.covers_rationals,
        interactive=measurement.interactive,
        exclusive=measurement.exclusive,
    )
