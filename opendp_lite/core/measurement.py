"""Measurements: randomised functions with a privacy map; and post-processors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from opendp_lite.core.aliases import Data, DataFunction, Distance, Loss
from opendp_lite.core.construction import Made
from opendp_lite.core.domains import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.core.transformation import check_own, check_space
from opendp_lite.core.values.type_arguments import TypeArgument

__all__ = ["Function", "Measurement", "new_function"]


@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    """A randomised function on a metric space, with its privacy map.

    If two members of `input_domain` are at distance at most d_in under
    `input_metric`, the distributions of the releases are within
    `privacy_map(d_in)` under `output_measure`, in both orders.

    `covers_rationals` says that the guarantee was proved for every rational
    argument, not only for the floats of the input domain, so that the measurement may
    follow a transformation whose output is an exact rational.

    `interactive` says that the release goes on answering, as a queryable does; then the
    guarantee is about all that is asked and answered. `opens_session` says that it is a
    new session on the argument, or on what transformations make of it, which counts in
    `output_measure` and has what the map says as its limit.
    """

    input_domain: Domain
    function: Callable[[Any], Any]
    input_metric: Metric
    output_measure: Measure
    privacy_map: Callable[[Any], Any]
    covers_rationals: bool = attrs.field(default=False, kw_only=True)
    interactive: bool = attrs.field(default=False, kw_only=True)
    opens_session: bool = attrs.field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        check_space(self.input_domain, self.input_metric, "input")
        if not isinstance(self.output_measure, Measure):
            fix = "Pass for example max_divergence()"
            raise refusal(
                "MeasureMismatch",
                "output_measure",
                self.output_measure,
                "must be a Measure",
                fix,
            )
        check_own(self.output_measure)

    def invoke(self, arg: Data) -> Any:
        """Check that `arg` is a member of the input domain, and make a release.

        What stands for a member, such as a column of pandas, is made one first.
        """
        if not self.input_domain.member(arg):  # proof: member
            arg = self.input_domain.admitted(arg)  # proof: admitted
        return self.function(arg)  # proof: function

    def __call__(self, arg: Data) -> Any:
        """As `invoke`."""
        if not self.input_domain.member(arg):  # proof: member
            arg = self.input_domain.admitted(arg)  # proof: admitted
        return self.function(arg)  # proof: function

    def map(self, d_in: Distance, *, exact: bool = False) -> Any:
        """Return the privacy loss at `d_in`: rounded up, or an exact number."""
        loss = self.privacy_map(self.input_metric.parse(d_in))  # proof: loss
        return self.output_measure.present(loss, exact)  # proof: present

    def check(self, d_in: Distance, d_out: Loss) -> bool:
        """Return whether inputs within `d_in` lose at most `d_out`."""
        limit = self.output_measure.parse(d_out)  # proof: limit
        loss = self.privacy_map(self.input_metric.parse(d_in))
        return self.output_measure.at_most(loss, limit)  # proof: compare

    @property
    def input_space(self) -> tuple[Domain, Metric]:
        """The input domain and metric."""
        return self.input_domain, self.input_metric

    @property
    def input_carrier_type(self) -> str:
        """The type of the members of the input domain, as text."""
        return self.input_domain.carrier_type

    def __rshift__(self, other: object) -> Any:
        from opendp_lite.core.chaining import chain_after_measurement

        return chain_after_measurement(self, other)


@attrs.frozen
class Function:
    """A post-processor: a function of a release, and of nothing else about the data."""

    function: Callable[[Any], Any]

    def __call__(self, arg: Data) -> Any:
        """Apply the function."""
        return self.function(arg)

    def __repr__(self) -> str:
        return f"Function({getattr(self.function, '__qualname__', self.function)})"


def new_function(function: DataFunction, TO: TypeArgument | None = None) -> Function:
    """Return a post-processor that can follow a measurement.

    :param function: a function of the release
    :param TO: not needed; OpenDP has it

    >>> new_function(round)(1.6)
    2
    """
    if not callable(function):
        rule, fix = "must be callable", "Pass a function of the release"
        raise refusal("MakeMeasurement", "function", function, rule, fix)
    return Function(function)
