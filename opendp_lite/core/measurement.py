"""Measurements: randomised functions with a privacy map; and post-processors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal, TypeAlias, overload

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import Data, DataFunction, Distance, ExactNumber, Loss
from opendp_lite.base.arguments import alpha_argument
from opendp_lite.base.errors import printed, refusal, write_number
from opendp_lite.core.domains import Domain
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.core.record import Made
from opendp_lite.core.transformation import check_own, check_space, invoke_read
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import to_double
from opendp_lite.laws.noise import UNRELEASED, Noise, Noises

NOISE_FIX = (
    "Ask the measurement that adds the noise. Selections, randomized responses and "
    "functions of a release have none. Where you make a measurement of your own, pass "
    "the argument noise, an object of a class that is derived from dp.m.Noise"
)

AUTHORS_NOISE = "its noise is as its author states"

Part: TypeAlias = tuple[Made, Any, str]
"""An object, the exact distance at which its map is asked or None, and a note."""

Parts: TypeAlias = Callable[[Any], Iterable[Part]]
"""The parts of an object, for the exact distance of the whole, or None."""


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

    `exclusive` says that the argument is a secret sample, that the guarantee is about
    the population from which it was drawn, and distances are between populations, and
    that nothing else is released from the sample.

    `reads_floats` says that it makes of a list of floats what it makes of the array of
    float64 with the same rows, so that those who call it may read the list.
    `lists_floats`, if it is not None, says that of a list of so many floats or more it
    makes the list of the entries of the array that it makes of that array.

    `noise` describes the noise of the releases, or is a tuple for a release of several:
    `accuracy`, `scale`, `opendp_lite.testing` and pictures follow from it. It is None
    where there is none, or nothing is known of it. `parts` gives, for a distance or
    None, the objects that this one was made from, each with the distance at which its
    map is asked, or None, and with a note for `explain`. Privacy depends on neither.

    `selects` says whether a selection takes the highest or the lowest scores of its
    argument. It is None for all other measurements: a conversion or a composition of
    selections has none of its own, and chaining reads the fields of its parts. Privacy
    does not depend on this field.
    """

    input_domain: Domain
    function: Callable[[Any], Any]
    input_metric: Metric
    output_measure: Measure
    privacy_map: Callable[[Any], Any]
    covers_rationals: bool = attrs.field(default=False, kw_only=True)
    interactive: bool = attrs.field(default=False, kw_only=True)
    opens_session: bool = attrs.field(default=False, kw_only=True)
    exclusive: bool = attrs.field(default=False, kw_only=True)
    reads_floats: bool = attrs.field(default=False, kw_only=True)
    lists_floats: int | None = attrs.field(default=None, kw_only=True)
    selects: Literal["highest", "lowest"] | None = attrs.field(
        default=None, kw_only=True
    )
    noise: Noises = attrs.field(default=None, kw_only=True)
    parts: Parts | None = attrs.field(default=None, kw_only=True)

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
        if self.reads_floats:
            return invoke_read(self, arg)  # proof: read
        if self.lists_floats is not None:
            return _invoke_listed(self, arg, self.lists_floats)  # proof: listed
        if not self.input_domain.member(arg):  # proof: member
            arg = self.input_domain.admitted(arg)  # proof: admitted
        return self.function(arg)  # proof: function

    def __call__(self, arg: Data) -> Any:
        """As `invoke`."""
        if self.reads_floats:
            return invoke_read(self, arg)  # proof: read
        if self.lists_floats is not None:
            return _invoke_listed(self, arg, self.lists_floats)  # proof: listed
        if not self.input_domain.member(arg):  # proof: member
            arg = self.input_domain.admitted(arg)  # proof: admitted
        return self.function(arg)  # proof: function

    def map(self, d_in: Distance, *, exact: bool = False) -> Any:
        """Return the privacy loss at `d_in`: rounded up, or an exact number."""
        loss = self.privacy_map(self.input_metric.parse(d_in))  # proof: loss
        return self.output_measure.present(loss, exact)  # proof: present

    def check(self, d_in: Distance, d_out: Loss, *, debug: bool = False) -> bool:
        """Return whether inputs within `d_in` lose at most `d_out`.

        With `debug` the answer no is an error, which says what they lose.
        """
        limit = self.output_measure.parse(d_out)  # proof: limit
        loss = self.privacy_map(self.input_metric.parse(d_in))
        passes = self.output_measure.at_most(loss, limit)  # proof: compare
        if not passes and debug:
            lost = write_number(self.output_measure.present(loss))
            rule = f"inputs within d_in lose up to {lost}"
            fix = "Allow a greater loss, or use more noise"
            raise refusal("RelationDebug", "d_out", d_out, rule, fix)
        return passes

    def accuracy(self, alpha: ExactNumber) -> Any:
        """Return an a such that the release is within a, but with probability alpha.

        Guarantee: P(|r - x| > a + u) <= alpha, where r is the release and x the exact
        statistic: what the transformations before the noise make of the data. Of a
        vector or a map this is said of each entry by itself; for a composition a list
        is returned, and each is at the level alpha by itself. If r is a float, u is
        what rounding it may move it, half a unit in its last place (of snapping one of
        the larger bound), and else 0. x is clamped where releases are: to bounds of
        the noise, to the doubles, to int64 in arrays of integers.

        The accuracy follows from `noise`. A selection, a randomized response and a
        function of a release have none. A measurement of your own has the one that
        you state where you make it, and its accuracy is as good as your word.

        :param alpha: above 0 and at most 1, exact: int, float, Fraction, Decimal, text

        >>> import opendp_lite.prelude as dp
        >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
        >>> noisy = space >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
        >>> noisy.accuracy(alpha=0.05)
        6.0

        Proof: proofs/lemmas/noise-laws.tex
        """
        level = alpha_argument(alpha)  # proof: level
        return self._from_noise(lambda noise: noise.accuracy(level))  # proof: noise

    @property
    def scale(self) -> Any:
        """The scale of the noise: an int, a float or a Fraction, which is exact."""

        def exact_scale(noise: Noise) -> Any:
            scale = noise.scale
            if scale is None:
                rule = f"has {noise.title}, which has no scale"
                fix = "Ask for its accuracy"
                raise refusal("Unsupported", "measurement", self, rule, fix)
            if scale.denominator == 1:
                return int(scale)
            double = to_double(scale)
            return double if scale == mpq(double) else to_fraction(scale)

        return self._from_noise(exact_scale)

    def _from_noise(self, answer: Callable[[Noise], Any]) -> Any:
        """Return an answer about the noise, or the list of those about each part."""

        def answers(noise: Noises) -> Any:
            if isinstance(noise, tuple):
                return [None if x == UNRELEASED else answers(x) for x in noise]
            if isinstance(noise, Noise):
                return answer(noise)
            rule = "does not say which noise is added to its releases"
            raise refusal("Unsupported", "measurement", self, rule, NOISE_FIX)

        return answers(self.noise)  # proof: answers

    @property
    def input_space(self) -> tuple[Domain, Metric]:
        """The input domain and metric."""
        return self.input_domain, self.input_metric

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
        """The type of the losses of the output measure, as text."""
        return self.output_measure.distance_type

    def _cost(self) -> list[tuple[str, str]]:
        """Return, as text, the map at 1 and the accuracy at 0.05, if it tells one."""
        try:
            accuracy = printed(self.accuracy(0.05))
        except Exception:  # no noise is stated, or a class of the author's raises
            return super()._cost()
        if any(AUTHORS_NOISE in step.notes for step in self.explain().whole.walk()):
            accuracy += ", as its author states"
        return [*super()._cost(), ("accuracy(0.05)", accuracy)]

    @overload
    def __rshift__(self, other: Function) -> Measurement: ...
    @overload
    def __rshift__(self, other: DataFunction) -> Measurement: ...
    def __rshift__(self, other: object) -> Any:
        from opendp_lite.core.chaining import chain_after_measurement

        return chain_after_measurement(self, other)


