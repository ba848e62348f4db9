"""A proof described on the terminal: its record, its code, what it rests on."""

from __future__ import annotations

from pathlib import Path

from opendp_lite.review.commands.building import build, pdf_path
from opendp_lite.review.commands.reviewing import statement_digests
from opendp_lite.review.problems import Problem, ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.records import AMENDED, is_current, read_reviews

__all__ = ["description", "made_pdf"]


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
