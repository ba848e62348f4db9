"""The error of a Context: an `OpenDPException`, and a `ValueError` as in OpenDP."""

from __future__ import annotations

from opendp_lite.core.errors import OpenDPException, refusal

__all__ = ["ContextError", "refused"]


class ContextError(OpenDPException, ValueError):
    """A Context or a query that was not made as it must be; nothing was spent."""


def refused(argument: str, value: object, rule: str, fix: str) -> OpenDPException:
    """Return the error that names an argument, its value, the rule and the fix."""
    return refusal("Context", argument, value, rule, fix, ContextError)
