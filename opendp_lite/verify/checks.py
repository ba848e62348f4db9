"""The checks of a contract: on an object, and on a pair of members of its domain.

Each raises `ContractBroken` with the name of the rule and the case.
"""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.core.containers import is_array, rows
from opendp_lite.core.domain import AtomDomain, VectorDomain
from opendp_lite.core.errors import OpenDPException
from opendp_lite.core.identity import key
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metric import L02InfDistance, L2Distance, Metric, UserDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.sampling.entropy import use_source
from opendp_lite.verify.arrays import array_forms, constant_forms, scalar_forms
from opendp_lite.verify.broken import ContractBroken
from opendp_lite.verify.replay import HashedBits

__all__ = [
    "Trial",
    "check_arrays",
    "check_members",
    "check_outsiders",
    "check_stability",
    "check_values",
    "release_of",
    "same",
]


@attrs.frozen
class Trial:
    """An object, two members of its input domain, and the bits to run it with."""

    made: Any
    x: Any
    x2: Any
    seed: int
    replays: bool = True

    def run(self, x: Any) -> Any:
        """Apply the function to a member under the bits of this trial."""
        try:
            return release_of(self.made, x, self.seed)
        except Exception as error:
            raise ContractBroken(
                f"members: {self.made!r} failed on the member {x!r}: {error!r}"
            ) from error


def release_of(made: Any, x: Any, seed: int) -> Any:
    """Return what `made` gives for `x` under the bits of `seed`."""
    with use_source(HashedBits(seed)):
        return made.invoke(x)


def same(a: Any, b: Any) -> bool:
    """Return whether two outputs are the same by type and bits."""
    return bool(key(a) == key(b))


def check_members(trial: Trial) -> None:
    """Members never fail and are not changed; the bits decide what comes out."""
    for x in (trial.x, trial.x2):
        if not trial.made.input_domain.member(x):
            raise ValueError(
                f"the contract's own data {x!r} is no member of "
                f"{trial.made.input_domain!r}"
            )
        before = key(copy.deepcopy(x))
        first = trial.run(x)
        if key(x) != before:
            raise ContractBroken(
                f"values: {trial.made!r} changed its input, which is now {x!r}"
            )
        if trial.replays and not same(first, trial.run(x)):
            raise ContractBroken(
                f"members: {trial.made!r} gave two outputs for {x!r} under the same "
                "random bits: it depends on something else"
            )


def check_stability(trial: Trial) -> None:
    """Outputs are members, and no further apart than the map says, exactly."""
    made: Transformation = trial.made
    left, right = (trial.run(x) for x in (trial.x, trial.x2))
    for x, output in ((trial.x, left), (trial.x2, right)):
        if not made.output_domain.member(output):
            raise ContractBroken(
                f"stability: {made!r} took {x!r} to {output!r}, which is no member of "
                f"{made.output_domain!r}"
            )
    if not _measures(made.input_metric) or not _measures(made.output_metric):
        return
    d_in = made.input_metric.distance(trial.x, trial.x2)
    d_out = made.stability_map(d_in)
    if not _within(made.output_metric, left, right, d_out):
        raise ContractBroken(
            f"stability: {made!r} took {trial.x!r} and {trial.x2!r}, at distance "
            f"{d_in}, to {left!r} and {right!r}, at distance "
            f"{made.output_metric.distance(left, right)}, above its map's {d_out}"
        )


def _measures(metric: Metric) -> bool:
    return not (isinstance(metric, UserDistance) and metric.measure is None)


def _within(metric: Metric, x: Any, y: Any, d: Any) -> bool:
    """Compare exactly; a map may give a rational where distances are integers."""
    if isinstance(metric, L2Distance):
        return bool(metric.squared(x, y) <= (d if d == math.inf else mpq(d) ** 2))
    if isinstance(metric, L02InfDistance):
        return metric.within(x, y, d)
    return metric.at_most(metric.distance(x, y), d)


def check_arrays(trial: Trial) -> None:
    """Arrays and numpy scalars are treated as the lists and numbers they stand for."""
    made, domain = trial.made, trial.made.input_domain
    exact = isinstance(made, Transformation) and trial.replays
    if isinstance(domain, AtomDomain):
        for form in scalar_forms(trial.x, domain):
            output = trial.run(form)
            if trial.replays and not same(output, trial.run(trial.x)):
                raise ContractBroken(
                    f"values: {made!r} gave {output!r} for {form!r}, but "
                    f"{trial.run(trial.x)!r} for {trial.x!r}"
                )
        return
    if not isinstance(domain, VectorDomain) or not isinstance(trial.x, list):
        return
    expected = trial.run(trial.x) if exact else None
    for form in array_forms(trial.x, domain):
        if _refuses_dtype(trial, form):
            continue
        before = key(form)
        output = trial.run(form)
        if key(form) != before:
            raise ContractBroken(f"values: {made!r} changed its input, an array")
        if exact and not _same_rows(output, expected):
            raise ContractBroken(
                f"values: {made!r} gave {output!r} for the array {form!r} of dtype "
                f"{form.dtype}, but {expected!r} for the list"
            )
        if exact and not made.output_domain.member(output):
            raise ContractBroken(
                f"stability: {made!r} took the array {form!r} to {output!r}, which is "
                f"no member of {made.output_domain!r}"
            )
    _check_kinds(trial, domain)


