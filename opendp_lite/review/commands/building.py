r"""Building the PDFs: in parallel, only what changed, and strict about the log.

The contract with the style file opendp-lite.sty, for the proof ``family/name``:

* TeX runs in ``proofs/build/family-name/``, which holds ``odl-status.tex`` and one
  ``code-<module>-<function>.lst`` for each ``\code{module}{function}``.
* ``odl-status.tex`` defines ``\odlstatus`` (``draft``, ``vetted``, ``amended by`` whom
  and when, or ``draft`` with a remark: ``not recorded``, ``changed since the review``),
  ``\odlauthor``, ``\odlreviewer`` and ``\odldate``, empty where there is no record.
  They come from reviews.toml alone.
* ``TEXINPUTS`` and ``BIBINPUTS`` name the proofs folder and the folder of the style
  file, so ``opendp-lite.sty`` and ``references.bib`` are found there.
* A listing is UTF-8; labels in it are ``(*@\label{function:label}@*)``.

The PDF is ``proofs/build/family-name.pdf``; of the proofs in a wheel, which nothing is
written into, it is in the user's cache (`Project.build`). It is made again when the
text, the quoted code, the style, the references, the status or the version of TeX
changed.

Loading the style takes most of the time of a document. For several documents it is
loaded once, into a format of TeX, which is made for each build and not kept; where that
fails, and for a document that begins in another way, TeX loads the style as usual.

TeX first reads a document without writing a PDF, to learn the numbers of its labels and
what it cites. It reads the document again, with the list of references, where there is
one. Then it writes the PDF until what it says of its labels is what it was told.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import attrs

from opendp_lite.review.problems import Problem, ReviewError
from opendp_lite.review.project import STYLE, Project
from opendp_lite.review.records import Review, is_current, read_reviews
from opendp_lite.review.tex.texfile import TexFile

_VERSION = "3"  # of what is asked of a log; part of the digest of the inputs
_HEAD = "\\documentclass[11pt]{article}\n\\usepackage{opendp-lite}\n"
# With the style loaded, the first line of a document has nothing left to do. The
# identifier of a PDF, which the style empties, is not a part of a format. What a style
# loads only when a document begins or a font is first used, and the order of hooks,
# which LaTeX finds when a document begins, are there before, if it is as in this style.
_FORMAT = (
    _HEAD
    + r"""\usepackage{graphicx}
\ifdefined\lstloadlanguages \lstloadlanguages{Python} \fi
\ifdefined\LoadMicrotypeFile
  \LoadMicrotypeFile{cmr} \LoadMicrotypeFile{msa} \LoadMicrotypeFile{msb}
\fi
\makeatletter
\ifdefined\GPT@LoadSuppPdf \GPT@LoadSuppPdf \fi
\ifdefined\@expl@sys@load@backend@@ \@expl@sys@load@backend@@ \fi
\begingroup
  \def\load#1#2{\fontencoding{#1}\fontfamily{#2}\try@load@fontshape}
  \load{T1}{lmr} \load{T1}{lmss} \load{T1}{lmtt} \load{TS1}{lmr} \load{OT1}{lmr}
  \load{OML}{lmm} \load{OMS}{lmsy} \load{OMX}{lmex} \load{U}{msa} \load{U}{msb}
\endgroup
\ifdefined\@expl@@@initialize@all@@
  \@expl@@@initialize@all@@ \global\let\@expl@@@initialize@all@@\@empty
