"""What is known of proofs: their texts, records, and the code that is here now.

Nothing is taken from the records but who read what. Digests of texts, code and premises
are computed from what is there, and compared with what was read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import attrs

from opendp_lite.certify.format import canonical
from opendp_lite.certify.pages.prose import own_definitions
from opendp_lite.certify.running import Running
from opendp_lite.core.registry import REGISTRY
from opendp_lite.review.code.compare import Reviewed
from opendp_lite.review.commands.reviewing import present_premises
from opendp_lite.review.problems import ReviewError
from opendp_lite.review.project import STYLE, TRUSTED, Project, Registered
from opendp_lite.review.records import (
    Review,
    check_code,
    check_premises,
    note_path,
    people,
    read_reviews,
)
from opendp_lite.review.rules.callees import Callees
from opendp_lite.review.rules.coverage import check_conditions
from opendp_lite.review.shipped import proofs_folder
from opendp_lite.review.tex.texfile import TexFile, read_tex

OWN = __name__.partition(".")[0]
_CLAIM = re.compile(
    r"\\subsection\*\{Postcondition\}(.*?)(?=\\subsection|\\section|\\end\{document\})",
    re.DOTALL,
)


@attrs.frozen
class ProofFacts:
    """What is known of one text: digests of what is here, its record, what is amiss."""

    name: str
    text: str
    code: dict[str, str]
    premises: dict[str, str]
    status: str
    review: Review | None
    findings: tuple[str, ...]
    tex: TexFile | None

    @property
    def as_reviewed(self) -> bool:
        """Whether text, code and premises are what was reviewed and vetted."""
        return not self.findings

    @property
    def about(self) -> tuple[str, ...]:
        """The constructors that it is about, as `module:name`."""
        subjects = () if self.tex is None else self.tex.subjects
        return tuple(f"{each.module}:{each.name}" for each in subjects)

    def brief(self) -> dict[str, Any]:
        """Return what a certificate says of a text that others rest on."""
        code = hashlib.sha256(canonical(self.code).encode()).hexdigest()
        return {
            "text": self.text,
            "code": code,
            "status": self.status,
            "as_reviewed": self.as_reviewed,
        }

    def theorem(self) -> dict[str, Any]:
        """Return what is claimed, as TeX, with the macros of the proof's own."""
        if self.tex is None:
            return {"tex": "", "definitions": [], "states": []}
        found = _CLAIM.search(self.tex.text)
        tex = found[1] if found else self.tex.claim
        head = self.tex.text.partition(r"\begin{document}")[0]
        return {
            "tex": tex.strip(),
            "definitions": own_definitions(head),
            "states": [list(each) for each in self.tex.postconditions],
        }


