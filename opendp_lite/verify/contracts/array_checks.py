"""The check of a contract that arrays and lists are treated alike."""

from __future__ import annotations

from typing import Any

from opendp_lite.base.aliases import Data, Release
from opendp_lite.base.containers import is_array, rows
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import Domain
from opendp_lite.core.domains.domain import LONG
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.identity import key
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.contracts.checks import HashedBits, Trial, look, release_of
from opendp_lite.verify.contracts.terms import ContractBroken, told


def check_arrays(trial: Trial) -> None:
    """Check that arrays and numpy scalars are treated as lists and numbers are."""
    made, domain = trial.made, trial.made.input_domain
    forms = domain.forms(trial.x)
    stable = isinstance(made, Transformation) and trial.replays
    exact = stable and not made.random
    expected = trial.run(trial.x) if exact else None
    for form in forms:
        if not is_array(form):
            _check_scalar(trial, form)
            continue
        if _refuses_dtype(trial, form):
            continue
        before = key(form)
        output = trial.run(form)
        if trial.replays:
            look(made, output)
        if key(form) != before:
            raise ContractBroken(f"values: {made!r} changed its input, an array")
        if exact and not _same_rows(output, expected):
            raise ContractBroken(
                f"values: {made!r} gave {told(output)} for the array {form!r} of dtype "
                f"{form.dtype}, but {told(expected)} for the list"
            )
        if stable and not made.output_domain.member(output):
            raise ContractBroken(
                f"stability: {made!r} took the array {form!r} to {told(output)}, which "
                f"is no member of {made.output_domain!r}"
            )
    _check_kinds(trial, [form for form in forms if is_array(form)])
    if isinstance(made, Transformation | Measurement) and made.reads_floats:
        _check_reading(trial, "reads_floats", LONG)
    if isinstance(made, Measurement) and made.lists_floats is not None:
        _check_reading(trial, "lists_floats", made.lists_floats)


def _check_reading(trial: Trial, claim: str, least: int) -> None:
    """What claims to read floats gives the same, of the same type, for their array.

    What claims to list them makes an array of the array, and of the list a list of its
    entries. Its function is asked, with what the door reads for it: lists of `least`
    floats or more.
    """
    made, x = trial.made, trial.x
    if type(x) is not list or {type(row) for row in x} != {float} or not trial.replays:
        return
    for length in {len(x), least, LONG - 1, LONG, LONG + len(x)}:
        listed = (x * -(-length // len(x)))[:length]
        member, array = made.input_domain.read(listed, least)
        if not member or not is_array(array):
            continue
        output, other = (_applied(trial, each) for each in (listed, array))
        fits, same = True, other
        if claim == "lists_floats" and (fits := is_array(other) and other.ndim == 1):
            same = other.tolist()
        if not fits or look(made, output) != look(made, same):
            raise ContractBroken(
                f"values: {made!r} claims {claim}, but gave {told(output)} for a list "
                f"of {length} floats, and {told(other)} for their array"
            )


def _applied(trial: Trial, x: Data) -> Any:
    with use_source(HashedBits(trial.seed)):
        output = trial.made.function(x)
        return output if trial.interview is None else trial.interview(output)


def _check_scalar(trial: Trial, form: Any) -> None:
    """A numpy scalar is treated as the number or text that it stands for."""
    made = trial.made
    output, expected = trial.run(form), trial.run(trial.x)
    if trial.replays and look(made, output) != look(made, expected):
        raise ContractBroken(
            f"values: {made!r} gave {told(output)} for {told(form)}, but "
            f"{told(expected)} for {told(trial.x)}"
        )


def _check_kinds(trial: Trial, lefts: list[Any]) -> None:
    """The type and dtype of an output do not depend on the rows."""
    rights = trial.made.input_domain.forms(trial.x2) if lefts else []
    for left, right in zip(lefts[:1], rights[:1], strict=False):
        if kind_of(left) != kind_of(right) or _refuses_dtype(trial, left):
            continue
        kinds = [kind_of(trial.run(each)) for each in (left, right)]
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


def constant_forms(form: Any, domain: Domain) -> list[Any]:
    """Return arrays of the dtype of `form` with other rows: none, or all the same."""
    import numpy

    forms = [form[:0]] + [numpy.full_like(form, row) for row in form[:2]]
    return [each for each in forms if domain.member(each)]


def kind_of(output: Release) -> Any:
    """Return what may not depend on the rows: the type, and of an array the dtype."""
    if not is_array(output):
        return type(output).__name__
    return output.dtype.kind if output.dtype.kind == "U" else str(output.dtype)


def _same_rows(left: Any, right: object) -> bool:
    if is_array(left) or isinstance(left, list):
        vector = is_array(right) or isinstance(right, list)
        return vector and key(rows(left)) == key(rows(right))
    return key(left) == key(right)
