"""A query about a table as one measurement: its passes, and the noise of each vector.

The loss is parted over the vectors that are noisy, evenly or by weights, exactly; each
vector has the least noise for its part. Nothing here decides privacy: what the
measurement costs its map says, and whether it is answered the session decides. Were a
scale wrong, noise would be larger than it needs to be, or the query be refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.arguments import rational_argument
from opendp_lite.combinators.composition import make_composition, make_product
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.exact.enclosures import sqrt
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.roots import Root, root, squared
from opendp_lite.exact.rounding import round_up
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.measurements.noise.laplace_gaussian import make_gaussian, make_laplace
from opendp_lite.solving.casts import BOTH, CONCENTRATED, PAIR, PURE, cast
from opendp_lite.solving.links import middle
from opendp_lite.solving.parameters import joined
from opendp_lite.solving.refused import ContextError, refused
from opendp_lite.tables.answers.estimates import Noise
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.keys import hidden_units, make_table_threshold
from opendp_lite.tables.planning import spread
from opendp_lite.tables.questions.results import Wanted

_MOST = 2**62  # a threshold: there are fewer rows
_WEIGHTS_FIX = "Pass a dict of columns and numbers, such as weights={'people': 2}"


@attrs.frozen(eq=False)
class Vector:
    """A vector that is asked for: who asked first, what it is, and what a step is.

    `bins` is how many numbers it has for a key, where these are bins.
    """

    wanted: Wanted
    name: str
    words: str
    unit: mpq = attrs.field(factory=lambda: mpq(1))
    bins: int | None = None


@attrs.frozen(eq=False)
class Hidden:
    """A group-by whose keys are not public: its plan, and the arguments that made it.

    `count` is how many vectors there are, of people, rows and sums.
    """

    plan: Plan
    sums: dict[str, Any]
    options: dict[str, Any]
    count: int


@attrs.frozen(eq=False)
class Part:
    """One pass over the table: what it adds up, and which of that is released.

    `chain` leads to the vectors, a product or, where `single`, one vector; `places`
    says where each vector stands. Where keys are `hidden`, `chain` leads to the table.
    """

    vectors: tuple[Vector, ...]
    places: tuple[int, ...]
    chain: Any
    single: bool = False
    hidden: Hidden | None = None


@attrs.frozen(eq=False)
class Noisy:
    """A vector with its part of the loss, how far neighbours are apart, its noise."""

    vector: Vector
    share: mpq
    distance: Any
    noise: Noise

    def sensitivity(self) -> float:
        """Return how far neighbours are apart, in the unit of the column."""
        return round_up(_rational(self.distance) * self.vector.unit)


@attrs.frozen(eq=False)
class Planned:
    """The measurement of a query, and what is known of each vector in its release."""

    measurement: Measurement
    vectors: tuple[Noisy, ...]
    parts: tuple[Part, ...]
    order: tuple[tuple[Any, ...], ...] | None
    threshold: int | None = None

    def noises(self) -> dict[Wanted, Noise]:
        """Return the noise of each vector, by what it is."""
        return noises_of(self.vectors)

    def released(
        self, release: Any
    ) -> tuple[Sequence[tuple[Any, ...]], dict[Wanted, Sequence[Any]]]:
        """Return the keys of a release, and its vectors by what they are.

        Of bins, there is one list for each key.

        :param release: what the measurement released
        """
        found: dict[Wanted, Sequence[Any]] = {}
        order = self.order
        if order is None:  # the one pass says which keys there are
            order, release = release
        answers = release if len(self.parts) > 1 else [release]
        for part, answer in zip(self.parts, answers, strict=True):
            for place, vector in zip(part.places, part.vectors, strict=True):
                values = answer if part.single else answer[place]
                if vector.bins is not None:
                    n = vector.bins
                    values = [values[i : i + n] for i in range(0, len(values), n)]
                found[vector.wanted] = values
        return order, found


def noises_of(vectors: Iterable[Noisy]) -> dict[Wanted, Noise]:
    """Return the noise of each vector, by what the vector is."""
    return {each.vector.wanted: each.noise for each in vectors}


def law_of(measure: Measure) -> Law:
    """Return the noise for a measure: Laplace for epsilon, Gaussian for rho.

    :param measure: how the query counts its loss
    """
    if measure in (PURE, PAIR):
        return LAPLACE
    if measure in (CONCENTRATED, BOTH):
        return GAUSSIAN
    raise ContextError(
        "MeasureMismatch",
        f"queries about tables lose an epsilon or a rho, and not by {measure!r}. Use a "
        "Context with loss_of(epsilon=...) or loss_of(rho=...), with or without delta.",
    )


def least_scale(law: Law, distance: Any, share: mpq) -> mpq:
    """Return the least scale, or for roots the next double, that loses at most a share.

    A distance d loses d / b by Laplace noise of scale b, and d^2 / (2 b^2) by Gaussian.

    :param law: of the noise
    :param distance: exact, by which neighbours differ; 0 needs no noise
    :param share: more than 0
    """
    if distance == 0:
        return mpq(0)
    if law == LAPLACE:
        return mpq(distance) / share
    return _rational(root(mpq(squared(distance)) / (2 * share)))


def weights_argument(weights: object) -> dict[str, mpq]:
    """Return the weights by name, exact and above 0, or refuse them.

    :param weights: a dict from names to numbers; None for none
    """
    if weights is None:
        return {}
    if not isinstance(weights, Mapping):
        raise refused("weights", weights, "must be a dict", _WEIGHTS_FIX)
    exact: dict[str, mpq] = {}
    for name, number in weights.items():
        if type(name) is not str:
            raise refused("weights", name, "must have names", _WEIGHTS_FIX)
        told = f"weights[{name!r}]"
        exact[name] = rational_argument("Context", told, number, fix=_WEIGHTS_FIX)
        if exact[name] <= 0:
            rule = "must be more than 0, as a column without loss has no number"
            raise refused(told, number, rule, _WEIGHTS_FIX)
    return exact


def parted(total: mpq, names: Sequence[str], weights: Mapping[str, mpq]) -> list[mpq]:
    """Return the parts of a loss for the vectors of these names, which add up to it.

    :param total: the loss that is parted
    :param names: of the vectors that are noisy
    :param weights: by name, 1 where one is missing
    """
    for name in weights:
        if name not in names:
            known = ", ".join(names)
            rule = f"is no column with noise of its own, as are {known}"
            raise refused("weights", name, rule, _WEIGHTS_FIX)
    numbers = [weights.get(name, mpq(1)) for name in names]
    whole = sum(numbers, mpq(0))
    return [total * number / whole for number in numbers]


def noisy_vectors(
    parts: Sequence[Part],
    d_in: Any,
    measure: Measure,
    loss: ExactLoss,
    weights: Mapping[str, mpq],
) -> list[Noisy]:
    """Return the vectors of passes over a table, each with its noise for a loss.

    :param parts: the passes
    :param d_in: the exact distance of neighbours
    :param measure: how the loss is counted
    :param loss: the exact loss that is allowed
    :param weights: how it is parted, by the names of the vectors, 1 where left out
    """
    law = law_of(measure)
    apart = [_distances(part, d_in, law) for part in parts]
    vectors = [
        pair
        for part, each in zip(parts, apart, strict=True)
        for pair in zip(part.vectors, each, strict=True)
    ]
    names = [vector.name for vector, distance in vectors if distance != 0]
    shares = iter(parted(total_of(measure, loss), names, weights))
    noisy = []
    for vector, distance in vectors:
        share = next(shares) if distance != 0 else mpq(0)
        noise = Noise(law, least_scale(law, distance, share), vector.unit)
        noisy.append(Noisy(vector, share, distance, noise))
    return noisy


def planned(
    parts: Sequence[Part],
    order: tuple[tuple[Any, ...], ...] | None,
    d_in: Any,
    measure: Measure,
    loss: ExactLoss,
    noisy: Sequence[Noisy],
) -> Planned:
    """Return the measurement of passes over a table, with the noise for a loss.

    :param parts: the passes
    :param order: the public keys; None if keys are not public
    :param d_in: the exact distance of neighbours
    :param measure: how the query counts its loss
    :param loss: the exact loss that is allowed
    :param noisy: the vectors of the passes, as `noisy_vectors` returns them
    """
    law = law_of(measure)
    if parts[0].hidden is not None:
        made_of = parts[0], parts[0].hidden, noisy
        threshold, hidden = _thresholded(*made_of, d_in, measure, loss)
        return Planned(hidden, tuple(noisy), tuple(parts), None, threshold)
    found = iter(noisy)
    made = [
        cast(_measured(part, law, [next(found) for _ in part.vectors]), measure, loss)
        for part in parts
    ]
    whole = made[0] if len(made) == 1 else make_composition(made)
    return Planned(whole, tuple(noisy), tuple(parts), order)


def total_of(measure: Measure, loss: ExactLoss) -> mpq:
    """Return the epsilon or the rho of a loss, which must be positive."""
    total = loss[0] if type(loss) is tuple else loss
    if total <= 0:
        raise ContextError(
            "Context",
            "a query about a table has noise for its loss, which is 0. Let it lose a "
            "number greater than 0.",
        )
    return mpq(total)


def _distances(part: Part, d_in: Any, law: Law) -> list[Any]:
    """Return how far neighbours are apart in each vector, exact."""
    if part.hidden is not None:
        (_, metric), d_mid = middle(part.chain, d_in)
        units = hidden_units(part.hidden.plan, metric, law.power)[1]
        apart = [_moved(law.power, unit, d_mid) for unit in units]
    else:
        apart = part.chain.stability_map(d_in)
    found = [apart] if part.single else [apart[place] for place in part.places]
    if math.inf in found:
        raise ContextError(
            "Context",
            "privacy_unit: neighbours may differ without a limit, so that no noise is "
            "enough. Let unit_of() have a finite number.",
        )
    return found


def _moved(p: int, unit: int, d_in: Any) -> Any:
    return math.inf if d_in == math.inf else spread(p, unit, d_in)


def _thresholded(
    part: Part,
    hidden: Hidden,
    noisy: Sequence[Noisy],
    d_in: Any,
    measure: Measure,
    loss: Any,
) -> tuple[int, Measurement]:
    """Return the least threshold with an allowed delta, and the measurement with it."""
    scales: list[Any] = [None] * hidden.count
    for place, each in zip(part.places, noisy, strict=True):
        scales[place] = _plain(each.noise.scale)
    space, d_mid = middle(part.chain, d_in)
    given: Any = (measure, hidden.plan.by, hidden.sums, scales)
    make: Any = make_table_threshold

    def made(threshold: int) -> Measurement:
        measurement: Measurement = make(*space, *given, threshold, **hidden.options)
        return measurement

    least = _least_threshold(lambda t: made(t).privacy_map(d_mid)[1] <= loss[1])
    return least, joined(part.chain, made(least))


def _least_threshold(fits: Callable[[int], bool]) -> int:
    """Return the least threshold that fits: the delta falls as the threshold rises."""
    most = 1
    while not fits(most):
        most *= 2
        if most > _MOST:
            raise ContextError(
                "Context",
                "delta: is so small that no key could be released. Pass a greater one, "
                "or public keys.",
            )
    least = most // 2  # does not fit, or is 0
    while most - least > 1:
        between = (least + most) // 2
        least, most = (least, between) if fits(between) else (between, most)
    return most


def _rational(distance: Any) -> mpq:
    """Return a distance; if it is a root, the double above it, or what is close to it.

    The latter is for roots that are beyond all doubles.
    """
    if not isinstance(distance, Root):
        return mpq(distance)
    above = mpq(sqrt(distance.square, 64).hi)
    double = round_up(above)
    return above if math.isinf(double) else mpq(double)


def _measured(part: Part, law: Law, noisy: Sequence[Noisy]) -> Measurement:
    """Return the measurement of a pass: its vectors with their noise."""
    make: Callable[..., Any] = make_laplace if law == LAPLACE else make_gaussian
    scales = [_plain(each.noise.scale) for each in noisy]
    domain, metric = part.chain.output_space
    if part.single:
        made: Measurement = part.chain >> make(domain, metric, scales[0])
        return made
    noise: list[Any] = [None] * len(domain.parts)
    for place, scale in zip(part.places, scales, strict=True):
        noise[place] = make(domain.parts[place], metric.parts[place], scale)
    made = part.chain >> make_product(domain, metric, noise)
    return made


def _plain(scale: mpq) -> Any:
    """Return an exact scale as an int or a Fraction."""
    exact = to_fraction(scale)
    return int(exact) if exact.denominator == 1 else exact
