"""Parts of the user's own, taken on trust: domains, metrics, measures, functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import (
    Data,
    DataFunction,
    Distance,
    DistanceMap,
    ExactDistance,
    ExactLoss,
    Loss,
)
from opendp_lite.base.arguments import (
    check_type,
    check_user_part,
    user_at_most,
    user_distance_argument,
)
from opendp_lite.base.errors import OpenDPException, printed, refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.metrics.metric import Metric, present_number
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.rationals import to_loss
from opendp_lite.laws.noise import Noise
from opendp_lite.sessions.queryable import Queryable


@attrs.frozen(repr=False)
class UserDomain(Domain):
    """A domain described by the user: an identifier, a membership test, a descriptor.

    Two user domains are equal when identifier and descriptor are.
    """

    identifier: str
    test: Callable[[Any], bool] = attrs.field(eq=False)
    descriptor: Any = None

    def __attrs_post_init__(self) -> None:
        check_user_part("MakeDomain", self, "Pass a name that no other user domain has")
        if not callable(self.test):
            rule = "must be callable"
            fix = "Pass a function from a value to True or False"
            raise refusal("MakeDomain", "member", self.test, rule, fix)

    def member(self, value: Data) -> bool:
        """Return what the user's test says; a test that raises says no."""
        try:
            return bool(self.test(value))
        except Exception:
            return False

    def rule(self) -> str:
        """Return the rule as constant text."""
        return f"what the membership test of {self.identifier!r} accepts"

    @property
    def opaque(self) -> bool:
        """Only the user knows what it is made of."""
        return True

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return "ExtrinsicObject"

    def taken_on_trust(self) -> tuple[str, Callable[..., Any] | None] | None:
        """Return that the user says what its members are."""
        text = f"{self!r} is a domain of your own: its members are what its test says"
        return text, self.test

    def __repr__(self) -> str:
        given = self.descriptor is not None
        tail = f", descriptor={printed(self.descriptor)}" if given else ""
        return f"UserDomain({self.identifier!r}{tail})"


def user_domain(
    identifier: str, member: Callable[[Any], bool], descriptor: object = None
) -> UserDomain:
    """Return a domain of the user's own.

    What `member` says cannot be checked: the feature `honest-but-curious` is needed.

    :param identifier: a name that no other domain of the user has
    :param member: the function that says whether a value is a member
    :param descriptor: what else tells such domains apart

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> dp.user_domain("even", lambda x: isinstance(x, int) and x % 2 == 0).member(3)
    False
    >>> dp.disable_features("honest-but-curious")
    """
    return UserDomain(identifier, member, descriptor)


@attrs.frozen(repr=False)
class UserDistance(Metric):
    """A metric of the user's own; equal to another by identifier and descriptor."""

    identifier: str
    descriptor: Any = None
    measure: Callable[[Any, Any], Any] | None = attrs.field(default=None, eq=False)

    def __attrs_post_init__(self) -> None:
        fix = "Pass a name that no other user metric has"
        check_user_part("MetricSpace", self, fix)

    def distance(self, x: Data, y: Data) -> Any:
        """Return what the user's function says."""
        if self.measure is None:
            raise OpenDPException(
                "MetricSpace",
                f"{self!r} was made without a function to measure with. "
                "Pass user_distance(identifier, distance=...).",
            )
        return self.parse(self.measure(x, y), "distance")

    @property
    def measures(self) -> bool:
        """Whether the user gave a function to measure with."""
        return self.measure is not None

    def no_distances(self) -> list[Any]:
        """Return nothing: what is a distance is for the user to say."""
        return []

    def parse(self, d: Distance, name: str = "d_in") -> Any:
        """Return numbers as exact numbers and leave everything else alone."""
        return user_distance_argument(name, d)

    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        """Compare numbers, and what is none as its class says."""
        return user_at_most(d, limit)

    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        """Return numbers as a person reads them, everything else as it is."""
        return present_number(d, exact) if isinstance(d, int | float | mpq) else d

    def taken_on_trust(self) -> tuple[str, Callable[..., Any] | None] | None:
        """Return that the user says what its distances mean."""
        text = f"{self!r} is a metric of your own: its distances mean what you say"
        return text, self.measure

    def __repr__(self) -> str:
        given = self.descriptor is not None
        tail = f", descriptor={printed(self.descriptor)}" if given else ""
        return f"UserDistance({self.identifier!r}{tail})"


