"""Labels that TeX is told before it runs, and what its log says afterwards.

A text tells what is cited in it, and most of its labels and their numbers. What TeX
writes for its next run is compared with what it was told, where it matters.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

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


MISSING_TEX = (
    "TeX is missing or incomplete. On Debian and Ubuntu:\n"
    "    sudo apt install texlive-latex-recommended texlive-latex-extra "
    "texlive-fonts-recommended lmodern"
)

_TEXT_TOLERANCE = 10.0  # points by which running text may pass the margin
_CODE_TOLERANCE = 0.5
_OVERFULL = re.compile(r"^Overfull \\hbox \(([0-9.]+)pt too wide\)(.*)$")
# The log shows a line of a listing as nothing but boxes.
_BOXES = re.compile(r"(\[\]\s*){3,}$")
_LISTING = re.compile(r"\(\./code-(\S+)\.lst")
_WARNINGS = [
    (re.compile(r"Reference `([^']*)'.*undefined"), "the reference {} is undefined"),
    (re.compile(r"Citation `([^']*)'.*undefined"), "the citation {} is undefined"),
    (re.compile(r"Label `([^']*)' multiply defined"), "the label {} is defined twice"),
    (re.compile(r"Missing character: There is no (.*)"), "a letter has no shape: {}"),
    (re.compile(r"The code (\S+) is not there"), "the listing {} was not written"),
]
_ABSENT = re.compile(r"! LaTeX Error: File `([^']*)' not found")


def complaints(log: str) -> list[str]:
    """Return what is wrong with a document, from the log of its last run.

    >>> complaints("LaTeX Warning: Reference `f:x' on page 1 undefined on line 9.")
    ['the reference f:x is undefined']
    """
    found: dict[str, None] = {}
    lines = log.splitlines()
    listing = ""
    for number, line in enumerate(lines):
        if match := _ABSENT.search(line):
            found[f"TeX does not find {match.group(1)}. {MISSING_TEX}"] = None
        elif line.startswith("! "):
            context = next((n for n in lines[number:] if n.startswith("l.")), "")
            found[f"TeX stops: {line[2:].strip()} {context.strip()}".strip()] = None
        for pattern, sentence in _WARNINGS:
            if match := pattern.search(line):
                found[sentence.format(match.group(1).rstrip("."))] = None
        if match := _OVERFULL.match(line):
            after = lines[number + 1].strip() if number + 1 < len(lines) else ""
            in_code = _BOXES.match(after) is not None
            width = float(match.group(1))
            if width > (_CODE_TOLERANCE if in_code else _TEXT_TOLERANCE):
                what = f"quoted code, {listing}," if in_code else "text"
                said = f"{what} passes the margin by {width:.1f}pt{match.group(2)}"
                found[said] = None
        if opened := _LISTING.findall(line):
            listing = opened[-1]
    return list(found)
