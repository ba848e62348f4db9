"""Conversion: the same releases, with the loss counted by another measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactDistance, ExactNumber
from opendp_lite.base.arguments import check_type, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.combinators.composition import check_measure
from opendp_lite.core.measurement import Measurement, at_same_distance
from opendp_lite.core.measures import (
    MaxDivergence,
    Measure,
    SmoothedMaxDivergence,
    ZeroConcentratedDivergence,
    approximate,
    max_divergence,
    renyi_divergence,
    smoothed_max_divergence,
    zero_concentrated_divergence,
)
from opendp_lite.core.measures.profiles import epsilon_at
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.core.registry import constructor
from opendp_lite.exact.rationals import to_loss, to_mpq, to_target
from opendp_lite.laws.conversions import (
    ORDERS,
    Profile,
    profile_of_concentrated,
    profile_of_orders,
    profile_of_pair,
    pure_to_concentrated,
)

_MAKE = "MakeMeasurement"
_FIX = "Pass a measurement, such as space >> then_laplace(scale=1.0)"


@constructor(proof="combinators/make_approximate", status="vetted")
def make_approximate(measurement: Measurement) -> Measurement:
    """Return the measurement with its loss as a pair (loss, delta), where delta is 0.

    Guarantee: whoever loses at most l under max_divergence or
    zero_concentrated_divergence loses at most (l, 0) under approximate(...) of it. So
    it can be composed with measurements that need a delta.

    :param measurement: under max_divergence or zero_concentrated_divergence

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = dp.c.make_approximate(dp.m.make_laplace(*space, scale=2))
    >>> noisy.output_measure, noisy.map(1)
    (Approximate(MaxDivergence()), (0.5, 0.0))

    Proof: proofs/combinators/make_approximate.tex
    """
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)  # proof: kind
    measure = measurement.output_measure
    if not isinstance(measure, MaxDivergence | ZeroConcentratedDivergence):
        rule = (
            f"measures loss by {measure!r}; it must be MaxDivergence or "
            "ZeroConcentratedDivergence"
        )
        fix = "Leave make_approximate out if the loss is a pair already"
        raise refusal(  # proof: measure
            "MeasureMismatch", "measurement", measurement, rule, fix
        )

    def privacy_map(d_in: ExactDistance) -> Any:
        return measurement.privacy_map(d_in), 0  # proof: map

    output = approximate(measure)  # proof: output-measure
    return _converted(measurement, output, privacy_map)  # proof: converted


@constructor(proof="combinators/make_pureDP_to_zCDP", status="vetted")
def make_pureDP_to_zCDP(measurement: Measurement) -> Measurement:
    """Return the measurement with its epsilon converted to a rho.

    Guarantee: whoever is epsilon-differentially private is rho-zero-concentrated
    differentially private, where rho is epsilon tanh(epsilon / 2), rounded up. No
    smaller rho will do for all, and it is less than epsilon^2 / 2. A pair (epsilon,
    delta) becomes (rho, delta).

    :param measurement: under max_divergence, or approximate of it

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = dp.c.make_pureDP_to_zCDP(dp.m.make_laplace(*space, scale=2))
    >>> noisy.output_measure, noisy.map(1)
    (ZeroConcentratedDivergence(), 0.12245933120185457)

    Proof: proofs/combinators/make_pureDP_to_zCDP.tex
    """
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)  # proof: kind
    fix = "Leave make_pureDP_to_zCDP out if the loss is a rho already"
    pairs = check_measure(measurement, max_divergence(), fix=fix)  # proof: measure

    def privacy_map(d_in: ExactDistance) -> Any:
        loss = measurement.privacy_map(d_in)  # proof: loss
        if pairs:
            return pure_to_concentrated(loss[0]), loss[1]  # proof: pair
        return pure_to_concentrated(loss)  # proof: map

    rho = zero_concentrated_divergence()
    output = approximate(rho) if pairs else rho  # proof: output-measure
    return _converted(measurement, output, privacy_map)  # proof: converted


@constructor(proof="combinators/make_zCDP_to_approxDP", status="vetted")
def make_zCDP_to_approxDP(measurement: Measurement) -> Measurement:
    """Return the measurement with its rho converted to a profile delta(epsilon).

    Guarantee: whoever is rho-zero-concentrated differentially private is (epsilon,
    delta)-differentially private for every epsilon >= 0, where delta is
    e^((a - 1)(a rho - epsilon)) (1 - 1/a)^a / (a - 1) for any a > 1 (Canonne, Kamath
    and Steinke 2020); a is chosen best. Outside of a part of mass d, if the loss is a
    pair (rho, d), it is d + (1 - d) delta.

    :param measurement: under zero_concentrated_divergence, or approximate of it

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=1))
    >>> profile = noisy.map(1)
    >>> profile.delta(epsilon=4), profile.epsilon(delta=1e-6)
    (0.00019579541695772162, 5.221534444530169)

    Proof: proofs/combinators/make_zCDP_to_approxDP.tex
    """
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)  # proof: kind
    base = zero_concentrated_divergence()
    fix = "Convert a pure measurement by make_pureDP_to_zCDP first"
    pairs = check_measure(measurement, base, fix=fix)  # proof: measure

    def privacy_map(d_in: ExactDistance) -> Profile:
        loss = measurement.privacy_map(d_in)  # proof: loss
        rho, rest = loss if pairs else (loss, 0)  # proof: parts
        return profile_of_concentrated(rho, min(mpq(rest), mpq(1)))  # proof: map

    output = smoothed_max_divergence()  # proof: output-measure
    return _converted(measurement, output, privacy_map)  # proof: converted


@constructor(proof="combinators/make_RDP_to_approxDP", status="vetted")
def make_RDP_to_approxDP(
    measurement: Measurement, orders: Iterable[ExactNumber] | None = None
) -> Measurement:
    """Return the measurement with its Renyi curve converted to a profile.

    Guarantee: whoever has Renyi divergences of at most e(a) is (epsilon, delta)-
    differentially private for every epsilon >= 0, where delta is
    e^((a - 1)(e(a) - epsilon)) (1 - 1/a)^a / (a - 1) for any order a > 1 (Canonne,
    Kamath and Steinke 2020); the one of `orders` that seems best is taken. Outside of a
    part of mass d, if the loss is a pair (e, d), it is d + (1 - d) delta.

    :param measurement: under renyi_divergence, or approximate of it
    :param orders: numbers greater than 1, at which the curve is asked; by default a
        ladder from 1 + 1/16 to nearly 4097, eight to the octave

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> own = dp.m.make_user_measurement(
    ...     *space, dp.renyi_divergence(), lambda x: 0, lambda d: lambda a: a * d**2 / 2
    ... )
    >>> dp.c.make_RDP_to_approxDP(own).map(1).epsilon(delta=1e-6)
    5.222428660953289
    >>> dp.disable_features("honest-but-curious")

    Proof: proofs/combinators/make_RDP_to_approxDP.tex
    """
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)  # proof: kind
    fix = "Convert a zero-concentrated measurement by make_zCDP_to_approxDP"
    pairs = check_measure(measurement, renyi_divergence(), fix=fix)  # proof: measure
    ladder = ORDERS if orders is None else _check_orders(orders)  # proof: orders

    def privacy_map(d_in: ExactDistance) -> Profile:
        loss = measurement.privacy_map(d_in)  # proof: loss
        curve, rest = loss if pairs else (loss, 0)  # proof: parts
        losses = [(order, curve(order)) for order in ladder]  # proof: losses
        return profile_of_orders(losses, min(mpq(rest), mpq(1)))  # proof: map

    output = smoothed_max_divergence()  # proof: output-measure
    return _converted(measurement, output, privacy_map)  # proof: converted


def _check_orders(orders: Iterable[ExactNumber]) -> tuple[mpq, ...]:
    """Return the orders as exact numbers, or refuse them."""
    fix = "Pass numbers such as orders=[1.5, 2, 4, 8]"
    values = tuple(orders) if isinstance(orders, list | tuple) else ()
    if not values:  # proof: some
        rule = "must be a list, a tuple or an array, of at least one number"
        raise refusal(_MAKE, "orders", orders, rule, fix)
    try:
        exact = tuple(map(to_mpq, values))  # proof: exact
    except (TypeError, ValueError):
        rule = "each must be a finite number"
        raise refusal(_MAKE, "orders", orders, rule, fix) from None
    if min(exact) <= 1:  # proof: greater
        raise refusal(_MAKE, "orders", orders, "each must be greater than 1", fix)
    return exact


@constructor(proof="combinators/make_fixed_approxDP_to_approxDP", status="vetted")
def make_fixed_approxDP_to_approxDP(measurement: Measurement) -> Measurement:
    """Return the measurement with its pair (e, d) converted to a profile.

    Guarantee: whoever is (e, d)-differentially private, in both orders, is (epsilon,
    delta)-differentially private for every epsilon >= 0, where delta is
    d + (1 - d) max(0, e^e - e^epsilon) / (1 + e^e), rounded up. No smaller delta will
    do for all.

    :param measurement: under approximate(max_divergence())

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> pure = dp.c.make_approximate(dp.m.make_laplace(*space, scale=1))
    >>> profile = dp.c.make_fixed_approxDP_to_approxDP(pure).map(1)
    >>> profile.delta(epsilon=0.5), profile.delta(epsilon=1), profile.epsilon(delta=0)
    (0.28764913664496794, 0.0, 1.0)

    Proof: proofs/combinators/make_fixed_approxDP_to_approxDP.tex
    """
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)  # proof: kind
    if measurement.output_measure != approximate(max_divergence()):
        rule = (
            f"measures loss by {measurement.output_measure!r}, not "
            "Approximate(MaxDivergence())"
        )
        fix = "Convert a pure measurement by make_approximate first"
        raise refusal(  # proof: measure
            "MeasureMismatch", "measurement", measurement, rule, fix
        )

    def privacy_map(d_in: ExactDistance) -> Profile:
        epsilon, delta = measurement.privacy_map(d_in)  # proof: loss
        return profile_of_pair(epsilon, min(mpq(delta), mpq(1)))  # proof: map

    output = smoothed_max_divergence()  # proof: output-measure
    return _converted(measurement, output, privacy_map)  # proof: converted


@constructor(proof="combinators/make_fix_delta", status="vetted")
def make_fix_delta(measurement: Measurement, delta: ExactNumber) -> Measurement:
    """Return the measurement with its profile replaced by one pair (epsilon, delta).

    Guarantee: whoever has the profile p is (epsilon, delta)-differentially private for
    every epsilon with p(epsilon) <= delta; the least such epsilon is taken, rounded up,
    and it is infinite if none is known. Where p(0) = 0, as at distance 0, the pair is
    (0, 0). A float means the lesser of its binary value and the decimal it prints as,
    or the greater where only that has an epsilon, as in a profile that ends at it.

    :param measurement: under smoothed_max_divergence
    :param delta: a probability, such as 1e-6

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> def noisy(scale):
    ...     zCDP = dp.m.make_gaussian(*space, scale)
    ...     return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(zCDP), delta=1e-6)
    >>> dp.binary_search_chain(noisy, d_in=1, d_out=(1.0, 1e-6)).map(1)
    (1.0, 1e-06)

    Proof: proofs/combinators/make_fix_delta.tex
    """
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)  # proof: kind
    if not isinstance(measurement.output_measure, SmoothedMaxDivergence):
        rule = f"measures loss by {measurement.output_measure!r}, not by a profile"
        fix = "Convert it by make_zCDP_to_approxDP or make_fixed_approxDP_to_approxDP"
        raise refusal(  # proof: measure
            "MeasureMismatch", "measurement", measurement, rule, fix
        )
    fixed = most = rational_argument(  # proof: delta
        _MAKE,
        "delta",
        delta,
        fix="Pass a probability such as 1e-9",
        convert=to_target,
        at_least=0,
        at_most=1,
    )
    if isinstance(delta, float):
        most = to_loss(present_number(fixed, exact=False))  # proof: most

    def privacy_map(d_in: ExactDistance) -> Any:
        curve = measurement.privacy_map(d_in)  # proof: curve
        epsilon = epsilon_at(curve, fixed)  # proof: epsilon
        if epsilon == math.inf and fixed < most:  # proof: little
            other = epsilon_at(curve, most)  # proof: other
            return (epsilon, fixed) if other == math.inf else (other, most)
        if epsilon == 0 and curve(mpq(0)) == 0:  # proof: none
            return 0, 0
        return epsilon, fixed  # proof: map

    output = approximate(max_divergence())  # proof: output-measure
    return _converted(measurement, output, privacy_map)  # proof: converted


def _converted(
    measurement: Measurement, measure: Measure, privacy_map: Callable[[Any], Any]
) -> Measurement:
    """Return the measurement with another measure and its map; all else is the same.

    Only `opens_session` is not passed on: a session counts as it did, and not so.
    """
    return Measurement(
        measurement.input_domain,
        measurement.function,  # proof: function
        measurement.input_metric,
        measure,  # proof: output-measure
        privacy_map,  # proof: map
        covers_rationals=measurement.covers_rationals,  # proof: rationals
        interactive=measurement.interactive,  # proof: interactive
        exclusive=measurement.exclusive,  # proof: exclusive
        noise=measurement.noise,
        parts=at_same_distance(measurement),
    )
