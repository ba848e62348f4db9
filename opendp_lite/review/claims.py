r"""What the proofs and lemmas of a project state about the package's definitions.

To quote a function is not to say what it does. A file *states* a definition if it
quotes it, or the class that holds it, and if its claim, the statement of a lemma or the
postcondition of a proof, names it by ``\fn``: ``\fn{function}``, ``\fn{Class.method}``,
or ``\fn{Class}`` for the making of an object. The macro of a postcondition names the
subject of the proof.
"""

from __future__ import annotations

from collections.abc import Iterator

from opendp_lite.review.project import Project
from opendp_lite.review.texfile import TexFile

__all__ = ["Claims", "full_name", "quoted_here"]

_MAKING = ("__init__", "__new__", "__attrs_post_init__", "__post_init__")


def full_name(module: str, name: str) -> str:
    """Return the dotted name of a definition."""
    return f"{module}.{name}"


def quoted_here(tex: TexFile, callee: str) -> bool:
    """Return whether a file quotes a definition, or the class that holds it.

    A class counts as quoted where what makes its objects is.
    """
    made = {f"{callee}.{method}" for method in _MAKING}
    for each in tex.quotes:
        quoted = full_name(each.module, each.name)
        if callee == quoted or callee.startswith(f"{quoted}.") or quoted in made:
            return True
    return False


class Claims:
    """Which files state a definition, and which only quote it."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._stated: dict[str, list[str]] = {}
        for tex in project.files.values():
            for name in dict.fromkeys(self._stated_by(tex)):
                self._stated.setdefault(name, []).append(tex.name)
        self._proved = {
            full_name(tex.subject.module, tex.subject.name): tex.name
            for tex in project.proofs.values()
            if len(tex.subjects) == 1
        }

    def _stated_by(self, tex: TexFile) -> Iterator[str]:
        if tex.postconditions and len(tex.subjects) == 1:
            yield full_name(tex.subject.module, tex.subject.name)
        for each in tex.quotes:
            module = self.project.library.module(each.module)
            owner, _, last = each.name.rpartition(".")
            for name in sorted(tex.named):
                quoted = name == each.name or name.startswith(f"{each.name}.")
                made = name == owner and last in _MAKING
                if module and name in module.definitions and (quoted or made):
                    yield full_name(each.module, name)

    def proof_of(self, callee: str) -> str | None:
        """Return the proof whose subject a definition is."""
        return self._proved.get(callee)

    def stating(self, callee: str) -> list[str]:
        """Return the names of the files that state a definition."""
        return self._stated.get(callee, [])

    def quoting(self, callee: str) -> list[str]:
        """Return the names of the files that quote a definition and do not state it."""
        return [
            name
            for name, tex in self.project.files.items()
            if name not in self.stating(callee) and quoted_here(tex, callee)
        ]
