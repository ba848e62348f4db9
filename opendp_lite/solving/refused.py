"""The error of a Context: an `OpenDPException`, and a `ValueError` as in OpenDP."""

from __future__ import annotations

from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.core.measures import Measure

INTERRUPTED = (
    "the query was interrupted, and its answer is lost. Its charge was kept. The "
    "context stays open for further queries, within what is left"
)


class ContextError(OpenDPException, ValueError):
    """A Context or a query that was not made as it must be; nothing was spent."""


def refused(argument: str, value: object, rule: str, fix: str) -> OpenDPException:
    """Return the error that names an argument, its value, the rule and the fix."""
    return refusal("Context", argument, value, rule, fix, ContextError)


def mismatch_error(counted: Measure, asked: Measure, has_delta: bool) -> ContextError:
    """Return the error of a query that counts loss by a measure of another kind.

    :param counted: the measure of the Context
    :param asked: that of the query
    :param has_delta: whether the query says a delta
    """
    text = f"the Context counts loss by {counted!r}, and the query by {asked!r}."
    if counted.inner_measure != counted and not has_delta:
        text += " Say epsilon and delta; the noise may be Gaussian all the same."
    else:
        text += " Say the loss as loss_of() was told for the Context."
    return ContextError("MeasureMismatch", text)