def user_distance(
    identifier: str,
    descriptor: object = None,
    *,
    distance: Callable[[Any, Any], Any] | None = None,
) -> UserDistance:
    """Return a metric of the user's own.

    What it measures cannot be checked: the feature `honest-but-curious` is needed.

    :param identifier: a name that no other metric of the user has
    :param descriptor: what else tells such metrics apart
    :param distance: the function that measures, where the library shall check pairs

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> dp.user_distance("edits", distance=lambda x, y: abs(x - y)).distance(3, 5)
    2
    >>> dp.disable_features("honest-but-curious")
    """
    return UserDistance(identifier, descriptor, distance)


@attrs.frozen(repr=False)
class UserDivergence(Measure):
    """A measure of the user's own; equal to another by identifier and descriptor."""

    identifier: str
    descriptor: Any = None

    def __attrs_post_init__(self) -> None:
        fix = "Pass a name that no other user measure has"
        check_user_part("MeasureMismatch", self, fix)

    @property
    def distance_type(self) -> str:
        """The type of the losses, as text: any type will do."""
        return "ExtrinsicObject"

    def parse(self, loss: Loss, name: str = "d_out") -> Any:
        """Return numbers as exact numbers and leave everything else alone."""
        return user_distance_argument(name, loss, to_loss)

    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        """Compare numbers, and what is none as its class says."""
        return user_at_most(loss, limit)

    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        """Return numbers as a person reads them, everything else as it is."""
        numeric = type(loss) in (int, float, mpq)
        return super().present(loss, exact) if numeric else loss

    def taken_on_trust(self) -> tuple[str, Callable[..., Any] | None] | None:
        """Return that the user says what its losses mean."""
        return f"{self!r} is a measure of your own: its losses mean what you say", None

    def __repr__(self) -> str:
        given = self.descriptor is not None
        tail = f", descriptor={printed(self.descriptor)}" if given else ""
        return f"UserDivergence({self.identifier!r}{tail})"


def user_divergence(identifier: str, descriptor: object = None) -> UserDivergence:
    """Return a measure of the user's own.

    What its losses mean cannot be checked: the feature `honest-but-curious` is needed.

    :param identifier: a name that no other measure of the user has
    :param descriptor: what else tells such measures apart

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> dp.user_divergence("tv")
    UserDivergence('tv')
    >>> dp.disable_features("honest-but-curious")
    """
    return UserDivergence(identifier, descriptor)


@constructor(
    proof="sessions/make_user_transformation",
    status="vetted",
    human_verified=(
        "function never fails on a member and maps it into output_domain",
        "inputs within d_in give outputs within stability_map(d_in)",
    ),
)
def make_user_transformation(
    input_domain: Domain,
    input_metric: Metric,
    output_domain: Domain,
    output_metric: Metric,
    function: DataFunction,
    stability_map: DistanceMap,
) -> Transformation:
    """Return a transformation made of the user's own function and map.

    Guarantee: if what the user says of `function` and `stability_map` is true, the
    images of x, x' at distance at most d_in are within stability_map(d_in).

    The library cannot check the claim, so the feature `honest-but-curious` is needed.
    The map is given ints for integer metrics and Fractions for others; a float that it
    returns is taken at its binary value.

    :param input_domain: domain of the arguments
    :param input_metric: metric of the arguments
    :param output_domain: domain of the results
    :param output_metric: metric of the results
    :param function: the user's own, which never fails on a member
    :param stability_map: from d_in to a bound on the distance of the results

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> double = space >> dp.t.then_user_transformation(
    ...     *space, lambda data: [2 * x for x in data], lambda d_in: d_in)
    >>> double([1, 2]), double.map(3)
    ([2, 4], 3)
    >>> dp.disable_features("honest-but-curious")

    Proof: proofs/sessions/make_user_transformation.tex
    """
    _check_callable("MakeTransformation", "function", function)  # proof: function
    _check_callable("MakeTransformation", "stability_map", stability_map)  # proof: map

    def exact_map(d_in: ExactDistance) -> Any:
        d_out = stability_map(input_metric.present(d_in, exact=True))  # proof: present
        return output_metric.parse(d_out, "stability_map(d_in)")  # proof: parse

    return Transformation(  # proof: space
        input_domain, output_domain, function, input_metric, output_metric, exact_map
    )


