"""Chaining: what `>>` means.

`transformation >> transformation`, `transformation >> measurement` and
`measurement >> post-processor` are objects again, whose maps follow from the parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from types import FunctionType
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, DataFunction, ExactDistance, Value
from opendp_lite.base.containers import is_array, parts
from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.base.ownership import is_own_function
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.measurement import Function, Measurement
from opendp_lite.core.metrics import Metric
from opendp_lite.core.record import Made
from opendp_lite.core.registry import OpenChain, Partial, constructor
from opendp_lite.core.transformation import Transformation

_NUMBERS = (bool, int, type(mpq()))


@constructor(proof="core/make_chain_tt", status="vetted")
def make_chain_tt(
    transformation1: Transformation, transformation0: Transformation
) -> Transformation:
    """Return the transformation that applies `transformation0`, then `transformation1`.

    Guarantee: the images of x, x' at distance at most d_in are at distance at most
    map1(map0(d_in)), where map0 and map1 are the maps of the two; under some coupling,
    if one of the two is random, as the chain is then.

    :param transformation1: is applied to the result of the other
    :param transformation0: is applied to the data

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> clamp = dp.t.make_clamp(*space, (0, 10))
    >>> total = dp.c.make_chain_tt(dp.t.make_sum(*clamp.output_space), clamp)
    >>> total([1, 2, 99]), total.map(1)
    (13, 10)

    Proof: proofs/core/make_chain_tt.tex
    """
    _check_operand("transformation1", transformation1, Transformation)  # proof: outer
    _check_operand("transformation0", transformation0, Transformation)  # proof: inner
    check_domains(  # proof: domains
        transformation0.output_domain, transformation1.input_domain
    )
    check_metrics(  # proof: metrics
        transformation0.output_metric, transformation1.input_metric
    )

    merge = transformation1.merge if transformation0.by_rows else None  # proof: parts

    absorbed = (  # proof: absorbed
        transformation0.clamps
        and transformation1.absorbs_clamp
        and transformation0.output_domain == transformation1.input_domain
    )

    first = transformation1 if absorbed else transformation0  # proof: first
    random = transformation0.random or transformation1.random  # proof: random
    clamped = transformation1.clamps and transformation0.lower_is_better  # proof: order

    def function(arg: Data) -> Any:
        if absorbed:
            return transformation1.function(arg)  # proof: outer-only
        if merge is not None and is_array(arg):
            return merge(map(apply, parts(arg)))  # proof: merged
        return apply(arg)

    def apply(arg: Data) -> Any:  # proof: function
        return transformation1.function(transformation0.function(arg))

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return transformation1.stability_map(transformation0.stability_map(d_in))

    return Transformation(
        transformation0.input_domain,
        transformation1.output_domain,
        function,
        transformation0.input_metric,
        transformation1.output_metric,
        stability_map,
        by_rows=transformation0.by_rows and transformation1.by_rows,  # proof: rows
        merge=merge,  # proof: merge
        random=random,
        reads_floats=first.reads_floats and not random,  # proof: reads
        lower_is_better=transformation1.lower_is_better or clamped,  # proof: scores
    )


@constructor(proof="core/make_chain_mt", status="vetted")
def make_chain_mt(
    measurement1: Measurement, transformation0: Transformation
) -> Measurement:
    """Return the measurement that applies `transformation0`, then `measurement1`.

    Guarantee: the loss at d_in is at most map1(map0(d_in)), where map0 and map1 are the
    maps of `transformation0` and `measurement1`. This is so for a random transformation
    too, as mixing laws adds no loss under the measures of the library. Of a
    `user_divergence` it is not known, so that the two are refused together; whoever
    writes a class of measures answers for it where its `processed` says so.

    :param measurement1: makes a release of the result of the other; no selection of the
        highest scores where the lowest are the best, as those of
        `make_quantile_score_candidates` are
    :param transformation0: is applied to the data

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> count = dp.t.make_count(*space)
    >>> noisy = dp.c.make_chain_mt(dp.m.make_laplace(*count.output_space, 2.0), count)
    >>> noisy.map(1)
    0.5

    Proof: proofs/core/make_chain_mt.tex
    """
    _check_operand("measurement1", measurement1, Measurement)  # proof: outer
    _check_operand("transformation0", transformation0, Transformation)  # proof: inner
    if measurement1.exclusive:  # proof: exclusive
        rule = "takes a sample as it was drawn, and its distances are of populations"
        fix = "Chain first, and amplify the whole"
        raise refusal("MakeMeasurement", "measurement1", measurement1, rule, fix)
    rationals = measurement1.covers_rationals  # proof: rationals
    check_domains(  # proof: domains
        transformation0.output_domain, measurement1.input_domain, rationals
    )
    check_metrics(  # proof: metrics
        transformation0.output_metric, measurement1.input_metric
    )
    _check_selections(transformation0, measurement1)  # proof: selections
    measure = measurement1.output_measure
    if transformation0.random and not measure.processed:  # proof: mixes
        rule = "what it says of a mixture of laws, as random rows give, is not known"
        fix = "Use a measure of the library, such as max_divergence()"
        raise refusal("MeasureMismatch", "output_measure", measure, rule, fix)

    def function(arg: Data) -> Any:  # proof: function
        return measurement1.function(transformation0.function(arg))

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        return measurement1.privacy_map(transformation0.stability_map(d_in))

    return Measurement(
        transformation0.input_domain,
        function,
        transformation0.input_metric,
        measure,
        privacy_map,
        interactive=measurement1.interactive,  # proof: interactive
        opens_session=measurement1.opens_session  # proof: session
        and not transformation0.random,
        reads_floats=transformation0.reads_floats,  # proof: reads
        noise=measurement1.noise,
    )


@constructor(
    proof="core/make_chain_pm",
    status="vetted",
    human_verified=("postprocess1 depends on the data only through the release",),
)
def make_chain_pm(
    postprocess1: Function | DataFunction, measurement0: Measurement
) -> Measurement:
    """Return the measurement that applies a function to the release of another.

    Guarantee: the loss at d_in is at most that of `measurement0`: what is computed from
    a release alone costs nothing. That the function looks at the release alone, and not
    at the data by another way, cannot be checked, so the feature `honest-but-curious`
    is needed.

    :param postprocess1: a function of the release
    :param measurement0: makes the release

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> dp.c.make_chain_pm(float, dp.m.make_laplace(*space, scale=0))(3)
    3.0
    >>> dp.disable_features("honest-but-curious")

    Proof: proofs/core/make_chain_pm.tex
    """
    _check_operand("measurement0", measurement0, Measurement)  # proof: inner
    if not callable(postprocess1) or isinstance(postprocess1, Measurement):
        rule, fix = "must be a function of the release", "Pass a plain function"
        raise refusal(  # proof: callable
            "MakeMeasurement", "postprocess1", postprocess1, rule, fix
        )

    def function(arg: Data) -> Any:
        return postprocess1(measurement0.function(arg))  # proof: function

    return Measurement(
        measurement0.input_domain,
        function,
        measurement0.input_metric,
        measurement0.output_measure,
        measurement0.privacy_map,  # proof: map
        covers_rationals=measurement0.covers_rationals,  # proof: rationals
        interactive=measurement0.interactive,  # proof: interactive
        exclusive=measurement0.exclusive,  # proof: exclusive
    )


@constructor(proof="core/make_chain_proved", status="vetted")
def make_chain_proved(postprocess1: Function, measurement0: Measurement) -> Measurement:
    """Return the measurement that applies a function of the library's to a release.

    Guarantee: the loss at d_in is at most that of `measurement0`: what is computed from
    a release alone costs nothing. That the function looks at the release alone is
    proved, so that the feature `honest-but-curious` is not needed.

    :param postprocess1: what a constructor such as `make_cdf` returned
    :param measurement0: makes the release; not under a divergence of a user's own

    >>> import opendp_lite.prelude as dp
    >>> counts = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    >>> noisy = counts >> dp.m.then_laplace(scale=0)
    >>> dp.c.make_chain_proved(dp.t.make_cdf(), noisy)([1, 3])
    [0.25, 1.0]

    Raises `MakeMeasurement` for a function that is not proved, and for a measure of
    which the library does not know that post-processing costs nothing.

    Proof: proofs/core/make_chain_proved.tex
    """
    _check_operand("measurement0", measurement0, Measurement)  # proof: inner
    if not _is_proved(postprocess1):  # proof: proved
        rule = "must be a function of the release that the library made, and proved"
        fix = "Pass for example make_cdf(), or use make_chain_pm"
        raise refusal("MakeMeasurement", "postprocess1", postprocess1, rule, fix)
    if not measurement0.output_measure.processed:  # proof: measure
        rule = "nothing is known of post-processing under its output measure"
        fix = "Use make_chain_pm, where you answer for it"
        raise refusal("MakeMeasurement", "measurement0", measurement0, rule, fix)

    def function(arg: Data) -> Any:
        return postprocess1.function(measurement0.function(arg))  # proof: function

    return Measurement(
        measurement0.input_domain,
        function,
        measurement0.input_metric,
        measurement0.output_measure,
        measurement0.privacy_map,  # proof: map
        covers_rationals=measurement0.covers_rationals,  # proof: rationals
        interactive=measurement0.interactive,  # proof: interactive
        exclusive=measurement0.exclusive,  # proof: exclusive
    )


def _is_proved(function: object) -> bool:
    """Return whether a function of a release is one that the library made."""
    if type(function) is not Function or function.proof is None:
        return False  # proof: made-by-hand
    inner = function.function
    return (
        type(inner) is partial
        and _is_fixed(inner.func)  # proof: own
        and not inner.keywords
        and all(map(_is_fixed, inner.args))  # proof: arguments
    )


def _is_fixed(value: object) -> bool:
    """Return whether `value` is a number, or a function of a module of the library.

    The function must not stand inside of another one. A tuple of such values is one,
    too. Where these are used, no code of a user's runs.
    """
    if type(value) is tuple:
        return all(map(_is_fixed, value))  # proof: each
    if type(value) is FunctionType:
        # Functions of ours that stand inside of others may have a user's within reach.
        outermost = value.__qualname__ == value.__name__
        return outermost and is_own_function(value)  # proof: held
    return type(value) in _NUMBERS  # proof: number


def check_domains(output: Domain, expected: Domain, rationals: bool = False) -> None:
    """Raise unless every value of `output` may enter where `expected` is due.

    With `rationals`, exact rationals may enter where floats are due.
    """
    if expected.contains(output) or (  # proof: contains
        rationals and _accepts_rationals(expected, output)  # proof: rationals
    ):
        return
    raise OpenDPException(
        "DomainMismatch",
        f"the left side of >> puts out {output!r}, the right side takes {expected!r}. "
        f"{_suggest(output, expected)}",
    )


def check_metrics(output: Metric, expected: Metric) -> None:
    """Raise unless distances on both sides mean the same."""
    if expected.matches(output):  # proof: matches
        return
    raise OpenDPException(
        "MetricMismatch",
        f"the left side of >> measures by {output!r}, the right side by {expected!r}. "
        "Build the right side with then_...(), which takes the space from the left.",
    )


def _check_selections(scores: Transformation, measurement: Measurement) -> None:
    """Raise if the lowest score is the best, and a selection takes the highest."""
    if not scores.lower_is_better:  # proof: no-claim
        return
    for each in _selections(measurement):
        if each.selects == "highest":  # proof: highest
            name = _constructor_name(each)
            rule = f"{name} selects the highest scores, but the lowest scores of "
            rule += f"{_constructor_name(scores)} are the best"
            fix = f"Pass negate=True to {name}, which then selects the lowest"
            raise refusal("MakeMeasurement", "measurement1", measurement, rule, fix)


def _selections(value: Value) -> Iterator[Measurement]:
    """Yield the selections from its own argument that a measurement is made from.

    Conversions, compositions and post-processors have the measurements that they were
    made from as arguments. A chain gives its measurement other scores than its own,
    unless its transformation only clamps them, which keeps their order.
    """
    if isinstance(value, tuple):
        for each in value:
            yield from _selections(each)
    if not isinstance(value, Measurement):
        return
    record = value.record
    if value.selects is not None:
        yield value  # proof: itself
    elif record is not None:
        arguments = dict(record.arguments)
        chained = record.constructor is make_chain_mt
        if not chained or arguments["transformation0"].clamps:  # proof: chain
            for each in arguments.values():
                yield from _selections(each)  # proof: inner


def _accepts_rationals(expected: Domain, output: Domain) -> bool:
    """Whether `expected` becomes a superset of `output` with Fraction for float."""
    if isinstance(expected, VectorDomain) and isinstance(output, VectorDomain):
        return expected.size in (None, output.size) and _accepts_rationals(
            expected.element_domain, output.element_domain
        )
    return (  # proof: atoms
        isinstance(expected, AtomDomain)
        and isinstance(output, AtomDomain)
        and (float, Fraction) == (expected.T, output.T)
        and expected.bounds is None
        and not expected.single
    )


def _suggest(output: Domain, expected: Domain) -> str:
    """Return what to insert between the two sides."""
    rebuild = "Build the right side with then_...(), which takes the left side's space."
    return output.hint(expected) or rebuild


def _constructor_name(made: Made) -> str:
    """Return the name of a selection's constructor, or that of scores, for an error.

    In a chain it is the last link that says of its scores that the lowest is the best.
    """
    links = [x for x in made.steps() if getattr(x, "lower_is_better", True)]
    link = links[-1]
    kind = type(link).__name__.lower()
    return f"the {kind}" if link.record is None else link.record.constructor.__name__


def _check_operand(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        rule = f"must be a {kind.__name__}"
        raise refusal("Unsupported", name, value, rule, "Check the order of the chain")


def chain_after_transformation(left: Transformation, right: object) -> Any:
    """Return `left >> right`."""
    if isinstance(right, OpenChain):
        return NotImplemented  # its __rrshift__ is asked
    if isinstance(right, Partial):  # with an open chain behind it, it becomes one
        return left >> right(left.output_domain, left.output_metric)
    if isinstance(right, Measurement):
        return make_chain_mt(right, left)
    if isinstance(right, Transformation):
        return make_chain_tt(right, left)
    raise OpenDPException(
        "Unsupported",
        f"a transformation cannot be followed by {_said(right)}. Only "
        "transformations and measurements may touch data that is not yet released; "
        "put functions after a measurement, or wrap one by make_user_transformation.",
    )


def chain_after_measurement(left: Measurement, right: object) -> Any:
    """Return `left >> right`."""
    if isinstance(right, Measurement | Partial | OpenChain):
        raise OpenDPException(
            "Unsupported",
            f"a measurement cannot be followed by {_said(right)}: what it releases is "
            "already private, and has no domain or distance. Transformations come "
            "before it, a release is post-processed by a function, and two releases "
            "from the same data are composed.",
        )
    if _is_proved(right) and left.output_measure.processed:
        return make_chain_proved(right, left)  # type: ignore[arg-type]
    if callable(right):
        return make_chain_pm(right, left)
    raise OpenDPException(
        "Unsupported",
        f"a measurement cannot be followed by {_said(right)}. "
        "Pass a function of the release.",
    )


def _said(right: object) -> str:
    """Return what to call the right side of >> in an error."""
    if isinstance(right, Partial):
        return f"then_{right.make.__name__.removeprefix('make_')}"
    name = right.__name__ if type(right) is FunctionType else ""
    if name.startswith("then_"):
        return f"the function {name} itself (call it: {name}(...))"
    return f"a {type(right).__name__}"
