"""Transformations: functions between metric spaces, most of them deterministic."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar, overload

import attrs

from opendp_lite.base.aliases import Data, Distance
from opendp_lite.base.errors import OpenDPException, refusal, write_number
from opendp_lite.base.features import assert_features
from opendp_lite.base.ownership import Described
from opendp_lite.core.domains import Domain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.record import Made

if TYPE_CHECKING:
    from opendp_lite.core.measurement import Measurement
    from opendp_lite.core.registry import Partial

R = TypeVar("R", bound="Transformation | Measurement")


def check_own(part: Described) -> None:
    """Ask for a feature where a class is not the library's: nothing is proved of it."""
    kind = part.foreign_part
    if kind is not None:  # proof: foreign
        what = f"{kind.__name__}, a class of which the library can prove nothing,"
        assert_features("honest-but-curious", what=what)


def check_space(domain: Any, metric: Any, name: str = "input") -> None:
    """Raise unless (domain, metric) is a metric space."""
    for part, value, kind in (("domain", domain, Domain), ("metric", metric, Metric)):
        if not isinstance(value, kind):  # proof: kinds
            raise OpenDPException(
                "MetricSpace",
                f"{name}_{part} is a {type(value).__name__}: must be a "
                f"{kind.__name__}. Pass for example "
                "(vector_domain(atom_domain(T=int)), symmetric_distance()).",
            )
        check_own(value)
    objection = metric.objection(domain)
    if objection is not None:  # proof: objection
        raise OpenDPException(
            "MetricSpace",
            f"({domain!r}, {metric!r}) is not a metric space: {metric!r} cannot be "
            f"used here because {objection}. Change the {name} domain or the metric.",
        )


def invoke_read(made: Any, arg: Data) -> Any:
    """Do as `made.invoke`, but a long list of floats is read by the domain, once."""
    member, taken = made.input_domain.read(arg)  # proof: member
    if not member:
        taken = made.input_domain.admitted(arg)  # proof: admitted
    return made.function(taken)  # proof: function


@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    """A function from one metric space to another, with its stability map.

    If two members of `input_domain` are at distance at most d_in under
    `input_metric`, their images are members of `output_domain` at distance at most
    `stability_map(d_in)` under `output_metric`.

    `random` says that `function` draws random bits. Then the images of two members are
    at that distance under some coupling: both can be drawn together, each with the law
    that it has alone, so that they always are. A random transformation makes none of
    the claims below.

    Claims, proved where they are made, let a chain do less. Two let it work through an
    array in parts that fit in the cache. Both say that `function` is defined on the
    parts of every array that is a member, and raises for a part where it raises for the
    array.
    `by_rows`: it makes of an array what it makes of the parts, one after the other.
    `merge`: applied to what it makes of the parts, in their order, this function gives
    what it makes of the array; `sum`, for example. It is None where nothing is claimed.
    Two let it leave out a step, for rows that are integers, or floats but no NaN.
    `clamps`: all it does is to bring the rows into the bounds of `output_domain`.
    `absorbs_clamp`: it makes of any rows of the type what it makes of them once they
    were brought into the bounds of `input_domain`.
    One lets those who call it read the rows: `reads_floats`. It makes of a list of
    floats what it makes of the array of float64 with the same rows.

    `lower_is_better` says that the results are scores, and that the best candidate has
    the lowest. Then chaining refuses a measurement that selects the highest. A chain
    has the field of its last link, or of the link before one that clamps the scores.
    Chaining cannot look at what a session on such scores is asked later. Privacy does
    not depend on this field.
    """

    input_domain: Domain
    output_domain: Domain
    function: Callable[[Any], Any]
    input_metric: Metric
    output_metric: Metric
    stability_map: Callable[[Any], Any]
    by_rows: bool = attrs.field(default=False, kw_only=True)
    merge: Callable[[Iterable[Any]], Any] | None = attrs.field(
        default=None, kw_only=True
    )
    clamps: bool = attrs.field(default=False, kw_only=True)
    absorbs_clamp: bool = attrs.field(default=False, kw_only=True)
    reads_floats: bool = attrs.field(default=False, kw_only=True)
    random: bool = attrs.field(default=False, kw_only=True)
    lower_is_better: bool = attrs.field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        check_space(self.input_domain, self.input_metric, "input")
        check_space(self.output_domain, self.output_metric, "output")

    def invoke(self, arg: Data) -> Any:
        """Check that `arg` is a member of the input domain, and apply the function.

        What stands for a member, such as a column of pandas, is made one first.
        """
        if self.reads_floats:
            return invoke_read(self, arg)  # proof: read
        if not self.input_domain.member(arg):  # proof: member
            arg = self.input_domain.admitted(arg)  # proof: admitted
        return self.function(arg)  # proof: function

    def __call__(self, arg: Data) -> Any:
        """As `invoke`."""
        return self.invoke(arg)

    def map(self, d_in: Distance, *, exact: bool = False) -> Any:
        """Return the output distance for `d_in`: rounded up, or an exact number."""
        distance = self.stability_map(self.input_metric.parse(d_in))  # proof: distance
        return self.output_metric.present(distance, exact)  # proof: present

    def check(self, d_in: Distance, d_out: Distance, *, debug: bool = False) -> bool:
        """Return whether inputs within `d_in` always give outputs within `d_out`.

        With `debug` the answer no is an error, which says how far apart they may be.
        """
        limit = self.output_metric.parse(d_out, "d_out")  # proof: limit
        distance = self.stability_map(self.input_metric.parse(d_in))
        passes = self.output_metric.at_most(distance, limit)  # proof: compare
        if not passes and debug:
            apart = write_number(self.output_metric.present(distance))
            rule = f"outputs may be {apart} apart"
            fix = "Allow a greater distance, or bound the data more tightly"
            raise refusal("RelationDebug", "d_out", d_out, rule, fix)
        return passes

    @property
    def input_space(self) -> tuple[Domain, Metric]:
        """The input domain and metric."""
        return self.input_domain, self.input_metric

    @property
    def output_space(self) -> tuple[Domain, Metric]:
        """The output domain and metric."""
        return self.output_domain, self.output_metric

    @property
    def input_carrier_type(self) -> str:
        """The type of the members of the input domain, as text."""
        return self.input_domain.carrier_type

    @property
    def input_distance_type(self) -> str:
        """The type of the distances of the input metric, as text."""
        return self.input_metric.distance_type

    @property
    def output_distance_type(self) -> str:
        """The type of the distances of the output metric, as text."""
        return self.output_metric.distance_type

    def _cost(self) -> list[tuple[str, str]]:
        """Return, as text, the map at 1, and of a Fraction how it is rounded."""
        exact = self.output_domain.atom_type is Fraction
        told = [("result", "an exact Fraction; float(x) rounds it")] if exact else []
        return super()._cost() + told

    @overload
    def __rshift__(self, other: Partial[R]) -> R: ...
    @overload
    def __rshift__(self, other: Transformation) -> Transformation: ...
    @overload
    def __rshift__(self, other: Measurement) -> Measurement: ...
    def __rshift__(self, other: object) -> Any:
        from opendp_lite.core.chaining import chain_after_transformation

        return chain_after_transformation(self, other)
