"""Pages that stand elsewhere in the repository, fitted to the site when it is built.

A link to a file that has a page leads there; a link to another file of the repository,
which the site does not carry, becomes the name of the file.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["PAGES", "ROOT", "copied", "pages"]

ROOT = Path(__file__).resolve().parent.parent.parent

# Files of the repository, and the pages that they become.
PAGES = {
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing/house.md",
    "CHANGELOG.md": "contributing/changelog.md",
    "proofs/INDEX.md": "proofs/index.md",
    "proofs/COSTS.md": "contributing/costs.md",
    "benchmarks/results/latest.md": "benchmarks/results.md",
    "benchmarks/README.md": "benchmarks/method.md",
    "docs/differences.md": "differences.md",
}
# What the site says before a page, in place of words that are for the file alone.
PREFACES = {
    "proofs/index.md": (
        "Written by `opendp-lite proofs build`; do not edit. ",
        "Each name leads to the PDF of its proof, which quotes the code that ships. "
        "[Proofs that quote code](../concepts/proofs.md) says what is checked. ",
    ),
    "benchmarks/results.md": (
        "",
        "# Speed\n\nThe last run of `make bench` that was kept: medians, everything in "
        "turns in one run. A ratio is the time of the other over ours. "
        "[What is compared](method.md) says how. Of the others only OpenDP's noise is "
        "exact.\n\n[![Ratios of times](latest.svg){ .paper }](latest.svg)\n\n",
    ),
    "contributing/costs.md": (
        "Written by `python -m tests.review.costs`, and compared by a test. ",
        "",
    ),
}
PICTURES = {"benchmarks/results/latest.svg": "benchmarks/latest.svg"}

_TABLE = re.compile(r"^\| .*\| Status \| Reviewer \|.*\n(?:\|.*\n)+", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


def copied(source: str, target: str, text: str) -> str:
    """Return a page of the repository with its links fitted to the site.

    :param source: the path of the file in the repository
    :param target: the path of the page on the site
    :param text: what stands in the file

    >>> copied("SECURITY.md", "security.md", "[a](CONTRIBUTING.md), [b](Makefile)")
    '[a](contributing/house.md), `b`'
    """
    up = "../" * target.count("/")

    def fitted(found: re.Match[str]) -> str:
        words, path, anchor = found[1], found[2], found[3] or ""
        home = (ROOT / source).parent
        named = _inside(home / path)
        if named.startswith("proofs/") and named.endswith(".tex"):
            pdf = named.removeprefix("proofs/").removesuffix(".tex").replace("/", "-")
            return f"[{words}]({up}proofs/pdf/{pdf}.pdf)"
        place = (PAGES | PICTURES).get(named)
        if place is None:
            return words if words.startswith("`") else f"`{words}`"
        return f"[{words}]({up}{place}{anchor})"

    return _LINK.sub(fitted, text)


def prefaced(target: str, text: str) -> str:
    """Return a page with what the site says before it.

    :param target: the path of the page on the site
    :param text: the page

    >>> prefaced("security.md", "# Security")
    '# Security'
    """
    words, preface = PREFACES.get(target, ("", ""))
    if words not in text:
        raise ValueError(f"{target} no longer says {words!r}")
    text = text.replace(words, preface, 1) if words else preface + text
    if target == "proofs/index.md":  # its tables are wide, and long
        field = '<div data-filter="Filter by words, such as laplace"></div>\n\n## '
        text = _TABLE.sub(_narrowed, text).replace("## ", field, 1)
        text = f"---\nhide:\n  - navigation\n  - toc\n---\n\n{text}"
    if target == "benchmarks/results.md":  # a line for each peer
        text = "\n".join(
            line.replace("; ", "<br>") if line.startswith("|") else line
            for line in text.split("\n")
        )
    return re.sub(r"\b\d{4}-\d\d-\d\d(?= \|)", r'<span class="date">\g<0></span>', text)


def _narrowed(found: re.Match[str]) -> str:
    """Return a table of the index of proofs in four columns that fit a page.

    The name, who read the proof and when, what it states, and the rest, folded away.
    """
    titles, _, *rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in found[0].rstrip("\n").split("\n")
    ]
    made = [f"| {titles[0]} | Read | States | Details |", "| --- | --- | --- | --- |"]
    for row in rows:
        name, status, reviewer, date, *rest = row
        said = dict(zip(titles[4:], rest, strict=True))
        states = said.pop("Postcondition", "a lemma")
        people = said.pop("Human-verified", "none")
        if people != "none":
            states += f"; people verify: {people}"
        told = [f"{title}: {cell}" for title, cell in said.items() if cell != "none"]
        folded = "<details><summary>{}</summary>{}</details>" if told else ""
        summary = ", ".join(each.partition(":")[0].lower() for each in told)
        details = folded.format(summary, "<br>".join(told))
        made.append(f"| {name} | {status}, {date}, {reviewer} | {states} | {details} |")
    return "\n".join(made) + "\n"


def pages() -> dict[str, str]:
    """Return the Markdown of the pages that are copied, by their paths."""
    made = {}
    for source, target in PAGES.items():
        if not source.startswith("docs/"):
            text = (ROOT / source).read_text(encoding="utf-8")
            made[target] = prefaced(target, copied(source, target, text))
    return made


def _inside(path: Path) -> str:
    """Return a path as it is seen from the root of the repository."""
    whole = Path(*path.parts).resolve()
    return str(whole.relative_to(ROOT)) if whole.is_relative_to(ROOT) else ""
