"""The whole review: every rule, in one list of findings, and its answer, which is kept.

The answer depends on every file of the package and of the proofs, on this library with
the reviewer, on the style file, and on the versions of Python and of all that is
installed. The digest of these is kept with the answer beside the PDFs, in
`Project.build`, which is never committed.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs

from opendp_lite.review.code.library import Library
from opendp_lite.review.code.words import check_words
from opendp_lite.review.commands.index import check_index
from opendp_lite.review.problems import Place, Problem
from opendp_lite.review.project import DOORS, Project
from opendp_lite.review.records import (
    Review,
    check_format,
    check_records,
    check_strays,
    read_reviews,
)
from opendp_lite.review.rules.algebra import check_steps
from opendp_lite.review.rules.callees import Callees, check_quotes
from opendp_lite.review.rules.coverage import (
    check_agreement,
    check_circles,
    check_lemmas,
    check_registry,
    subject_of,
)
from opendp_lite.review.rules.form import check_form
from opendp_lite.review.rules.labels import check_labels, check_unquoted
from opendp_lite.review.rules.plain_names import check_plain
from opendp_lite.review.rules.premises import check_citations
from opendp_lite.review.rules.trust import check_assumptions, check_trusted
from opendp_lite.review.tex.texfile import TexFile


def check(
    project: Project, fresh: bool = False, only: Iterable[str] | None = None
) -> list[Problem]:
    """Return all that is wrong.

    With the names of some proofs, return what is wrong with these, as far as it can be
    told without a look at what the code of all others calls.

    :param project: the package and its proofs
    :param fresh: whether to run every check of algebra again
    :param only: names of proofs; all by default
    """
    if only is not None or project.library.given:
        return _check(project, fresh, only)
    return remembered(project, lambda: _check(project, fresh), fresh)


def _check(
    project: Project, fresh: bool, only: Iterable[str] | None = None
) -> list[Problem]:
    names = list(project.files if only is None else only)
    reviews = read_reviews(project.folder)
    callees = Callees(project)
    problems = [p for name in names for p in check_form(project, project.files[name])]
    problems += check_labels(project, names)
    problems += callees.check(names)
    problems += check_quotes(project, callees.claims, names)
    problems += [*check_lemmas(project), *check_citations(project)]
    problems += check_steps(project, names, fresh)
    rests = _rests(project, callees, names)
    old = [*check_format(project.folder)]
    stated = _stated(project, callees, rests)
    problems += check_records(project, reviews, stated, with_code=not old)
    foundations = _foundations(project, callees, names)
    problems += check_agreement(project, reviews, foundations)
    if only is None:
        problems += _check_together(project, reviews, callees, rests)
    else:
        problems = [problem for problem in problems if problem.proof in names]
    problems += old
    return sorted(problems, key=lambda problem: problem.proof)


def _check_together(
    project: Project,
    reviews: dict[str, Review],
    callees: Callees,
    rests: dict[str, set[str]],
) -> list[Problem]:
    """Return what is wrong with the project as a whole."""
    return [
        *check_unquoted(project),
        *check_trusted(project, callees.trusts),
        *check_assumptions(project, callees.rests, callees.trusts),
        *check_circles(project, callees.rests),
        *check_registry(project, rests),
        *check_words(project),
        *check_plain(project),
        *check_strays(project, reviews),
        *check_index(project),
    ]


def premises(
    project: Project, names: Iterable[str] | None = None
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return what each proof or lemma refers to, and what its truth rests on."""
    callees = Callees(project)
    names = list(project.files if names is None else names)
    callees.check(names)
    return _rests(project, callees, names), _foundations(project, callees, names)


def statement_digests(
    project: Project, names: Iterable[str]
) -> dict[str, dict[str, str]]:
    """Return the digests of all statements that each of some proofs rests on."""
    callees, names = Callees(project), list(names)
    callees.check(names)
    return _stated(project, callees, _rests(project, callees, names))


def present_premises(
    callees: Callees, name: str
) -> tuple[dict[str, str], list[Problem]]:
    """Return the digests of what one proof rests on, and what of its calls is amiss.

    :param callees: of the project; it remembers what it was asked
    :param name: of the proof
    """
    project, problems = callees.project, callees.check([name])
    rests = _rests(project, callees, [name])
    return _stated(project, callees, rests)[name], problems


