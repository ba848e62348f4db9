"""Labels and citations: what TeX is told of them before it runs, and what it writes.

A text tells what is cited in it, and most of its labels and their numbers. What TeX
writes for its next run is compared with what it was told, where it matters.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

__all__ = [
    "asked",
    "asks_for_pages",
    "cited",
    "foreseen",
    "is_foreseeable",
    "listed",
    "sections",
    "told_files",
    "written",
]

_CITED = re.compile(r"\\[Cc]ite[a-z]*\*?(?:\[[^]]*\])*\{([^}]*)\}")
_PAGES = re.compile(
    r"\\(?:\w*pageref|v\w*ref|tableofcontents|listof\w+|printindex|@starttoc)"
    r"|\\\w*(?:[nN]ame|title)ref|lastpage|varioref|zref|totpages"
)
# The name of a label and its number; what is left out are its page and its title.
_NUMBERED = re.compile(
    r"(\\newlabel\{[^{}]*\}\{\{(?:[^{}]|\{[^{}]*\})*\})"
    r"\{[^{}]*\}\{(?:[^{}]|\{[^{}]*\})*\}"
)
_LABEL = re.compile(r"\\label\{([^{}]*)\}")
# What has a number of its own, as the style has it, and what is numbered line by line.
_STEP = re.compile(
    r"\\begin\{(equation|definition|claim|remark|example)\}|\\(section)\b(?!\*)"
    r"|\\label\{([^{}]*)\}"
)
_ROWS = re.compile(r"\\begin\{(?:align|alignat|eqnarray|flalign|gather)\}")
_ITEM = re.compile(r"\\bibitem\[\{?([^]]*?)\}?\(([^]()]*)\)([^]()]*)\]\{([^}]*)\}")
_SECTION = re.compile(r"\\(?:sub)*section\b(?!\*).*")  # those in the outline
# What the kernel of LaTeX and hyperref write for every document, and lists of contents.
_ALIKE = (
    *("\\relax", "\\fi", "\\@writefile{", "\\gdef \\@abspage@last{"),
    *("\\providecommand\\hyper@newdestlabel[", "\\providecommand\\HyField@Aux"),
    *("\\providecommand\\HyperFirst", "\\gdef\\HyperFirst", "\\HyperFirst"),
    *("\\global\\let\\oldnewlabel", "\\let\\newlabel\\oldnewlabel"),
    *("\\gdef\\newlabel#", "\\gdef\\newlabelxx#", "\\global\\let\\hyper@last"),
    "\\AtEndDocument{\\ifx\\hyper@anchor",
)
_LISTED = {"\\bibstyle{plainnat}", "\\bibdata{references}"}  # as the style has it


def asks_for_pages(text: str) -> bool:
    """Return whether anything asks on which page a label is, or for its title."""
    return _PAGES.search(text) is not None


def sections(text: str) -> tuple[str, ...]:
    """Return the sections of a text that are in its outline."""
    return tuple(_SECTION.findall(text))


def is_foreseeable(text: str) -> bool:
    """Return whether the numbers of labels follow from a text: not of single lines."""
    return not (_ROWS.search(text) and _LABEL.search(text))


def told_files(work: Path) -> tuple[Path, Path]:
    """Return the files in which TeX is told of labels, and of the outline."""
    return work / "proof.aux", work / "proof.out"


def foreseen(text: str, files: dict[str, str]) -> list[str]:
    """Return the labels of a text and of its code as TeX will write them."""
    found: list[tuple[str, int, str]] = []
    count: Counter[str] = Counter()
    number, anchor = 0, ""
    for environment, section, name in _STEP.findall(text):
        if name:
            found.append((name, number, anchor))
            continue
        kind = environment or section
        count[kind] += 1
        number = count[kind]
        within = f"{count['section']}." if kind == "equation" else ""
        anchor = f"{kind}.{within}{number}"
    number = 0
    listings = [text for name, text in files.items() if name.startswith("code-")]
    for place, listing in enumerate(listings, start=1):
        for line in listing.splitlines():
            number += 1
            anchor = f"lstnumber.-{place}.{number}"
            found += [(name, number, anchor) for name in _LABEL.findall(line)]
    return [
        f"\\newlabel{{{name}}}{{{{{number}}}{{1}}{{}}{{{anchor}}}{{}}}}"
        for name, number, anchor in found
    ]


def listed(work: Path) -> list[str]:
    """Return what TeX will write of the list of references that BibTeX made."""
    made = work / "proof.bbl"
    text = made.read_text("utf-8", "replace") if made.is_file() else ""
    items = _ITEM.findall(" ".join(text.split()))
    return [
        f"\\bibcite{{{key}}}{{{{{number}}}{{{year}}}{{{{{short}}}}}{{{{{long}}}}}}}"
        for number, (short, year, long, key) in enumerate(items, start=1)
    ]


def cited(text: str) -> set[str]:
    """Return what TeX will ask BibTeX for, as far as a text tells."""
    keys = {key.strip() for each in _CITED.findall(text) for key in each.split(",")}
    return {f"\\citation{{{key}}}" for key in keys} | _LISTED if keys else set()


def asked(labels: list[str]) -> set[str]:
    """Return what TeX asks BibTeX for: nothing where it does not ask for a list."""
    words = ("\\citation{", "\\bibstyle{", "\\bibdata{")
    lines = {line for line in labels if line.startswith(words)}
    return lines if any(line.startswith(words[-1]) for line in lines) else set()


def written(work: Path, pages: bool) -> tuple[list[str], str]:
    """Return what TeX wrote for its next run: labels and citations, and the outline.

    :param pages: whether with the pages and titles of labels, and lists of contents
    """
    paths = told_files(work)
    texts = [p.read_text("utf-8", "replace") if p.is_file() else "" for p in paths]
    lines = texts[0].splitlines()
    if not pages:
        lines = [line for line in lines if not line.startswith(_ALIKE)]
        lines = sorted({_NUMBERED.sub(r"\1", line) for line in lines})
    return lines, texts[1]
