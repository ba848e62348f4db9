"""The checks of a contract on objects and data that hypothesis draws.

The members are random and extreme: NaN where the domain has it, both zeros,
subnormal and largest floats, infinities, integers past every machine word, empty
data, one row, duplicates, text outside of ASCII. Which they are the domain says
(`Domain.members`, `Domain.extremes`), and what is near to one the metric
(`Metric.near`). Hypothesis is a development dependency and is imported when a function
here is called.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Data
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metrics import Metric
from opendp_lite.core.record import Made, foreign_functions
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.edge_values import made_once
from opendp_lite.sessions.odometer import Odometer
from opendp_lite.verify.contracts import checks
from opendp_lite.verify.contracts.array_checks import check_arrays
from opendp_lite.verify.contracts.guard import Generators, Guard
from opendp_lite.verify.contracts.maps import check_map
from opendp_lite.verify.contracts.terms import (
    Arguments,
    Contract,
    ContractBroken,
    SourceUsed,
    told,
)

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def require_hypothesis() -> Any:
    """Return the module `hypothesis`, or say how to get it."""
    try:
        import hypothesis
    except ImportError as error:
        raise ImportError(
            "contracts need the package hypothesis: pip install hypothesis"
        ) from error
    return hypothesis


def members(domain: Domain) -> SearchStrategy[Any]:
    """Return a strategy of members of `domain`, random and extreme ones."""
    require_hypothesis()
    return domain.members()


def neighbours(domain: Domain, metric: Metric, x: Data) -> SearchStrategy[Any]:
    """Return a strategy of members of `domain`, mostly near to `x` under `metric`.

    They include `x` itself, members at distance 0 that are not `x` (permutations
    where order does not count), and arbitrary members.
    """
    require_hypothesis()
    kept, arbitrary = partial(_is_member, domain), domain.members()
    near = metric.near(domain, x).filter(kept)
    # Filtered again, a strategy is made anew, and the source of its filters is parsed.
    others = made_once(("neighbours", arbitrary), lambda: arbitrary.filter(kept))
    return near | near | others


def _is_member(domain: Domain, x: Data) -> bool:
    return domain.member(x)


def outsiders(domain: Domain) -> list[Any]:
    """Return values of many types, none a member of `domain` or standing for one.

    There are two of each type, as refusals of one type are compared with each other.
    """
    values: list[Any] = [object(), None, "secret", 3j, {"secret": 1}, ("secret",)]
    values += [object(), "hidden", 4j, {"hidden": 2}, ("hidden", 1), b"hidden", False]
    values += [["secret"], [None], [[1]], [2j], [True, 1], [10**400], 10**400, math.nan]
    values += [[math.nan], [0.5, "secret"], b"secret", True, 0.25, [0.25], -12345]
    values += [-(10**400)]
    values += domain.outside()
    return [value for value in values if not domain.member(domain.received(value))]


_TURNS = 12  # calls for each of two members; for releases many more are made later
_IN_WORDS = 4  # a bit string that is read in words, without runs: it is read fast


def settings(examples: int) -> Any:
    """Return settings for the same cases in every run, without clock and files."""
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


@attrs.frozen(repr=False)
class _Case:
    """Arguments, the object that they made, two members of its domain, and bits."""

    arguments: Arguments
    made: Any
    x: Any
    x2: Any
    seed: int

    def __repr__(self) -> str:
        parts = told(dict(self.arguments)), told(self.x), told(self.x2)
        return f"arguments={parts[0]}, x={parts[1]}, x2={parts[2]}, bits={self.seed}"


def check_examples(checked: Contract, guard: Guard) -> None:
    """Draw arguments, data and neighbours, and check everything that must hold."""
    hypothesis = require_hypothesis()
    from hypothesis import strategies as st

    @st.composite
    def cases(draw: Any) -> _Case:
        arguments = draw(checked.arguments)
        made = guard.call(_make, checked, arguments)
        strategy = checked.data or (lambda each: members(each.input_domain))
        x = draw(strategy(made))
        near = checked.neighbours or (
            lambda each, x: neighbours(each.input_domain, each.input_metric, x)
        )
        seed = st.integers(0, 2**16)
        return _Case(arguments, made, x, draw(near(made, x)), draw(seed))

    by_domain: dict[str, _Case] = {}
    broken: list[ContractBroken] = []

    def holds(case: _Case) -> None:
        try:
            guard.call(_check, checked, case)
        except ContractBroken as error:
            broken.append(error)
            raise
        by_domain.setdefault(repr(case.made.input_domain), case)

    try:
        settings(checked.examples)(hypothesis.given(cases())(holds))()
    except hypothesis.errors.Flaky as error:
        raise broken[-1] if broken else error from error
    # Not in an example: hypothesis repeats those, and must find them as they were.
    for case in by_domain.values():
        generators = Generators(any(foreign_functions(case.made)))
        guard.watch(_check_calls, checked, case)
        guard.call(_check_further, checked, case)
        if drawn := generators.changed():
            raise SourceUsed(drawn)


def _make(checked: Contract, arguments: Arguments) -> Any:
    try:
        made = checked.constructor(**arguments)
    except Exception as error:
        raise ContractBroken(
            f"refusals: the valid arguments {told(dict(arguments))} were refused: "
            f"{error!r}"
        ) from error
    if not isinstance(made, Made):
        raise ContractBroken(
            "values: a constructor returns a Transformation, a Measurement or an "
            f"Odometer, not a {type(made).__name__}"
        )
    if isinstance(made, Measurement) and not checked.certificates:
        raise ContractBroken(
            f"privacy: {made!r} has no certificate. Give certificates=[(arguments, x, "
            "x2, depth)] with neighbours x and x2 of a small case"
        )
    if isinstance(made, Transformation) and made.random and not checked.couplings:
        raise ContractBroken(
            f"stability: {made!r} is random and has no coupling. Give couplings="
            "[(arguments, x, x2, depth)] with neighbours x and x2 of a small case"
        )
    return made


def _trial(checked: Contract, case: _Case) -> checks.Trial:
    return checks.Trial(
        case.made, case.x, case.x2, case.seed, checked.replays, checked.interview
    )


def _check(checked: Contract, case: _Case) -> None:
    """Check the object of a case, and its outputs for two members."""
    made = case.made
    checks.check_values(made, checked.name, case.arguments, checked.pickles)
    if not isinstance(made, Odometer):  # it has no map: its sessions tell the loss
        check_map(made, checked.distances, checked.zero_at_zero)
    trial = _trial(checked, case)
    checks.check_members(trial)
    if isinstance(made, Transformation):
        checks.check_stability(trial)
    if checked.arrays:
        check_arrays(trial)
    strangers = list(outsiders(made.input_domain))
    strangers += [] if checked.outsiders is None else checked.outsiders(made)
    checks.check_outsiders(made, strangers)


def _check_calls(checked: Contract, case: _Case) -> None:
    """What a profile function watches: the map, and a release of each member."""
    for d in list(checked.distances or case.made.input_metric.distances())[:2]:
        if not isinstance(case.made, Odometer):
            case.made.map(d)
    trial = _trial(checked, case)
    checks.check_members(trial, turns=1)


def _check_further(checked: Contract, case: _Case) -> None:
    """Once for each domain: many calls, and the farthest members that there are."""
    made, extreme = case.made, case.made.input_domain.extremes()
    stable = isinstance(made, Transformation)
    trial = _trial(checked, case)
    checks.check_members(trial, _TURNS if stable else 3)
    for x, x2 in pairwise([*extreme, case.x]):
        trial = _trial(checked, attrs.evolve(case, x=x, x2=x2, seed=_IN_WORDS))
        checks.check_member(trial, x)
        if stable:
            checks.check_stability(trial)