\fi
\makeatother
\renewcommand{\documentclass}[2][]{\pdftrailerid{}}
\dump
"""
)
_TEX = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode"]
_MOST_RUNS = 5  # that write a PDF; labels that move for longer do not come to rest
_SPECIAL = {c: f"\\{c}" for c in "#$%&_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


@attrs.frozen
class Job:
    """One document: the files TeX reads, written before it runs."""

    name: str
    folder: Path
    files: dict[str, str]
    digest: str
    build: Path

    @property
    def work(self) -> Path:
        """The folder in which TeX runs."""
        return self.pdf.with_suffix("")

    @property
    def pdf(self) -> Path:
        """The finished document."""
        return self.build / f"{self.name.replace('/', '-')}.pdf"

    @property
    def stamp(self) -> Path:
        """Where the digest of the inputs of the last good run is kept."""
        return self.work / "inputs.sha256"

    @property
    def is_done(self) -> bool:
        """Whether the document is there and nothing it depends on has changed."""
        return (
            self.pdf.is_file()
            and self.stamp.is_file()
            and self.stamp.read_text(encoding="utf-8") == self.digest
        )


def pdf_path(project: Project, name: str) -> Path:
    """Return where the PDF of a proof is, once it is made."""
    return Job(name, project.folder, {}, "", project.build).pdf


def status_text(project: Project, tex: TexFile, review: Review | None) -> str:
    """Return the contents of odl-status.tex."""
    if review is None:
        fields = ["draft, not recorded", "", "", ""]
    else:
        current = is_current(project, tex, review)
        status = review.standing if current else "draft, changed since the review"
        fields = [status, review.author, review.verdict.who, review.verdict.date]
    names = ["status", "author", "reviewer", "date"]
    lines = [
        f"\\def\\odl{name}{{{''.join(_SPECIAL.get(c, c) for c in field)}}}"
        for name, field in zip(names, fields, strict=True)
    ]
    return "\n".join(lines) + "\n"


def jobs(
    project: Project, only: list[str] | None = None
) -> tuple[list[Job], list[Problem]]:
    """Return the documents of a project, and those whose code cannot be printed."""
    if project.style is None:
        raise ReviewError(f"{STYLE} is not there. Copy it into {project.folder}.")
    reviews = read_reviews(project.folder)
    shared = [_VERSION, _tex_version(), project.style_text]
    for folder in _folders(project):
        shared += [p.read_text(encoding="utf-8") for p in sorted(folder.glob("*.bib"))]
    found: list[Job] = []
    problems: list[Problem] = []
    for name, tex in project.files.items():
        if only is not None and name not in only:
            continue
        files = {"odl-status.tex": status_text(project, tex, reviews.get(name))}
        try:
            for each in tex.quotes:
                listing = f"code-{each.module}-{each.name}.lst"
                files[listing] = project.quote(each).listing()
        except ReviewError as error:
            message = f"its code cannot be printed: {error}"
            problems.append(Problem("quote", name, message, "See above."))
            continue
        parts = [*shared, tex.raw, *(f"{k}\0{v}" for k, v in sorted(files.items()))]
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        found.append(Job(name, project.folder, files, digest, project.build))
    return found, problems


def _folders(project: Project) -> list[Path]:
    assert project.style is not None
    own = project.folder.resolve()
    return list(dict.fromkeys([own, project.style.resolve().parent]))


def build(
    project: Project,
    workers: int = 2,
    everything: bool = False,
    only: list[str] | None = None,
    done: Callable[[int, int, str], None] = lambda count, total, name: None,
) -> tuple[int, list[Problem]]:
    """Return how many PDFs had to be made, and what went wrong.

    :param project: the package and its proofs
    :param workers: how many runs of TeX go on at once
    :param everything: whether to make also what is up to date
    :param only: names of proofs; all by default
    :param done: is told how many are made, of how many, and the name of the last
    """
    documents, problems = jobs(project, only)
    waiting = [job for job in documents if everything or not job.is_done]
    if waiting and not (shutil.which("bibtex") and shutil.which("pdflatex")):
        raise ReviewError(MISSING_TEX)
    environment = _environment(project)
    with (
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(max(1, workers)) as pool,
    ):
        made = _loaded_style(Path(folder), environment) if len(waiting) > 1 else None
        running = {pool.submit(_run, job, environment, made): job for job in waiting}
        for count, future in enumerate(as_completed(running), start=1):
            problems += future.result()
            done(count, len(waiting), running[future].name)
    return len(waiting), sorted(problems, key=lambda problem: problem.proof)


def _environment(project: Project) -> dict[str, str]:
    # An empty last entry stands for the folders of TeX itself.
    folders = os.pathsep.join(["", *(str(each) for each in _folders(project)), ""])
    return {
        **os.environ,
        "TEXINPUTS": f".{folders}",
        "BIBINPUTS": f".{folders}",
        "max_print_line": "10000",
        "texmf_casefold_search": "0",  # names are written as they are
        "LC_ALL": "C",
    }


def _tex_version() -> str:
    """Return what TeX says of itself, or nothing if there is none."""
    if not shutil.which("pdflatex"):
        return ""
    command = ["pdflatex", "--version"]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


def _call(
    command: list[str], folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


def _loaded_style(folder: Path, environment: dict[str, str]) -> Path | None:
    """Return a format of TeX that holds the style, made in a folder, if it can be."""
    (folder / "proof.tex").write_text(_FORMAT, encoding="utf-8")
    command = [_TEX[0], "-ini", *_TEX[1:], "&pdflatex", "proof.tex"]
    run = _call(command, folder, environment)
    made = folder / "proof.fmt"
    if run.returncode != 0 or not made.is_file():
        return None
    # TeX reads a format that is not packed as well, and documents in less time.
    content = made.read_bytes()
    if content.startswith(b"\x1f\x8b"):
        made.write_bytes(gzip.decompress(content))
    return made


def _run(
    job: Job, environment: dict[str, str], loaded: Path | None = None
) -> list[Problem]:
    """Build one document and read its log.

    :param loaded: a format that holds the style, if there is one
    """
    job.work.mkdir(parents=True, exist_ok=True)
    job.stamp.unlink(missing_ok=True)
    for pattern in ("code-*.lst", "proof.*"):
        for old in job.work.glob(pattern):
            old.unlink()
    for name, text in job.files.items():
        (job.work / name).write_text(text, encoding="utf-8")
    path = job.folder / f"{job.name}.tex"
    command = [*_TEX, "-jobname=proof"]
    if loaded is not None and path.read_text(encoding="utf-8").startswith(_HEAD):
        command.append(f"-fmt={loaded}")
    source = os.path.relpath(path, job.work)
    failure = _typeset(job.work, [*command, source], environment)
    log_path = job.work / "proof.log"
    log = log_path.read_text("utf-8", "replace") if log_path.is_file() else ""
    wrong = complaints(log) or failure
    if wrong:
        message = f"the document does not build: {wrong[0]}"
        detail = "\n".join(wrong[1:])
        return [
            Problem("build", job.name, message, f"Mend it; see {log_path}.", detail)
        ]
    shutil.copyfile(job.work / "proof.pdf", job.pdf)
    job.stamp.write_text(job.digest, encoding="utf-8")
    return []


def _typeset(work: Path, command: list[str], environment: dict[str, str]) -> list[str]:
    """Run TeX until the labels are at rest; return why there is no PDF, if so."""

    def failure(command: list[str]) -> list[str]:
        run = _call(command, work, environment)
        if run.returncode == 0:
            return []
        said = (run.stdout + run.stderr).decode("utf-8", "replace").splitlines()
        return [f"{command[0]} failed with code {run.returncode}", *said[-8:]]

    def written() -> list[str]:
        paths = work / "proof.aux", work / "proof.out"
        return [p.read_text("utf-8", "replace") if p.is_file() else "" for p in paths]

    draft = [command[0], "-draftmode", *command[1:]]
    if wrong := failure(draft):
        return wrong
    # What BibTeX does not find is undefined in the log of TeX, which says where.
    references: list[str] = []
    if "\\bibdata{" in written()[0]:
        references = failure(["bibtex", "proof"])
        if wrong := failure(draft):
            return wrong
    for _ in range(_MOST_RUNS):
        before = written()
        if wrong := failure(command):
            return wrong
        if written() == before:
            printed = (work / "proof.pdf").is_file()
            return references if printed else ["TeX finds nothing to print"]
    return [f"its labels still move after {_MOST_RUNS} runs of TeX"]


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
