"""A certificate as a PDF, typeset by TeX in the style of the proofs."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from opendp_lite.base.errors import OpenDPException
from opendp_lite.certify.format import Content
from opendp_lite.certify.pages.document import (
    Banner,
    Block,
    Facts,
    Heading,
    Listing,
    Sign,
    Table,
    Text,
    Theorem,
    blocks,
)
from opendp_lite.review.commands.building import MISSING_TEX, complaints
from opendp_lite.review.project import STYLE

_HEAD = r"""\documentclass[10pt]{article}
\usepackage{opendp-lite}
\usepackage{longtable,array}
\hypersetup{pdftitle={Privacy certificate},pdfauthor={opendp\_lite}}
\newcolumntype{L}[1]{>{\raggedright\arraybackslash}p{#1}}
\setlength{\LTpre}{7pt}\setlength{\LTpost}{6pt}
\renewcommand{\arraystretch}{1.12}\setlength{\tabcolsep}{4pt}
\newenvironment{banner}[1]
  {\def\FrameCommand{{\color{#1}\vrule width 2.4pt}\fboxsep=8pt\colorbox{odlshade}}%
   \MakeFramed{\advance\hsize-\width\FrameRestore}\raggedright}
  {\endMakeFramed}
\newcommand{\signed}{\par\vspace{9mm}\noindent{\footnotesize\color{odlgray}%
  \begin{tabular}{@{}p{0.36\linewidth}@{\hspace{4mm}}p{0.16\linewidth}@{\hspace{4mm}}%
    p{0.36\linewidth}@{}}
  \hrulefill&\hrulefill&\hrulefill\\name&date&signature\end{tabular}}\par}
\begin{document}
\pagestyle{plain}
\renewcommand{\ref}[1]{(in the proof)}
\renewcommand{\linelabel}[1]{(a line of the proof)}
"""
_SPECIAL = {each: rf"\{each}" for each in "#$%&_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "–": "--",
    "≤": r"$\le$",
    "·": r"\textperiodcentered{}",
}
_BREAKS = "._/:,-()=> "
_COLOURS = {"claim": "odlink", "order": "odlgreen", "amiss": "odlred"}
_LONG, _LONG_NUMBER = 30, 12  # letters of what fits into a line, or a cell
_MOST_SECONDS = 300
_WIDTH = 0.92  # of the page, for all columns; the rest is between them


def tex_source(content: Content) -> str:
    """Return the document that TeX reads.

    :param content: what a certificate says
    """
    told = content["told"]
    under = [told["date"]] if told["date"] else []
    under += [f"`{told['subject']}`"] if told["subject"] else []
    title = (
        r"{\LARGE\bfseries Privacy certificate\par}\vspace{1mm}{\small\color{odlgray}"
        + r" \enspace$\cdot$\enspace ".join(map(_inline, under))
        + r"\par}\vspace{2mm}"
    )
    body = "\n\n".join(map(_block, blocks(content)))
    return f"{_HEAD}{title}\n\n{body}\n\\end{{document}}\n"


def pdf_file(content: Content, style: str) -> bytes:
    """Return the PDF of a certificate.

    :param content: what it says
    :param style: the text of the style file of the proofs
    """
    if not shutil.which("pdflatex"):
        raise OpenDPException(
            "FailedFunction",
            f"a PDF cannot be made here: {MISSING_TEX} Or write .html or .json "
            "instead.",
        )
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / STYLE).write_text(style, encoding="utf-8")
        (work / "certificate.tex").write_text(tex_source(content), encoding="utf-8")
        command = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode"]
        environment = {**os.environ, "TEXINPUTS": f".{os.pathsep}", "LC_ALL": "C"}
        environment["max_print_line"] = "10000"
        # A theorem may come from a certificate that somebody else has written.
        environment |= {"openin_any": "p", "openout_any": "p"}
        failed = False
        for _ in range(2):  # the second run knows how wide the columns are
            try:
                done = subprocess.run(
                    [*command, "certificate.tex"],
                    cwd=work,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    check=False,
                    timeout=_MOST_SECONDS,
                )
            except subprocess.TimeoutExpired:
                said = f"TeX does not end within {_MOST_SECONDS} seconds"
                raise OpenDPException(
                    "FailedFunction", f"the PDF cannot be made: {said}."
                ) from None
            failed = done.returncode != 0
        made, log = work / "certificate.pdf", work / "certificate.log"
        # After an error TeX goes on, and leaves out what it could not read.
        if failed or not made.is_file():
            said = log.read_text("utf-8", "replace") if log.is_file() else ""
            why = next(iter(complaints(said)), "TeX stops without a reason")
            raise OpenDPException("FailedFunction", f"the PDF cannot be made: {why}.")
        return made.read_bytes()


def _letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    known = (letter.isascii() and letter.isprintable()) or letter in "äöüßéèàçñÄÖÜ"
    return letter if known else f"[U+{ord(letter):04X}]"


def _plain(text: str) -> str:
    """Return words; very long ones, and long numbers, may be broken anywhere."""
    return " ".join(
        _broken(each) if _is_long(each) else "".join(map(_letter, each))
        for each in text.replace("\n", " ").split(" ")
    )


def _is_long(word: str) -> bool:
    return len(word) > (_LONG_NUMBER if any(map(str.isdigit, word)) else _LONG)


def _code(text: str) -> str:
    """Return code that may be broken after signs, and long words anywhere."""
    return rf"\texttt{{{_broken(text)}}}"


def _broken(text: str) -> str:
    found, since = [], 0
    for each in text:
        found.append(r"\ " if each == " " else _letter(each))
        since = 0 if each in _BREAKS else since + 1
        if each in _BREAKS or since % 8 == 0:
            found.append(r"\allowbreak{}")
    return "".join(found)


def _inline(text: str) -> str:
    parts = text.split("`")
    return "".join(_code(p) if i % 2 else _plain(p) for i, p in enumerate(parts))


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            name = "section*" if level == 1 else "subsection*"
            return rf"\{name}{{{_inline(text)}}}"
        case Text(text):
            return _inline(text)
        case Listing(text):
            return _listing(text)
        case Theorem(tex, definitions):
            own = "\n".join(definitions)
            return f"\\begingroup\n{own}\n{tex}\n\\par\\endgroup"
        case Banner(text, kind, items):
            listed = "\n".join(rf"\item {_inline(each)}" for each in items)
            if listed:
                listed = f"\\begin{{itemize}}\n{listed}\n\\end{{itemize}}"
            shown = rf"\textbf{{{_inline(text)}}}" if kind == "amiss" else _inline(text)
            colour = _COLOURS[kind]
            return f"\\begin{{banner}}{{{colour}}}{shown}\n{listed}\\end{{banner}}"
        case Facts(rows):
            lines = [
                rf"{{\color{{odlgray}}{_inline(name)}}}&{_inline(text)}\\"
                for name, text in rows
            ]
            return _longtable("", lines, (0.25, 0.75))
        case Table(head, rows, widths):
            heads = "&".join(rf"\textbf{{{_inline(each)}}}" for each in head)
            lines = ["&".join(map(_inline, row)) + r"\\" for row in rows]
            return _longtable(rf"{heads}\\\hline\endhead", lines, widths)
        case Sign(number, text, notes):
            told = r"\par ".join([_inline(text), *map(_inline, notes)])
            return (
                r"\begin{minipage}{\linewidth}\vspace{2mm}"
                rf"\textbf{{{number}.}} {told}\signed\vspace{{3mm}}\end{{minipage}}"
            )


def _listing(text: str) -> str:
    lines = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        lines.append(rf"\hspace*{{{indent * 0.5:.1f}em}}{_code(line.lstrip(' '))}")
    body = r"\\".join(lines)
    return rf"{{\footnotesize\raggedright\leftskip=1em {body}\par}}"


def _longtable(head: str, lines: list[str], widths: tuple[float, ...]) -> str:
    columns = "".join(rf"L{{{width * _WIDTH:.3f}\linewidth}}" for width in widths)
    body = "\n".join(lines)
    return (
        rf"{{\footnotesize\begin{{longtable}}[l]{{@{{}}{columns}@{{}}}}{head}"
        f"\n{body}\n\\end{{longtable}}}}"
    )
