"""What is printed: a proof described on the terminal, and findings for machines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from opendp_lite.review.commands.building import build, pdf_path
from opendp_lite.review.commands.reviewing import statement_digests
from opendp_lite.review.problems import Place, Problem, ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.records import AMENDED, is_current, read_reviews


def description(project: Project, given: str) -> str:
    """Return the description of one proof.

    :param project: the package and its proofs
    :param given: the name of the proof, perhaps without its folder
    """
    name = project.full_name(given)
    tex = project.files[name]
    review = read_reviews(project.folder).get(name)
    lines = [name]
    if review is None:
        lines.append("  not recorded")
    else:
        now = "" if is_current(project, tex, review) else "; changed since"
        lines.append(f"  {review.status}{now}; written by {review.author}")
        for reading in review.readings:
            did = "amended" if reading.what == AMENDED else f"read ({reading.what})"
            lines.append(f"  {did} by {reading.who} on {reading.date}")
    facts = {
        "states": [macro for macro, _ in tex.postconditions],
        "human-verified": [
            item.human or item.text for item in tex.conditions("humanverified") or ()
        ],
        "rests on": sorted(statement_digests(project, [name])[name]),
        "checked steps": list(dict.fromkeys(each.name for each in tex.checked)),
    }
    for title, parts in facts.items():
        lines.append(f"  {title}: {', '.join(parts) or 'none'}")
    for each in tex.quotes:
        quote = project.quote(each)
        lines += ["", f"{each.module}: {each.name}"]
        for number, line in enumerate(quote.lines):
            label = quote.marks.get(number)
            mark = f"  <- {each.name}:{label}" if label else ""
            lines.append(f"{number + 1:4}  {line}{mark}".rstrip())
    return "\n".join(lines)


def made_pdf(project: Project, given: str) -> tuple[Path, list[Problem]]:
    """Return where the PDF of a proof is, made if need be, and what went wrong.

    :param project: the package and its proofs
    :param given: the name of the proof, perhaps without its folder
    """
    name = project.full_name(given)
    try:
        _, problems = build(project, only=[name])
    except ReviewError as error:
        text = project.folder / f"{name}.tex"
        raise ReviewError(f"{error}\nThe text of the proof is {text}") from None
    return pdf_path(project, name), problems


def located(project: Project, problem: Problem) -> tuple[Path, int]:
    """Return the file and the line that a finding is shown on.

    :param project: the package and its proofs
    :param problem: the finding
    """
    place = problem.place
    if place is not None and place.module:
        file = project.library.file(place.module)
        if file is not None:
            return file, place.line
    if place is not None and place.file:
        return project.folder / place.file, place.line
    tex = project.files.get(problem.proof)
    if tex is None:  # about all of them, or about one that is not there
        return project.folder, 1
    (first, *_) = [*tex.subjects, *tex.lemma_names, Place(1)]
    own = place if place is not None and not place.module else first
    return project.folder / f"{tex.name}.tex", own.line


def _shown(path: Path) -> str:
    """Return a path as seen from the root of the repository, or from where one is."""
    given = os.environ.get("GITHUB_WORKSPACE")
    for root in (Path(given) if given else None, Path.cwd()):
        if root is not None and path.resolve().is_relative_to(root.resolve()):
            return path.resolve().relative_to(root.resolve()).as_posix()
    return path.as_posix()


def _data(text: str) -> str:
    """Escape what is said by a command of GitHub."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    """Escape the value of a property of such a command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def annotation(message: str, **properties: object) -> str:
    """Return the line that GitHub shows as an error.

    :param message: what is said
    :param properties: where, and under which title

    >>> annotation("50% of it,\\nat least", file="a,b.py", line=3)
    '::error file=a%2Cb.py,line=3::50%25 of it,%0Aat least'
    """
    given = ",".join(f"{key}={_value(str(each))}" for key, each in properties.items())
    return (
        f"::error {given}::{_data(message)}" if given else f"::error::{_data(message)}"
    )


def as_annotation(project: Project, problem: Problem) -> str:
    """Return a finding as an annotation of GitHub.

    :param project: the package and its proofs
    :param problem: the finding
    """
    path, line = located(project, problem)
    title = f"proofs: {problem.kind}"
    return annotation(str(problem), file=_shown(path), line=line, title=title)


def as_json(project: Project, problems: Iterable[Problem]) -> str:
    """Return findings as a list of JSON, each with its file and its line.

    :param project: the package and its proofs
    :param problems: the findings
    """
    rows = []
    for each in problems:
        path, line = located(project, each)
        row = {"file": _shown(path), "line": line}
        for name in ("kind", "proof", "message", "fix", "detail"):
            row[name] = getattr(each, name)
        rows.append(row)
    return json.dumps(rows, indent=2, ensure_ascii=False)