def _check_kinds(trial: Trial, domain: VectorDomain) -> None:
    """The type and dtype of an output do not depend on the rows."""
    lefts, rights = (array_forms(x, domain) for x in (trial.x, trial.x2))
    for left, right in zip(lefts[:1], rights[:1], strict=False):
        if _kind(left) != _kind(right) or _refuses_dtype(trial, left):
            continue
        kinds = [_kind(trial.run(each)) for each in (left, right)]
        if kinds[0] != kinds[1]:
            raise ContractBroken(
                f"values: for the arrays {left!r} and {right!r}, {trial.made!r} gave "
                f"outputs of the types {kinds[0]} and {kinds[1]}: what type comes out "
                "may not depend on the data"
            )


def _refuses_dtype(trial: Trial, form: Any) -> bool:
    """Whether arrays of this dtype are refused, whatever their rows are.

    The dtype of an array is public, so it may be refused; with the same words for
    other rows.
    """
    texts = set()
    for each in (form, *constant_forms(form, trial.made.input_domain)):
        try:
            release_of(trial.made, each, trial.seed)
            texts.add("")
        except OpenDPException as error:
            texts.add(str(error))
        except Exception as error:
            raise ContractBroken(
                f"members: {trial.made!r} failed on the member {each!r} of dtype "
                f"{each.dtype}: {error!r}"
            ) from error
    if len(texts) > 1:
        raise ContractBroken(
            f"members: whether {trial.made!r} fails on arrays of dtype {form.dtype} "
            f"depends on the rows: {texts}"
        )
    return texts != {""}


def _kind(output: Any) -> Any:
    if not is_array(output):
        return type(output).__name__
    return output.dtype.kind if output.dtype.kind == "U" else str(output.dtype)


def _same_rows(left: Any, right: Any) -> bool:
    if is_array(left) or isinstance(left, list):
        vector = is_array(right) or isinstance(right, list)
        return vector and same(rows(left), rows(right))
    return same(left, right)


def check_outsiders(made: Any, strangers: Sequence[Any]) -> None:
    """What is no member is refused, with a text that does not depend on it."""
    texts: dict[str, Any] = {}
    for stranger in strangers:
        if made.input_domain.member(stranger):
            raise ValueError(
                f"the contract's own outsider {stranger!r} is a member of "
                f"{made.input_domain!r}"
            )
        try:
            made(stranger)
        except OpenDPException as error:
            texts[str(error)] = stranger
        except Exception as error:
            raise ContractBroken(
                f"members: {made!r} must refuse {stranger!r} by an OpenDPException, "
                f"but raised {error!r}"
            ) from error
        else:
            raise ContractBroken(f"members: {made!r} must refuse {stranger!r}")
    if len(texts) > 1:
        raise ContractBroken(
            "members: the refusal of data must be constant text, but there are "
            f"different ones: {texts}"
        )


def check_values(
    made: Any, name: str, arguments: Mapping[str, Any], pickles: bool
) -> None:
    """The object prints, and is the same after pickling, copying and making again."""
    if not isinstance(made, Transformation | Measurement) or made.record is None:
        raise ContractBroken(
            f"values: {name} made {made!r}, which has no record of how it was made; "
            "decorate the constructor, or build on make_user_transformation or "
            "make_user_measurement"
        )
    if not _prints(made):
        raise ContractBroken(f"values: the text {made!r} does not name {name}")
    make, recorded = made.record.constructor, dict(made.record.arguments)
    ways: dict[str, Callable[[], Any]] = {
        "made again from its record": lambda: make(**recorded),
    }
    if make.__name__ == name:
        ways["made again"] = lambda: make(**arguments)
    if pickles:
        ways["pickled"] = lambda: pickle.loads(pickle.dumps(made))
        ways["copied"] = lambda: copy.copy(made)
        ways["deeply copied"] = lambda: copy.deepcopy(made)
    for way, build in ways.items():
        try:
            again = build()
        except Exception as error:
            raise ContractBroken(
                f"values: {made!r} cannot be {way}: {error!r}"
            ) from error
        if again != made or hash(again) != hash(made) or repr(again) != repr(made):
            raise ContractBroken(
                f"values: {made!r} is not the same when {way}: {again!r}"
            )


def _prints(made: Any) -> bool:
    """Whether the text names the constructor, or those of all links of a chain."""
    text = repr(made)
    records = [getattr(step, "record", None) for step in made.steps()]
    names = [record.constructor.__name__ for record in records if record is not None]
    return bool(text) and all(
        name in text or f"then_{name.removeprefix('make_')}(" in text for name in names
    )
