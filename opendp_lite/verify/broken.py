"""The error of a contract that is not kept."""

from __future__ import annotations

__all__ = ["ContractBroken"]


class ContractBroken(AssertionError):
    """A constructor breaks a rule; the message names the rule and shows the case."""
