"""The answer of the whole review, kept until something that it depends on changes.

It depends on every file of the package and of the proofs, on this library, the reviewer
included, on the style file, and on the versions of Python and of all that is installed.
The digest of these is kept with the answer beside the PDFs, in `Project.build`, which
is never committed.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs

from opendp_lite.review.code.library import Library
from opendp_lite.review.problems import Place, Problem
from opendp_lite.review.project import Project

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
