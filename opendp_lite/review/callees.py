r"""What quoted code calls: each callee is quoted, proved, or trusted with a reason.

A name that lands on a function or class of the package must be quoted in the same
proof or in a lemma that it uses, be the subject of another proof, or stand in
trusted.toml. An attribute of an object that the reviewer cannot know is matched by its
name: where a class of the package, among the modules in reach, has a method of that
name, one such method must be covered, if need be after ``\uses{module}{Class.method}``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from opendp_lite.review.problems import Problem, ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.quoting import find
from opendp_lite.review.texfile import Reference, TexFile

__all__ = ["Callees"]

_MAKING = ("__init__", "__new__", "__attrs_post_init__", "__post_init__")


def _holds(name: str, inner: str) -> bool:
    """Whether a definition is, or contains, another."""
    return inner == name or inner.startswith(f"{name}.")


class Callees:
    """The callees of all proofs of a project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.trusted_used: set[str] = set()
        self.rests: dict[str, set[str]] = {name: set() for name in project.files}
        self._closures: dict[str, set[str]] = {}

    @cached_property
    def _subjects(self) -> dict[str, list[str]]:
        """Subject to the names that its proof covers for others."""
        covered = {}
        for tex in self.project.proofs.values():
            if len(tex.subjects) == 1:
                subject = f"{tex.subject.module}.{tex.subject.name}"
                quoted = [f"{each.module}.{each.name}" for each in tex.quotes]
                inner = [each for each in quoted if _holds(subject, each)]
                covered[tex.name] = [subject, *inner]
        return covered

    def _cover(self, tex: TexFile, callee: str) -> bool:
        """Return whether a callee is covered, and note by what."""
        lemmas = [self.project.lemmas.get(f"lemmas/{each.name}") for each in tex.lemmas]
        for text in (tex, *lemmas):
            quoted = [f"{q.module}.{q.name}" for q in text.quotes] if text else []
            made = {f"{callee}.{method}" for method in _MAKING}
            if any(_holds(each, callee) or each in made for each in quoted):
                return True
        for name, (subject, *inner) in self._subjects.items():
            if name != tex.name and (
                callee == subject or any(_holds(each, callee) for each in inner)
            ):
                self.rests[tex.name].add(name)
                return True
        for entry in self.project.trusted:
            if _holds(entry, callee):
                self.trusted_used.add(entry)
                return True
        return False

    def check(self) -> list[Problem]:
        """Return what is uncovered, and what is declared or trusted for nothing."""
        problems = [
            problem
            for tex in self.project.files.values()
            for problem in self._check_file(tex)
        ]
        return [*problems, *self._check_trusted()]

    def _check_file(self, tex: TexFile) -> Iterator[Problem]:
        attributes: dict[str, tuple[Reference, set[str]]] = {}
        callees: dict[str, Reference] = {}
        for reference in tex.quotes:
            try:
                reach = self.project.reach(reference)
            except ReviewError:
                continue  # the quote itself is reported
            for landing in reach.defined:
                callees.setdefault(landing.name, reference)
            for name in sorted(reach.unknown):
                yield Problem(
                    "name-unknown",
                    tex.name,
                    f"{reference.name} uses {name}, which is bound nowhere that the "
                    "reviewer can see.",
                    "Import or define the name in the plain way.",
                )
            for attribute in reach.attributes:
                attributes.setdefault(attribute, (reference, set()))[1].update(
                    self._methods(reference.module, attribute)
                )
        uncovered = {
            name: reference.name
            for name, reference in sorted(callees.items())
            if not self._cover(tex, name)
        }
        if uncovered:
            yield _uncovered(tex, uncovered)
        yield from self._check_uses(tex, set(attributes) | _last_parts(callees))
        declared = {f"{each.module}.{each.name}" for each in tex.uses}
        for attribute, (reference, methods) in sorted(attributes.items()):
            if not methods or methods & declared:
                continue
            # All are asked, so that every proof this one may rest on is noted.
            covered = [each for each in sorted(methods) if self._cover(tex, each)]
            if not covered:
                yield _undeclared(tex, attribute, methods, reference)

    def _methods(self, module: str, attribute: str) -> set[str]:
        """Return the methods of that name in the modules that `module` can reach."""
        if module not in self._closures:
            self._closures[module] = self.project.library.closure({module})
        found = set()
        for name in self._closures[module]:
            each = self.project.library.module(name)
            assert each is not None
            found |= {f"{name}.{q}" for q in each.methods.get(attribute, ())}
        return found

    def _check_uses(self, tex: TexFile, read: set[str]) -> Iterator[Problem]:
        for each in tex.uses:
            module = self.project.library.module(each.module)
            name = f"{each.module}.{each.name}"
            if module is None or each.name not in module.definitions:
                message = (
                    rf"line {each.line} declares \uses of {name}, which is not there."
                )
                yield Problem("uses-missing", tex.name, message, "Correct the name.")
            elif each.name.rpartition(".")[2] not in read:
                message = (
                    f"no quoted code uses {each.name}, which line {each.line} declares."
                )
                yield Problem("uses-unused", tex.name, message, r"Remove the \uses.")
            elif not self._cover(tex, name):
                yield _uncovered(tex, {name: r"\uses"})

    def _check_trusted(self) -> Iterator[Problem]:
        for name, reason in self.project.trusted.items():
            if not reason.strip():
                message = f"trusted.toml gives no reason for {name}."
                yield Problem("trusted", "", message, "Say why it needs no proof.")
            if not self._exists(name):
                message = (
                    f"trusted.toml names {name}, which the package does not define."
                )
                yield Problem("trusted", "", message, "Correct or remove the entry.")
            elif name not in self.trusted_used:
                message = f"no quoted code needs {name}, which trusted.toml names."
                yield Problem("trusted", "", message, "Remove the entry.")

    def _exists(self, name: str) -> bool:
        parts = name.split(".")
        for cut in range(1, len(parts)):
            module = self.project.library.module(".".join(parts[:cut]))
            if module is not None:
                try:
                    return bool(find(module, ".".join(parts[cut:])))
                except ReviewError:
                    continue
        return False


def _last_parts(names: dict[str, Reference]) -> set[str]:
    return {name.rpartition(".")[2] for name in names}


def _uncovered(tex: TexFile, users: dict[str, str]) -> Problem:
    return Problem(
        "callee",
        tex.name,
        "quoted code uses what is neither quoted here or in a lemma that is used here, "
        "nor the subject of a proof, nor trusted.",
        r"Quote it by \code, write a proof of it, or give a reason in trusted.toml.",
        "\n".join(f"{name}, by {user}" for name, user in users.items()),
    )


def _undeclared(
    tex: TexFile, attribute: str, methods: set[str], reference: Reference
) -> Problem:
    shown = sorted(methods)
    listed = ", ".join(shown[:4]) + (", ..." if len(shown) > 4 else "")
    return Problem(
        "method",
        tex.name,
        f"{reference.name} reads .{attribute} from an object, which may be {listed}; "
        "none of these is quoted here, proved, or trusted.",
        r"Declare which by \uses{module}{Class." + attribute + "}, and quote, prove or "
        "trust that method or its class.",
    )
