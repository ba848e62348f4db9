"""The claim in words: one sentence, and what is protected."""

from __future__ import annotations

from typing import Any

from opendp_lite.base.aliases import Distance as Asked
from opendp_lite.base.errors import printed
from opendp_lite.base.ownership import is_own
from opendp_lite.certify.format import Subject
from opendp_lite.show.explaining.sentences import (
    change,
    guarantee,
    is_infinite,
    show_within,
    spread,
)
from opendp_lite.show.explaining.steps import SPACES, Distance

_PROTECTED = {
    "SymmetricDistance": "who is in the data: data sets that differ by at most {d} "
    "rows added or removed",
    "InsertDeleteDistance": "who is in the data: data sets that differ by at most {d} "
    "rows inserted or deleted, in their order",
    "ChangeOneDistance": "what rows say: data sets of one size that differ in at most "
    "{d} rows",
    "HammingDistance": "what rows say: data sets of one size that differ in at most "
    "{d} rows, in their order",
    "DiscreteDistance": "every value: any two inputs, where the distance is 1",
    "IdentifierDistance": "people with all their rows: tables that differ by at most "
    "{d} people added or removed; one whose rows changed counts twice",
    "AbsoluteDistance": "numbers that differ by at most {d}",
    "L1Distance": "vectors whose entries differ by at most {d} in sum",
    "L2Distance": "vectors at Euclidean distance at most {d}",
    "LInfDistance": "vectors whose entries differ by at most {d} each",
}
_SAMPLE = ", from one of which the data are a secret sample"
_LONG = 40  # letters of an exact number that a sentence can hold
_AT = (2, 4, 8)  # where a curve is told


def claim_of(
    made: Subject, kind: str, d_in: Distance, d_out: Distance | None, asked: Asked
) -> Any:
    """Return what is claimed, as plain values.

    :param made: what is certified
    :param kind: what it is
    :param d_in: the distance of the data, as it is told
    :param d_out: what its map says, if it has one
    :param asked: the distance of the data, as it was passed
    """
    metric = made.input_metric
    form = _PROTECTED.get(type(metric).__name__) if is_own(type(metric)) else None
    protects = (
        f"inputs at distance at most {d_in.exact} under {printed(metric)}"
        if form is None
        else form.format(d=d_in.exact)
    )
    if getattr(metric, "monotonic", False):
        protects += ", all in one direction"
    if getattr(made, "exclusive", False):
        protects = protects.replace("data sets", "populations")
        protects = protects.replace("the data", "the population") + _SAMPLE
    if hasattr(made, "privacy_map") and d_out is not None and is_infinite(d_out):
        protects = f"nothing, as the loss has no bound, of {protects}"
    spaces = {name: getattr(made, name, None) for name in SPACES}
    return {
        "kind": kind,
        "sentence": _sentence(made, d_in, d_out),
        "formal": _formal(made, d_in, d_out),
        "protects": protects,
        "d_in": d_in.to_dict(),
        "d_out": None if d_out is None else d_out.to_dict(),
        "curve": _curve(made, asked),
        **{n: None if each is None else printed(each) for n, each in spaces.items()},
    }


def _sentence(made: Subject, d_in: Distance, d_out: Distance | None) -> str:
    """Return the claim in plain words."""
    sample = bool(getattr(made, "exclusive", False))
    if d_out is None:
        return (
            f"If {change(made.input_metric, d_in, sample)}, all answers of a session "
            "that it opens lose no more than the session states, whoever asks, and "
            "whatever is asked next."
        )
    if hasattr(made, "stability_map"):
        return spread(made.input_metric, d_in, made.output_metric, d_out)
    given = made.input_metric, d_in, made.output_measure, d_out
    return guarantee(*given, several=made.interactive, sample=sample)


def _formal(made: Subject, d_in: Distance, d_out: Distance | None) -> str:
    """Return the claim by its metric and its measure."""
    far = f"at distance at most {d_in.exact} under {printed(made.input_metric)}"
    pair = "inputs"
    if getattr(made, "exclusive", False):
        pair = "populations, from one of which the input is a secret sample,"
    if d_out is None:
        return (
            f"Of any two {pair} {far}, a session that it opens loses no more than it "
            "tells, whoever asks, and whatever is asked next."
        )
    if hasattr(made, "stability_map"):
        return (
            f"Any two {pair} {far} have outputs at distance at most {d_out.exact} "
            f"under {printed(made.output_metric)}. Nothing is released."
        )
    exact = d_out.exact
    within = exact if len(exact) <= _LONG else show_within(d_out)
    who = "all its answers together" if made.interactive else "the release"
    return (
        f"Of any two {pair} {far}, the laws of {who} are within {within} of each "
        f"other under {printed(made.output_measure)}, in both orders."
    )


def _curve(made: Subject, asked: Asked) -> list[list[str]]:
    """Return some points of a loss that is a curve, exactly; else nothing."""
    if not hasattr(made, "privacy_map"):
        return []
    metric, measure = made.input_metric, made.output_measure
    loss = made.privacy_map(metric.parse(asked))
    told = measure.present(loss, exact=True)
    if not callable(told):
        return []
    return [[str(at), str(told(at))] for at in _AT]
