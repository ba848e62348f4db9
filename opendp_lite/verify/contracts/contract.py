"""Contracts: what every constructor must keep, whatever it makes.

A contract states how a constructor is called rightly and wrongly, and what data its
objects are for; the harness then checks what holds for all constructors:

* wrong arguments are refused, and the message says why;
* (1) *members succeed*: no member of the input domain makes the function fail, on
  many bit paths; no call depends on calls before; and outsiders are refused with a
  text that tells of their form only;
* (2) *stability*: outputs of a transformation are members of the output domain, and
  neighbours at distance d give outputs at distance at most map(d), exactly; if it is
  random, under a coupling, which a flow finds; if it does not say so, no bits show;
* (3) *privacy*: a measurement has certificates and they hold, under words of bits it
  has the laws that it has under single bits, and its limits are as stated;
* (4) *maps* are exact numbers, monotone, 0 at 0, never negative, refuse what is not a
  distance, and what a person is shown is not below the exact value;
* (5) *values*: inputs are not changed, objects print, pickle, copy and are made again
  from their records, lists and arrays give the same, and of a release it can be said
  what it shows;
* (6) *sources*: the random bits of the library are the only ones, no clock is read, and
  no generator of `random` or numpy that was made elsewhere is drawn from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, Release
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.features import GLOBAL_FEATURES, disable_features, enable_features
from opendp_lite.verify.contracts import checks
from opendp_lite.verify.contracts.examples import (
    check_examples,
    require_hypothesis,
    settings,
)
from opendp_lite.verify.contracts.guard import Guard
from opendp_lite.verify.contracts.maps import check_map_value
from opendp_lite.verify.contracts.releases import (
    FALSE_ALARMS,
    Pair,
    check_images,
    check_pair,
)
from opendp_lite.verify.contracts.terms import Arguments, Contract, ContractBroken, told
from opendp_lite.verify.verdicts import cap_argument

__all__ = ["Contract", "ContractBroken", "contract"]


def contract(constructor: Contract | Callable[..., Any], **terms: Any) -> None:
    """Check a constructor, and raise `ContractBroken` where it breaks a rule.

    A contract that is kept is evidence and no proof. It cannot see:

    * a fault at single values: of 2**64 members a few are tried;
    * pairs of neighbours for which no certificate or coupling was given, and at those a
      delta, or a mass without a partner, that is smaller than the cap;
    * the laws of arrays, which take too many bits for a tree: of arrays it sees that
      they do not fail, and are treated as lists where nothing is random;
    * under words of bits, outcomes whose probability is off by less than about 1/5;
    * state that shows after more calls than are made, about a thousand for a pair;
    * time, memory and other side channels; files, environment variables, other threads
      and processes; a generator of the function's own whose effect does not show, and
      what else `verify.contracts.guard` says that it does not see.

    These are for the proof and its review.

    :param constructor: a constructor, or a `Contract`
    :param terms: the fields of a `Contract`, beside a constructor

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
    with _features(checked.features), Guard() as guard:
        _check_refusals(checked)
        with _labelled(checked):
            check_examples(checked, guard)
        with _labelled(checked):
            _check_laws(checked, guard)
        for arguments, x, release in checked.limits:
            with _labelled(checked):
                guard.call(_check_limit, checked, arguments, x, release)
        for arguments, d_in, d_out in checked.map_values:
            with _labelled(checked):
                made = checked.constructor(**arguments)
                guard.call(check_map_value, made, d_in, d_out)


@contextmanager
def _features(features: tuple[str, ...]) -> Iterator[None]:
    added = [feature for feature in features if feature not in GLOBAL_FEATURES]
    enable_features(*added)
    try:
        yield
    finally:
        disable_features(*added)


@contextmanager
def _labelled(checked: Contract) -> Iterator[None]:
    """Put the name of the constructor before what is broken."""
    try:
        yield
    except ContractBroken as error:
        raise ContractBroken(f"{checked.name}: {error}") from error.__cause__


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
        settings(1)(hypothesis.given(checked.arguments)(refuses))()
    finally:
        enable_features(*enabled)


def _check_laws(checked: Contract, guard: Guard) -> None:
    """All certificates and couplings hold, and one at least is no empty claim."""
    cap = cap_argument(checked.cap)
    rows = [(check_pair, row) for row in checked.certificates]
    rows += [(check_images, row) for row in checked.couplings]
    rate = FALSE_ALARMS / mpq(2 * max(1, len(rows)))
    claims: dict[Any, list[bool]] = {}
    for check, (arguments, x, x2, depth) in rows:
        made = checked.constructor(**arguments)
        limits = depth, checked.runs, cap, rate
        pair = Pair(made, x, x2, *limits, checked.interview)
        claims.setdefault(check, []).append(check(pair, guard))
    if not any(claims.get(check_pair, [True])):
        raise ContractBroken(
            "privacy: no certificate claims anything, as all losses are infinite or "
            "deltas 1. Give one for neighbours of which something is claimed"
        )
    if not any(claims.get(check_images, [True])):
        raise ContractBroken(
            "stability: no coupling was tried, as all images of the pairs are within "
            "the map of each other. Give neighbours that have others, too"
        )


def _check_limit(
    checked: Contract, arguments: Arguments, x: Data, release: Release
) -> None:
    made = checked.constructor(**arguments)
    for seed in range(4):
        found = checks.release_of(made, x, seed, checked.interview)
        if checks.look(made, found) != checks.look(made, release):
            raise ContractBroken(
                f"privacy: {made!r} must release {told(release)} for {told(x)}, but "
                f"released {told(found)}"
            )
