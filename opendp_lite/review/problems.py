"""What the reviewer finds wrong, said to a person."""

from __future__ import annotations

import attrs


class ReviewError(Exception):
    """Something that cannot be reviewed at all; the text says what and what to do."""


@attrs.frozen
class Place:
    """Where a finding is to be shown: a line of a module, of a file, or of the proof.

    `module` is a dotted name, and `file` a path relative to the folder of proofs; with
    neither, the place is in the text of the proof that the finding is about. No path
    of a machine is in it, so that answers can be kept.
    """

    line: int
    module: str = ""
    file: str = ""


@attrs.frozen
class Problem:
    """One finding: which rule, which proof, what is wrong, what to do about it.

    `proof` is the name of the proof (`measurements/make_laplace`), or empty for a
    finding about the folder as a whole. `detail` is a diff or a traceback. `place` is
    where it is seen; without one it is the beginning of the proof.

    >>> print(Problem("label-missing", "a/make_b", "no line is named x.", "Add it."))
    a/make_b: no line is named x.
        What to do: Add it.
    """

    kind: str
    proof: str
    message: str
    fix: str
    detail: str = ""
    place: Place | None = None

    def __str__(self) -> str:
        head = f"{self.proof}: {self.message}" if self.proof else self.message
        detail = [f"    {line}".rstrip() for line in self.detail.splitlines()]
        return "\n".join([head, *detail, f"    What to do: {self.fix}"])