def _stated(
    project: Project, callees: Callees, rests: dict[str, set[str]]
) -> dict[str, dict[str, str]]:
    return {
        name: project.premises(project.files[name], rests[name], callees.calls[name])
        for name in rests
    }


def _rests(
    project: Project, callees: Callees, names: Iterable[str]
) -> dict[str, set[str]]:
    cited = {n: {f"lemmas/{e.name}" for e in project.files[n].lemmas} for n in names}
    return {name: _below(project, callees, name, cited[name]) for name in cited}


def _foundations(
    project: Project, callees: Callees, names: Iterable[str]
) -> dict[str, set[str]]:
    return {
        name: _below(project, callees, name, project.files[name].foundations)
        for name in names
    }


def _below(project: Project, callees: Callees, name: str, lemmas: Set[str]) -> set[str]:
    """Return what a proof rests on: what its code calls, some lemmas, and the doors."""
    doors = _doors(project, project.files[name])
    return callees.rests[name] | (lemmas & project.lemmas.keys()) | doors


def _doors(project: Project, tex: TexFile) -> set[str]:
    """Return the lemma about the doors, for the proof of a constructor.

    What a constructor returns is made, called and asked through the doors, so what is
    proved of it rests on what they do, whether the proof says so or not.
    """
    if DOORS not in project.lemmas or not project.registration(subject_of(tex)):
        return set()
    return {DOORS}


ANSWER = "answer.json"
_OWN = "opendp_lite"


def remembered(
    project: Project, review: Callable[[], list[Problem]], fresh: bool = False
) -> list[Problem]:
    """Return what `review` found when all was as it is now; else let it look again.

    A failed check of algebra is not kept: it may fail for reasons of its own. Neither
    is a difference that git lacked: the history may be fetched.
    """
    path = project.build / ANSWER
    digest = inputs_digest(project)
    if not fresh:
        with suppress(OSError, ValueError, TypeError, KeyError):
            answer = json.loads(path.read_text(encoding="utf-8"))
            if answer["inputs"] == digest:
                return [_problem(each) for each in answer["problems"]]
    problems = review()
    failed = any(
        each.kind == "check-failed"
        or (each.kind == "code-changed" and not each.detail.startswith("---"))
        for each in problems
    )
    found = [attrs.asdict(problem) for problem in problems]
    with suppress(OSError):  # a folder that cannot be written keeps no answer
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if not failed and inputs_digest(project) == digest:  # nothing moved meanwhile
            path.write_text(json.dumps({"inputs": digest, "problems": found}))
    return problems


def _problem(kept: dict[str, Any]) -> Problem:
    place = kept.get("place")
    return Problem(**kept | {"place": Place(**place) if place else None})


def inputs_digest(project: Project) -> str:
    """Return the digest of all that the answer depends on."""
    digest = hashlib.sha256()
    for title, content in _inputs(project):
        for part in (title.encode(), content):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _inputs(project: Project) -> Iterator[tuple[str, bytes]]:
    yield "python", f"{sys.version} {sys.flags.optimize}".encode()
    found = importlib.metadata.distributions()
    yield "installed", "\0".join(sorted({_header(each) for each in found})).encode()
    yield "style", project.style_text.encode()
    for name in sorted({project.package, _OWN}):
        yield from _files(name, Library(name).root)
    yield from _files("proofs", project.folder, "build")


def _header(installed: importlib.metadata.Distribution) -> str:
    """The lines that name a distribution and its version; to parse them takes long."""
    text = installed.read_text("METADATA") or installed.read_text("PKG-INFO") or ""
    return text.partition("\n\n")[0]


def _files(
    title: str, root: Path, without: str = "__pycache__"
) -> Iterator[tuple[str, bytes]]:
    if root.is_file():
        yield f"{title}:", root.read_bytes()
    for folder, folders, names in os.walk(root):
        inside = "" if folder == str(root) else f"{os.path.relpath(folder, root)}/"
        left_out = {"__pycache__"} if inside else {"__pycache__", without}
        folders[:] = sorted({*folders} - left_out)
        for name in sorted({*names} - left_out):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    yield f"{title}:{inside}{name}", file.read()
