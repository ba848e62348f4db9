"""What the reviewer finds wrong, said to a person."""

from __future__ import annotations

import attrs

__all__ = ["Problem", "ReviewError"]


class ReviewError(Exception):
    """Something that cannot be reviewed at all; the text says what and what to do."""


@attrs.frozen
class Problem:
    """One finding: which rule, which proof, what is wrong, what to do about it.

    `proof` is the name of the proof (`measurements/make_laplace`), or empty for a
    finding about the folder as a whole. `detail` is a diff or a traceback.

    >>> print(Problem("label-missing", "a/make_b", "no line is named x.", "Add it."))
    a/make_b: no line is named x.
        What to do: Add it.
    """

    kind: str
    proof: str
    message: str
    fix: str
    detail: str = ""

    def __str__(self) -> str:
        head = f"{self.proof}: {self.message}" if self.proof else self.message
        detail = [f"    {line}".rstrip() for line in self.detail.splitlines()]
        return "\n".join([head, *detail, f"    What to do: {self.fix}"])
