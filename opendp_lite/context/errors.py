"""The error of a Context: an `OpenDPException`, and a `ValueError` as in OpenDP."""

from __future__ import annotations

from opendp_lite.core.errors import OpenDPException, refusal

__all__ = ["INTERRUPTED", "ContextError", "refused"]

INTERRUPTED = (
    "the query was interrupted, and its answer is lost. Its charge was kept. The "
    "context stays open for further queries, within what is left"
)


class ContextError(OpenDPException, ValueError):
    """A Context or a query that was not made as it must be; nothing was spent."""


def refused(argument: str, value: object, rule: str, fix: str) -> OpenDPException:
    """Return the error that names an argument, its value, the rule and the fix."""
    return refusal("Context", argument, value, rule, fix, ContextError)