def at_same_distance(*objects: Made) -> Parts:
    """Return the parts of a whole that asks each of them at its own distance."""
    return lambda d_in: [(each, d_in, "") for each in objects]


def _invoke_listed(made: Measurement, arg: Data, least: int) -> Any:
    """Do as `invoke_read`, and return a list where a list was read."""
    member, taken = made.input_domain.read(arg, least)  # proof: member
    if not member:
        taken = made.input_domain.admitted(arg)  # proof: admitted
    elif taken is not arg:
        return made.function(taken).tolist()  # proof: list
    return made.function(taken)  # proof: function


def _function_parts(function: Callable[[Any], Any]) -> Any:
    """What two equal functions have in common."""
    if type(function) is partial and not function.keywords:
        return function.func, function.args
    return function


@attrs.frozen
class Function:
    """A post-processor: a function of a release, and of nothing else about the data.

    `proof` names the proof that it is one, where the library made it; it is no argument
    of the class, and what is made by hand has none.
    """

    function: Callable[[Any], Any] = attrs.field(eq=_function_parts)
    proof: str | None = attrs.field(default=None, init=False)

    def __call__(self, arg: Data) -> Any:
        """Apply the function."""
        return self.function(arg)

    def __repr__(self) -> str:
        if self.proof is not None:
            return f"{self.proof.rpartition('/')[2]}(...)"
        return f"Function({getattr(self.function, '__qualname__', self.function)})"


def proved_function(
    proof: str, function: Callable[..., Any], *arguments: Any
) -> Function:
    """Return a post-processor of the library's, with the name of its proof.

    It calls `function`, which stands at the top level of a module, with the arguments
    and the release: so it can be pickled, and compared. The arguments are truth values,
    numbers (int, mpq), such functions, and tuples of these; with others it is not
    accepted where it follows a measurement.
    """
    made = Function(partial(function, *arguments))  # proof: function
    object.__setattr__(made, "proof", proof)  # proof: proof
    return made


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


def as_array() -> Function:
    """Return the function that makes an array of numpy of a list that was released.

    An array stays what it is. The library does not prove that numpy looks at the
    release alone, so `honest-but-curious` is needed to chain it.

    >>> as_array()([1, 2]).sum().item()
    3
    """
    return Function(_as_array)


def _as_array(release: Data) -> Any:
    import numpy

    return numpy.asarray(release)
