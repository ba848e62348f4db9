r"""What the proofs and lemmas of a project state about the package's definitions.

To quote a function is not to say what it does. A file *states* a definition if it
quotes it, or the class that holds it, and if its claim, the statement of a lemma or the
postcondition of a proof, names it by ``\fn``: ``\fn{function}``, ``\fn{Class.method}``,
or ``\fn{Class}`` for the making of an object. The macro of a postcondition names the
subject of the proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from opendp_lite.review.code.compare import MAKING
from opendp_lite.review.project import Project
from opendp_lite.review.tex.texfile import TexFile

__all__ = ["Claims", "full_name", "quoted_here"]


def full_name(module: str, name: str) -> str:
    """Return the dotted name of a definition."""
    return f"{module}.{name}"


def quoted_here(tex: TexFile, callee: str) -> bool:
    """Return whether a file quotes a definition, or the class that holds it.

    A class counts as quoted where what makes its objects is.
    """
    made = {f"{callee}.{method}" for method in MAKING}
    for each in tex.quotes:
        quoted = full_name(each.module, each.name)
        if callee == quoted or callee.startswith(f"{quoted}.") or quoted in made:
            return True
    return False


class Claims:
    """Which files state a definition, and which only quote it."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._proved = {
            full_name(tex.subject.module, tex.subject.name): tex.name
            for tex in project.proofs.values()
            if len(tex.subjects) == 1
        }
        self._naming: dict[str, list[TexFile]] = {}
        for tex in project.files.values():
            for name in tex.named:
                self._naming.setdefault(name, []).append(tex)
        self._stated: dict[str, list[str]] = {}

    def proof_of(self, callee: str) -> str | None:
        """Return the proof whose subject a definition is."""
        return self._proved.get(callee)

    def stating(self, callee: str) -> list[str]:
        """Return the names of the files that state a definition."""
        if callee not in self._stated:
            found = set(self._claiming(callee))
            proof = self.proof_of(callee)
            if proof is not None and self.project.files[proof].postconditions:
                found.add(proof)
            self._stated[callee] = sorted(found, key=self._position.__getitem__)
        return self._stated[callee]

    @cached_property
    def _position(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.project.files)}

    def _claiming(self, callee: str) -> Iterator[str]:
        """Yield the files whose claims name a definition which they quote."""
        module, name = self.project.library.split(callee)
        if module is None or name not in module.definitions:
            return
        for tex in self._naming.get(name, ()):
            for each in tex.quotes:
                owner, _, last = each.name.rpartition(".")
                quoted = name == each.name or name.startswith(f"{each.name}.")
                made = name == owner and last in MAKING
                if each.module == module.name and (quoted or made):
                    yield tex.name

    def quoting(self, callee: str) -> list[str]:
        """Return the names of the files that quote a definition and do not state it."""
        return [
            name
            for name, tex in self.project.files.items()
            if name not in self.stating(callee) and quoted_here(tex, callee)
        ]
