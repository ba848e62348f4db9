"""Contracts: what every constructor must keep, whatever it makes.

A contract states how a constructor is called rightly and wrongly, and what data its
objects are for; the harness then checks what holds for all constructors:

* wrong arguments are refused, and the message says why;
* (1) *members succeed*: no member of the input domain makes the function fail, on
  many bit paths; and outsiders are refused with one constant text;
* (2) *stability*: outputs of a transformation are members of the output domain, and
  neighbours at distance d give outputs at distance at most map(d), exactly;
* (3) *privacy*: certificates of a measurement hold, and so do its limits;
* (4) *maps* are exact numbers, monotone, 0 at 0, never negative, refuse what is not a
  distance, and what a person is shown is not below the exact value;
* (5) *values*: inputs are not changed, objects print, pickle, copy and are made again
  from their records, and lists and arrays give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.core.errors import OpenDPException
from opendp_lite.core.features import (
    GLOBAL_FEATURES,
    disable_features,
    enable_features,
)
from opendp_lite.core.made import Made
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.transformation import Transformation
from opendp_lite.verify import checks
from opendp_lite.verify.broken import ContractBroken
from opendp_lite.verify.certificates import privacy
from opendp_lite.verify.maps import check_map, check_map_value
from opendp_lite.verify.members import (
    members,
    neighbours,
    outsiders,
    require_hypothesis,
)

__all__ = ["Contract", "ContractBroken", "contract"]

Arguments = Mapping[str, Any]

_MOST_UNRESOLVED = mpq(1, 1000)


@attrs.frozen(repr=False, eq=False)
class Contract:
    """How a constructor may be called, and on what its objects are tried.

    Only `constructor` and `arguments` are always needed.

    `arguments`: a hypothesis strategy of dictionaries of valid arguments.
    `refusals`: rows (arguments, variant, words): the call must raise an
    `OpenDPException` of that variant, whose message holds the words (one, or a
    sequence of them; the name of the argument is one).
    `data`: a function from an object to a strategy of members of its input domain;
    by default `members(made.input_domain)`.
    `neighbours`: a function from an object and a member to a strategy of other members,
    of which many should be near; by default one for the metric.
    `outsiders`: a function from an object to values that it must refuse; they are
    added to a default list.
    `certificates`: for measurements, rows (arguments, x, x2, depth), each of them run
    through `verify.privacy`. `runs` is the most runs that each law may take, and
    `most_unresolved` the most that unresolved mass may add to delta, so that no
    certificate is empty.
    `limits`: rows (arguments, x, release): there the release is certain, as it is
    without noise.
    `map_values`: rows (arguments, d_in, d_out) of the exact values of the map, numbers
    or functions from a precision to an `Enclosure` (or tuples of these). The map must
    not be below them, nor above by more than rounding; much noise has little loss.
    `distances`: input distances in increasing order on which maps are tried.
    `zero_at_zero`: whether the map is 0 at distance 0.
    `replays`: whether the function is determined by its argument and random bits, and
    its outputs can be compared. `pickles`: whether the arguments can be pickled.
    `arrays`: whether arrays are tried where the domain has them.
    `features`: what to enable for the time of the checks; without them the
    constructor must refuse. `examples`: how many objects are made.
    """

    constructor: Callable[..., Any]
    arguments: Any
    refusals: Sequence[tuple[Arguments, str, str | Sequence[str]]] = ()
    data: Callable[[Any], Any] | None = None
    neighbours: Callable[[Any, Any], Any] | None = None
    outsiders: Callable[[Any], Sequence[Any]] | None = None
    certificates: Sequence[tuple[Arguments, Any, Any, int]] = ()
    limits: Sequence[tuple[Arguments, Any, Any]] = ()
    map_values: Sequence[tuple[Arguments, Any, Any]] = ()
    distances: Sequence[Any] | None = None
    zero_at_zero: bool = True
    replays: bool = True
    pickles: bool = True
    arrays: bool = True
    features: tuple[str, ...] = ()
    examples: int = 40
    runs: int = 2000
    most_unresolved: mpq = _MOST_UNRESOLVED

    @property
    def name(self) -> str:
        """The name of the constructor."""
        return str(getattr(self.constructor, "__name__", self.constructor))

    def __repr__(self) -> str:
        return f"Contract({self.name})"


def contract(constructor: Contract | Callable[..., Any], **terms: Any) -> None:
    """Check a constructor, and raise `ContractBroken` where it breaks a rule.

    Takes a `Contract`, or a constructor and the fields of one.

    >>> from hypothesis import strategies as st
    >>> import opendp_lite.prelude as dp
    >>> domain = dp.vector_domain(dp.atom_domain(T=int))
    >>> space = {"input_domain": domain, "input_metric": dp.symmetric_distance()}
    >>> bounds = st.tuples(st.integers(-9, 0), st.integers(1, 9))
    >>> contract(
    ...     dp.t.make_clamp,
    ...     arguments=bounds.map(lambda pair: {**space, "bounds": pair}),
    ...     refusals=[({**space, "bounds": (2, 1)}, "MakeDomain", "bounds")],
    ...     examples=5,
    ... )
    """
    if not isinstance(constructor, Contract):
        checked = Contract(constructor, **terms)
    elif terms:
        raise TypeError("pass a Contract, or a constructor and the fields of one")
    else:
        checked = constructor
    require_hypothesis()
    if checked.features:
        _check_features_needed(checked)
    with _features(checked.features):
        _check_refusals(checked)
        _check_examples(checked)
        for arguments, x, x2, depth in checked.certificates:
            _check_certificate(checked, arguments, x, x2, depth)
        for arguments, x, release in checked.limits:
            _check_limit(checked, arguments, x, release)
        for arguments, d_in, d_out in checked.map_values:
            _check_map_value(checked, arguments, d_in, d_out)


@contextmanager
def _features(features: tuple[str, ...]) -> Iterator[None]:
    added = [feature for feature in features if feature not in GLOBAL_FEATURES]
    enable_features(*added)
    try:
        yield
    finally:
        disable_features(*added)


def _broken(checked: Contract, rule: str, what: str) -> ContractBroken:
    return ContractBroken(f"{checked.name}: {rule}: {what}")


def _check_refusals(checked: Contract) -> None:
    """Wrong arguments are refused with the variant and the words that are due."""
    for arguments, variant, words in checked.refusals:
        wanted = (words,) if isinstance(words, str) else tuple(words)
        if not wanted or not all(wanted):
            raise ValueError(f"{checked.name}: a refusal must name words to look for")
        try:
            made = checked.constructor(**arguments)
        except OpenDPException as error:
            missing = [word for word in wanted if word not in error.message]
            if error.variant != variant or missing:
                raise _broken(
                    checked,
                    "refusals",
                    f"{arguments} must be refused by {variant} with the words "
                    f"{wanted}, but was by: {error}",
                ) from error
        except Exception as error:
            raise _broken(
                checked,
                "refusals",
                f"{arguments} must raise an OpenDPException, but raised {error!r}",
            ) from error
        else:
            raise _broken(
                checked, "refusals", f"{arguments} must be refused, but made {made!r}"
            )


def _check_features_needed(checked: Contract) -> None:
    """Without its features the constructor refuses."""
    hypothesis = require_hypothesis()
    enabled = [each for each in checked.features if each in GLOBAL_FEATURES]
    disable_features(*enabled)

    def refuses(arguments: Arguments) -> None:
        try:
            checked.constructor(**arguments)
        except OpenDPException as error:
            if error.variant == "FeatureRequired":
                return
            raise
        raise _broken(
            checked, "refusals", f"made without the features {checked.features}"
        )

    try:
        settings = _settings(1)
        settings(hypothesis.given(checked.arguments)(refuses))()
    finally:
        enable_features(*enabled)


def _settings(examples: int) -> Any:
    """The same cases in every run, no clock, no file of earlier failures."""
    hypothesis = require_hypothesis()
    return hypothesis.settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
        suppress_health_check=list(hypothesis.HealthCheck),
    )


def _check_examples(checked: Contract) -> None:
    """Draw arguments, data and neighbours, and check everything that must hold."""
    hypothesis = require_hypothesis()
    from hypothesis import strategies as st

    def holds(choice: Any) -> None:
        arguments = choice.draw(checked.arguments, label="arguments")
        made = _make(checked, arguments)
        checks.check_values(made, checked.name, arguments, checked.pickles)
        check_map(made, checked.distances, checked.zero_at_zero)
        strategy = checked.data or (lambda each: members(each.input_domain))
        x = choice.draw(strategy(made), label="x")
        near = checked.neighbours or (
            lambda each, x: neighbours(each.input_domain, each.input_metric, x)
        )
        x2 = choice.draw(near(made, x), label="x2")
        seed = choice.draw(st.integers(0, 2**16), label="bits")
        trial = checks.Trial(made, x, x2, seed, checked.replays)
        checks.check_members(trial)
        if isinstance(made, Transformation):
            checks.check_stability(trial)
        if checked.arrays:
            checks.check_arrays(trial)
        strangers = list(outsiders(made.input_domain))
        strangers += [] if checked.outsiders is None else checked.outsiders(made)
        checks.check_outsiders(made, strangers)

    def labelled(choice: Any) -> None:
        try:
            holds(choice)
        except ContractBroken as error:
            raise ContractBroken(f"{checked.name}: {error}") from error.__cause__

    _settings(checked.examples)(hypothesis.given(st.data())(labelled))()


def _make(checked: Contract, arguments: Arguments) -> Any:
    try:
        made = checked.constructor(**arguments)
    except Exception as error:
        raise ContractBroken(
            f"refusals: the valid arguments {dict(arguments)} were refused: {error!r}"
        ) from error
    if not isinstance(made, Made):
        raise ContractBroken(
            "values: a constructor returns a Transformation or a Measurement, "
            f"not a {type(made).__name__}"
        )
    return made


def _check_certificate(
    checked: Contract, arguments: Arguments, x: Any, x2: Any, depth: int
) -> None:
    made = checked.constructor(**arguments)
    if not isinstance(made, Measurement):
        raise TypeError(f"{checked.name}: only measurements have certificates")
    try:
        certificate = privacy(made, x, x2, depth=depth, runs=checked.runs)
    except Exception as error:
        raise _broken(
            checked,
            "members",
            f"the function failed on a bit path for {x!r} or {x2!r}: {error!r}",
        ) from error
    if not certificate.holds:
        raise _broken(checked, "privacy", f"x={x!r}, x2={x2!r}:\n{certificate}")
    surplus = certificate.certified_delta - certificate.claimed_delta
    if max(certificate.unresolved, surplus) > checked.most_unresolved:
        raise _broken(
            checked,
            "privacy",
            f"x={x!r}, x2={x2!r}: too much mass is unresolved for a delta within "
            f"{checked.most_unresolved} of the claim; raise depth or runs, or take a "
            f"smaller case:\n{certificate}",
        )


def _check_limit(checked: Contract, arguments: Arguments, x: Any, release: Any) -> None:
    made = checked.constructor(**arguments)
    for seed in range(4):
        found = checks.release_of(made, x, seed)
        if not checks.same(found, release):
            raise _broken(
                checked,
                "privacy",
                f"{made!r} must release {release!r} for {x!r}, but released {found!r}",
            )


def _check_map_value(
    checked: Contract, arguments: Arguments, d_in: Any, d_out: Any
) -> None:
    try:
        check_map_value(checked.constructor(**arguments), d_in, d_out)
    except ContractBroken as error:
        raise ContractBroken(f"{checked.name}: {error}") from error