@attrs.frozen(slots=False, eq=False)
class Evidence:
    """The proofs of some packages, each read once; a new one sees what changed since.

    `projects` leads from packages of a user's own to their proofs; the library's own
    are always known.
    """

    projects: Mapping[str, Project] = attrs.field(factory=dict)
    _facts: dict[tuple[str, str], ProofFacts] = attrs.field(factory=dict, init=False)
    _trusted: dict[str, str] = attrs.field(factory=dict, init=False)
    _callees: dict[str, Callees] = attrs.field(factory=dict, init=False)

    @classmethod
    def of(cls, package: str | None = None, folder: Path | None = None) -> Evidence:
        """Return the evidence of the library, and of one package of a user's own.

        :param package: its name
        :param folder: the folder of its proofs
        """
        if package is None or folder is None:
            return cls()
        project = Project(package, folder)
        if not folder.is_dir():
            raise ReviewError(
                f"there is no folder {folder}. Name that of the proofs with --proofs."
            )
        return cls({package: project})

    @cached_property
    def all_projects(self) -> dict[str, Project]:
        """The projects by package, the library's own among them."""
        given = dict(self.projects)
        return given if OWN in given else given | {OWN: Project(OWN, proofs_folder())}

    @cached_property
    def _reviews(self) -> dict[str, dict[str, Review]]:
        return {
            package: read_reviews(project.folder)
            for package, project in self.all_projects.items()
        }

    @property
    def style_text(self) -> str:
        """The text of the library's style file."""
        return self.all_projects[OWN].style_text

    def trusted(self, package: str) -> str:
        """Return the digest of what is trusted without a proof: the list and the code.

        :param package: whose
        """
        if package not in self._trusted:
            project = self.all_projects[package]
            path = project.folder / TRUSTED
            content = path.read_text(encoding="utf-8") if path.is_file() else ""
            parts = {name: _trusted_code(project, name) for name in project.trusted}
            text = canonical([content, parts])
            self._trusted[package] = hashlib.sha256(text.encode()).hexdigest()
        return self._trusted[package]

    def facts(self, package: str, name: str) -> ProofFacts:
        """Return what is known of a proof or a lemma.

        :param package: whose it is; one that is known
        :param name: its path below the folder of proofs, without its ending
        """
        key = package, name
        if key not in self._facts:
            self._facts[key] = self._gathered(package, name)
        return self._facts[key]

    def closure(self, package: str, names: Iterable[str]) -> list[str]:
        """Return the names of all that some proofs rest on, themselves left out.

        :param package: whose they are
        :param names: of proofs
        """
        first = list(names)
        seen, waiting = set[str](), list(first)
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += _premise_names(self.facts(package, name))
        return sorted(seen - set(first))

    def _premises(self, package: str, name: str) -> tuple[dict[str, str], list[str]]:
        """Return what a proof rests on now, and which calls of its code are amiss.

        It is found from the text and the quoted code, whatever the record says.
        """
        try:
            if package not in self._callees:
                self._callees[package] = Callees(self.all_projects[package])
            found, problems = present_premises(self._callees[package], name)
        except ReviewError as error:
            return {}, [str(error)]
        return found, [
            ": ".join([each.message.rstrip("."), *each.detail.splitlines()])
            for each in problems
        ]

    def _gathered(self, package: str, name: str) -> ProofFacts:
        project = self.all_projects[package]
        review = self._reviews[package].get(name)
        try:
            tex = read_tex(project.folder, name)
        except ReviewError as error:
            return ProofFacts(name, "", {}, {}, "missing", review, (str(error),), None)
        code, amiss = _code(project, tex)
        premises, calls = self._premises(package, name)
        amiss += calls
        status = "not recorded" if review is None else review.standing
        amiss += list(_amiss(project, tex, review, premises))
        for each in tex.quotes:
            if not Running(project.library).is_of_file(each.module, each.name):
                amiss.append(
                    f"{each.name} as it runs here is not what the file of "
                    f"{each.module} says"
                )
        return ProofFacts(
            name, tex.digest, code, premises, status, review, tuple(amiss), tex
        )


def _trusted_code(project: Project, name: str) -> str:
    """Return the digest of a definition that is trusted; of its module if need be."""
    module, inside = project.library.split(name)
    if module is None:
        return ""
    try:
        return Reviewed(project.library, module.name, inside).digest
    except ReviewError:
        return hashlib.sha256(module.text.encode()).hexdigest()


def _code(project: Project, tex: TexFile) -> tuple[dict[str, str], list[str]]:
    try:
        return project.digests(tex), []
    except ReviewError as error:
        return {}, [str(error)]


def _record(project: Project, tex: TexFile, review: Review) -> Iterator[str]:
    """Yield why a record that says vetted is none of a refereeing."""
    if review.status == "vetted":
        reader = review.verdict.who
        if people(reader) & people(review.author):
            yield f"{reader} is recorded as its author and as its reader"
        note = note_path(project.folder, tex.name)
        if not (note.is_file() and note.read_text(encoding="utf-8").strip()):
            yield "it is vetted, and the note of the refereeing is missing or empty"


def _decorator(tex: TexFile, review: Review) -> Iterator[str]:
    """Yield where the decorator of a loaded constructor says something else.

    What a person must verify, and the status, stand there and not in quoted code.
    """
    for subject in tex.subjects:
        entry = REGISTRY.get(f"{subject.module}:{subject.name}")
        if entry is None:
            continue
        told = Registered(
            subject.module,
            subject.name,
            entry.proof,
            entry.status,
            entry.human_verified,
        )
        yield from (each.message.rstrip(".") for each in check_conditions(tex, told))
        if entry.status != review.status:
            yield (
                f"the decorator of {subject.name} says that it is {entry.status}, and "
                f"its record says {review.status}"
            )


def _premise_names(facts: ProofFacts) -> list[str]:
    names = (key.partition("(")[0] for key in facts.premises)
    return [name for name in names if not name.startswith(f"{STYLE}:")]


def _amiss(
    project: Project, tex: TexFile, review: Review | None, premises: dict[str, str]
) -> Iterator[str]:
    """Yield in which ways a proof is not what somebody has read and vetted."""
    if review is None:
        yield "nobody is recorded as having read it"
        return
    read = f"{review.verdict.who} read it on {review.verdict.date}"
    if review.status != "vetted":
        yield f"it is {review.standing}, and not vetted"
    if tex.digest != review.tex:
        yield f"its text changed since {read}"
    for each in check_code(project, tex, review, shown=False):
        yield each.message.rstrip(".")
    yield from _record(project, tex, review)
    yield from _decorator(tex, review)
    for each in check_premises(tex, review, premises):
        yield each.message.rstrip(".")
