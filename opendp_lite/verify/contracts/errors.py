"""The error of a contract that is not kept, and its text."""

from __future__ import annotations

import sys
from collections.abc import Iterable

__all__ = ["ContractBroken", "SourceUsed", "told"]

_LONGEST = 400


class ContractBroken(AssertionError):
    """A constructor breaks a rule; the message names the rule and shows the case."""


class SourceUsed(ContractBroken):
    """A function used something besides its random bits; `sources` says in words what.

    :param sources: clauses such as "release called os.urandom"
    """

    def __init__(self, sources: Iterable[str]) -> None:
        self.sources = tuple(dict.fromkeys(sources))
        super().__init__(
            f"sources: {', '.join(self.sources)}, but only the random bits of "
            "opendp_lite.sampling.entropy may decide what comes out"
        )


def told(value: object) -> str:
    """Return the repr of a case, with its middle left out if it is long.

    Python refuses to print an int of more than 4300 digits unless the limit is lifted,
    and a case is shown where it must not matter what it is.

    >>> len(told(10**5000)), told([1, "a"])
    (405, "[1, 'a']")
    """
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        text = repr(value)
    except Exception as error:
        text = f"<{type(value).__name__} that does not print: {error!r}>"
    finally:
        sys.set_int_max_str_digits(limit)
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"
