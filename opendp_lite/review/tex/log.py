"""Find problems that TeX writes to its log, often without a failing exit code."""

from __future__ import annotations

import re

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