@constructor(
    proof="sessions/make_user_measurement",
    status="vetted",
    human_verified=(
        "function never fails on a member",
        "inputs within d_in give releases within privacy_map(d_in)",
    ),
)
def make_user_measurement(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    function: DataFunction,
    privacy_map: DistanceMap,
    TO: TypeArgument = "ExtrinsicObject",
    noise: Noise | None = None,
) -> Measurement:
    """Return a measurement made of the user's own function and map.

    Guarantee: if what the user says of `function` and `privacy_map` is true, the laws
    of the releases of x, x' at distance at most d_in are within privacy_map(d_in).

    The library cannot check the claim, so the feature `honest-but-curious` is needed.
    The map is given ints for integer metrics and Fractions for others; a float that it
    returns is a privacy loss.

    :param input_domain: domain of the arguments
    :param input_metric: metric of the arguments
    :param output_measure: how the loss is counted
    :param function: the user's own, which never fails on a member
    :param privacy_map: from d_in to a bound on the loss
    :param TO: "Queryable", or the class, if the release goes on answering, see
        new_queryable; else not needed
    :param noise: the noise that the function adds, if it does, see `dp.m.Noise`; then
        the measurement has an accuracy and can be tested and drawn

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> constant = dp.m.make_user_measurement(
    ...     dp.atom_domain(T=int), dp.absolute_distance(T=int), dp.max_divergence(),
    ...     lambda x: 23, lambda d_in: 0.0)
    >>> constant(1), constant.map(1)
    (23, 0.0)
    >>> laplace = dp.m.make_laplace(*constant.input_space, scale=2)
    >>> own = dp.m.make_user_measurement(
    ...     *constant.input_space, dp.max_divergence(), laplace, laplace.map,
    ...     noise=laplace.noise)
    >>> own.accuracy(0.05)
    6.0
    >>> dp.disable_features("honest-but-curious")

    Proof: proofs/sessions/make_user_measurement.tex
    """
    _check_callable("MakeMeasurement", "function", function)  # proof: function
    _check_callable("MakeMeasurement", "privacy_map", privacy_map)  # proof: map

    if noise is not None:
        fix = "Pass an object of a class that is derived from dp.m.Noise"
        check_type("MakeMeasurement", "noise", noise, Noise, fix)  # proof: noise

    def exact_map(d_in: ExactDistance) -> Any:
        d_out = privacy_map(input_metric.present(d_in, exact=True))  # proof: present
        return output_measure.parse(d_out, "privacy_map(d_in)")  # proof: parse

    return Measurement(  # proof: space
        input_domain,
        function,
        input_metric,
        output_measure,
        exact_map,
        interactive=_goes_on(TO),  # proof: interactive
        noise=noise,
    )


then_user_transformation = then(make_user_transformation)
then_user_measurement = then(make_user_measurement)


def _goes_on(TO: Any) -> bool:
    """Return whether this is the text "Queryable", or the class, or one of its own."""
    if isinstance(TO, type):  # proof: class
        return issubclass(TO, Queryable)  # proof: queryable
    return isinstance(TO, str) and TO == "Queryable"  # proof: text


def _check_callable(variant: str, name: str, value: object) -> None:
    if not callable(value):
        raise refusal(variant, name, value, "must be callable", "Pass a function")
