"""Pictures of guarantees: privacy profiles, and what a test between neighbours errs.

Both are drawn from the profile that a measurement has at a distance. Deltas are upper
bounds, and so the errors are lower bounds: no test does better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Distance, ExactNumber
from opendp_lite.base.errors import refusal
from opendp_lite.combinators.conversion import make_RDP_to_approxDP
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import (
    approximate,
    renyi_divergence,
    smoothed_max_divergence,
)
from opendp_lite.core.measures.profiles import PrivacyProfile
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.show.pictures.figures import (
    Axes,
    ThemeName,
    label_axes,
    new_figure,
    profile_end,
    profile_picture,
    put_legend,
    several_argument,
    theme_argument,
    title_argument,
)
from opendp_lite.solving.casts import cast, casts_to

_PRECISION = 96
_PAIRS = 72  # epsilons at which a profile is asked
_ERRORS = 80  # errors of the first kind at which a tradeoff is drawn
_KINDS = (Measurement, PrivacyProfile)
Compared = Measurement | PrivacyProfile | Mapping[str, Measurement | PrivacyProfile]


def profiles(
    measurements: Compared,
    d_in: Distance,
    deltas: Sequence[ExactNumber] = (1e-6,),
    theme: ThemeName = "light",
    ax: Axes | None = None,
    title: str | None = None,
) -> Any:
    """Return a picture of privacy profiles: delta over epsilon, upper bounds.

    A measurement under another measure (pure, approximate, zero-concentrated, Renyi) is
    converted by the conversions of the library.

    :param measurements: one measurement, or a mapping from names to measurements; a
        PrivacyProfile stands for itself
    :param d_in: the distance of the inputs
    :param deltas: where pairs (epsilon, delta) are marked, if epsilon is finite
    :param theme: "light" or "dark"
    :param ax: the axes of matplotlib that are drawn into; those of a new figure by
        default
    :param title: in place of the usual one

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> compared = {
    ...     "Laplace": dp.m.make_laplace(*space, scale=1),
    ...     "Gaussian": dp.m.make_gaussian(*space, scale=2)}
    >>> profiles(compared, d_in=1).axes[0].get_ylabel()
    'delta (upper bound)'
    """
    theme_argument(theme)
    return profile_picture(_profiles(measurements, d_in), deltas, theme, ax, title)


def tradeoffs(
    measurements: Compared,
    d_in: Distance,
    theme: ThemeName = "light",
    ax: Axes | None = None,
    title: str | None = None,
) -> Any:
    """Return a picture of tradeoff curves: how much a test must err, lower bounds.

    A test looks at a release and says which of two neighbours it came from. With the
    error of the first kind that is given, its error of the second kind is at least the
    one that is drawn.

    :param measurements: one measurement, or a mapping from names to measurements; a
        PrivacyProfile stands for itself
    :param d_in: the distance of the inputs
    :param theme: "light" or "dark"
    :param ax: the axes of matplotlib that are drawn into; those of a new figure by
        default
    :param title: in place of the usual one

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> figure = tradeoffs(dp.m.make_laplace(*space, scale=1), d_in=1)
    >>> figure.axes[0].get_xlabel()
    'error of the first kind'
    """
    colours = theme_argument(theme)
    heading = title_argument(title, "How much a test between neighbours errs")
    curves = {
        name: least_errors(profile)
        for name, profile in _profiles(measurements, d_in).items()
    }
    figure, (axes,) = new_figure(colours, (5.6, 5.2), ax=ax)
    (perfect,) = axes.plot([0, 1], [1, 0], color=colours.muted, linewidth=1)
    perfect.set_label("no information")
    lines = [perfect]
    for i, (name, points) in enumerate(curves.items()):
        (line,) = axes.plot(*zip(*points, strict=True), **colours.line(i))
        line.set_label(name)
        lines.append(line)
    named = lines if "" not in curves else [perfect]
    put_legend(axes, colours, named, loc="upper right")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    second = "error of the second kind (lower bound)"
    label_axes(axes, colours, heading, "error of the first kind", second)
    return figure


def profile_of(measurement: Measurement, d_in: Distance) -> PrivacyProfile:
    """Return the privacy profile of a measurement at a distance.

    :param measurement: under a measure that can be converted
    :param d_in: the distance of the inputs
    """
    measure, target = measurement.output_measure, smoothed_max_divergence()
    if measure == approximate(renyi_divergence()):
        measurement = make_RDP_to_approxDP(measurement)
    elif casts_to(measure, target):
        measurement = cast(measurement, target, None)
    else:
        rule = f"measures loss by {measure!r}, which has no conversion to a profile"
        fix = "Pass a measurement under one of the measures of the library"
        raise refusal("Plot", "measurement", measurement, rule, fix)
    found: PrivacyProfile = measurement.map(d_in)
    return found


def least_errors(profile: PrivacyProfile) -> list[tuple[float, float]]:
    """Return errors of the first kind, and the least ones of the second kind.

    (epsilon, delta)-privacy has the tradeoff max(0, 1 - delta - e^epsilon a,
    e^-epsilon (1 - delta - a)). All pairs of a profile hold at once, so the greatest of
    their tradeoffs is a bound, at each of the epsilons that are asked.
    """
    pairs = [(to_mpq(e), to_mpq(profile.delta(e))) for e in _asked(profile)]
    if any(epsilon == delta == 0 for epsilon, delta in pairs):
        return [(0.0, 1.0), (1.0, 0.0)]
    known = [ApproximateTradeoff(*pair) for pair in pairs]
    # Besides even steps the corners, of which each is at the fixed point of a pair.
    corners = [mpq(each.fixed_point(_PRECISION).lo) for each in known]
    even = [mpq(i, _ERRORS) for i in range(_ERRORS + 1)]
    # Each pair gives a bound. Floats choose which is taken, and decide nothing else.
    factors = [float(each.constants(_PRECISION).b.hi) for each in known]
    starts = [1 - float(each.delta) for each in known]
    lines = list(zip(starts, factors, strict=True))
    found = []
    for a in sorted({*corners, *even}):
        x = float(a)
        guesses = [max(y - x / b, (y - x) * b) if b else 0 for y, b in lines]
        best = known[guesses.index(max(guesses))]
        found.append((x, float(best.value(a, _PRECISION).lo)))
    return found


def _asked(profile: PrivacyProfile) -> list[Fraction]:
    """Return the epsilons at which a profile is asked: from 0 on, and where it ends."""
    end = profile_end(profile)
    # The less the epsilon, the more of the curve belongs to it.
    asked = {end * i * i / _PAIRS**2 for i in range(_PAIRS + 1)}
    last = profile.epsilon(min(profile.delta(math.inf), 1))
    return sorted(asked | ({Fraction(last)} if last < math.inf else set()))


def _profiles(measurements: Compared, d_in: Distance) -> dict[str, PrivacyProfile]:
    """Return the profiles of what is compared, by name, or refuse it."""
    found = {}
    for name, each in several_argument("measurements", measurements, _KINDS).items():
        if not isinstance(each, _KINDS):
            rule = f"that of {name!r} must be a Measurement or a PrivacyProfile"
            fix = "Pass for example {'Laplace': space >> then_laplace(scale=1.0)}"
            raise refusal("Plot", "measurements", each, rule, fix)
        found[name] = (
            each if isinstance(each, PrivacyProfile) else profile_of(each, d_in)
        )
    return found
