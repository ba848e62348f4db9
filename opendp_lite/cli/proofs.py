"""`opendp-lite proofs`: write, check, review and build proofs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from opendp_lite.cli.subjects import Mistake, mistakes, one_line

if TYPE_CHECKING:
    from opendp_lite.review import Problem, Project


OWN = "opendp_lite"


@click.group()
def proofs() -> None:
    """Write, check, review and build proofs that quote the shipped code."""


def _project_options(command: Callable[..., Any]) -> Callable[..., Any]:
    package = click.option(
        "--package", show_default=OWN, default=None, help="What is proved."
    )
    folder = click.option(
        "--proofs",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        default=None,
        show_default="proofs, or those that come with opendp_lite",
        help="The folder of its proofs.",
    )
    return package(folder(command))


def _open(
    package: str | None, folder: Path | None, names: tuple[str, ...] | None = None
) -> Project:
    """Return the project that the options name.

    :param package: what is proved; None for this library
    :param folder: where its proofs are; None for the usual place
    :param names: which proofs are read, and no file written: then the proofs of this
        library that were installed with it will do; None if files may be written
    """
    from opendp_lite.review import Project

    if folder is None:
        folder = Path("proofs")
        is_repository = Path(OWN, "__init__.py").is_file()
        if package in (None, OWN) and names is not None and not is_repository:
            return Project(OWN, _installed(package, folder, names))
    # The package of the folder one stands in, as with `python -m`.
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    project = Project(package or OWN, folder)
    project.library.module(project.package)  # it says so where there is no package
    return project


def _installed(package: str | None, here: Path, names: tuple[str, ...]) -> Path:
    """Return the folder of the proofs that came with this library."""
    from opendp_lite.review.shipped import proofs_folder

    if package is None and not names and here.is_dir():
        raise Mistake(
            f"the folder {here} is not that of {OWN}: name its package by --package, "
            f"or ask for --package {OWN}."
        )
    return proofs_folder()


def _print(problem: Problem) -> None:
    """Print a finding; a diff in colours where there are any."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    first, *rest = str(problem).splitlines()
    click.secho(first, bold=True)
    for line in rest:
        mark = line.strip()[:1] if problem.kind == "code-changed" else ""
        click.secho(line, fg=colours.get(mark))
    click.echo()


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _report(problems: list[Problem], success: str) -> None:
    for problem in problems:
        _print(problem)
    if problems:
        raise click.ClickException(f"{_count(len(problems), 'finding')}, see above.")
    click.echo(success)


def _report_as(form: str, project: Project, problems: list[Problem], well: str) -> None:
    """Report in one of the forms; the count of findings goes to standard error."""
    from opendp_lite.review.commands.reporting import as_annotation, as_json

    if form == "text":
        _report(problems, well)
        return
    if form == "json":
        click.echo(as_json(project, problems))
    for problem in problems if form == "github" else ():
        click.echo(as_annotation(project, problem))
    if problems:
        raise click.ClickException(f"{_count(len(problems), 'finding')}.")
    click.echo(well, err=form == "json")


@contextmanager
def _annotated(form: str) -> Iterator[None]:
    """Let GitHub show a mistake too."""
    from opendp_lite.review.commands.reporting import annotation

    try:
        yield
    except Mistake as mistake:
        if form == "github":
            click.echo(annotation(mistake.message, title="proofs"))
            # GitHub obeys lines of stderr too, and the message may hold some.
            raise Mistake(one_line(mistake.message)) from None
        raise


@proofs.command()
@_project_options
@click.argument("names", nargs=-1)
@click.option("--fresh", is_flag=True, help="Run every checked step again.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github", "json"]),
    default="text",
    show_default=True,
    help="How findings are told; `github` annotates the lines of a pull request.",
)
def check(
    package: str | None,
    folder: Path | None,
    names: tuple[str, ...],
    fresh: bool,
    form: str,
) -> None:
    """Review everything; with NAMES, these proofs alone, which is quick.

    Fails when code or text parted from what was reviewed, when something is not
    covered by a proof, and when a reference, a check or the index does not fit.

    \b
    opendp-lite proofs check --package scaling
    opendp-lite proofs check make_laplace
    opendp-lite proofs check --package scaling --format github

    The exit code is 0 if all is in order, 1 if there are findings, and 2 if what was
    asked for is not there.
    """
    with _annotated(form), mistakes():
        from opendp_lite.review import check as review

        project = _open(package, folder, names)
        wanted = sorted({project.full_name(name) for name in names})
        problems = review(project, fresh, wanted or None)
        steps = {step.name for tex in project.files.values() for step in tex.checked}
        counts = [
            _count(len(project.proofs), "proof"),
            _count(len(project.lemmas), "lemma"),
            _count(len(steps), "checked step"),
        ]
        what = ", ".join(wanted or counts)
    _report_as(form, project, problems, f"{what}: in order.")


@proofs.command()
@_project_options
@click.argument("names", nargs=-1)
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True)
@click.option("--all", "everything", is_flag=True, help="Build what is up to date too.")
def build(
    package: str | None,
    folder: Path | None,
    names: tuple[str, ...],
    workers: int,
    everything: bool,
) -> None:
    """Make the PDFs that are not up to date, and the index.

    Fails on undefined references and citations, labels defined twice, and code that
    runs over the margin. The PDFs are in the folder `build` of the proofs; those of the
    installed library are in your cache.
    """
    with mistakes():
        from opendp_lite.base.progress import Progress
        from opendp_lite.review import build as make
        from opendp_lite.review import write_index
        from opendp_lite.review.shipped import is_shipped

        project = _open(package, folder, names)
        only = [project.full_name(name) for name in names] or None
        with Progress() as line:
            done = line.step if line.is_shown else _print_step
            count, problems = make(project, workers, everything, only, done)
        if only is None and not is_shipped(project.folder):
            write_index(project)
        total = len(only or project.files)
    said = f"{count} of {total} built, the rest was up to date."
    _report(problems, f"{said} The PDFs are in {project.build}.")


def _print_step(count: int, total: int, name: str) -> None:
    click.echo(f"[{count}/{total}] {name}", err=True)


@proofs.command()
@_project_options
@click.argument("names", nargs=-1, required=True)
@click.option("--reviewer", help="Who read text and code.")
@click.option("--author", help="Who wrote the proof, the first time; or amended it.")
@click.option(
    "--status",
    type=click.Choice(["draft", "vetted", "amended"]),
    default="draft",
    show_default=True,
    help="What the reading came to; or that the proof changed after it was read.",
)
@click.option(
    "--note",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The note of the refereeing; `vetted` needs one. It is kept for each proof, "
    "on top of the earlier ones.",
)
def accept(
    package: str | None,
    folder: Path | None,
    names: tuple[str, ...],
    reviewer: str | None,
    author: str | None,
    status: str,
    note: Path | None,
) -> None:
    """Record that someone who did not write the proofs NAMES has read them.

    With --status amended, record that their author changed them after they were read:
    they are not vetted until somebody else has read them again. Who wrote a proof is
    recorded once: another --author is refused, unless the status is amended.
    """
    with mistakes():
        from opendp_lite.review import accept as record

        project = _open(package, folder)
        for line in record(project, list(names), reviewer, author, status, note):
            click.echo(line)


@proofs.command()
@_project_options
@click.argument("names", nargs=-1, required=True)
@click.option(
    "--changed", is_flag=True, help="Carry void records of changed code too, as void."
)
def move(
    package: str | None, folder: Path | None, names: tuple[str, ...], changed: bool
) -> None:
    """Carry records over new names: OLD NEW [OLD NEW ...].

    A name is that of a module or package, `module:function`, or that of a proof or a
    folder of proofs, with a slash. Move the files and rewrite the imports before; this
    rewrites texts and records, if the code is what was read under the new names.
    """
    with mistakes():
        from opendp_lite.review import move as carry

        click.echo(carry(_open(package, folder), list(names), changed))


@proofs.command()
@_project_options
@click.argument("name")
@click.option("--open", "opens", is_flag=True, help="Make its PDF, and open that.")
def show(package: str | None, folder: Path | None, name: str, opens: bool) -> None:
    """Show a proof's record, the code it quotes, and what it rests on.

    \b
    opendp-lite proofs show make_laplace
    opendp-lite proofs show make_laplace --open

    The proofs of the library come with it: this works in every folder. To make a PDF
    takes TeX.
    """
    with mistakes():
        from opendp_lite.review.commands.reporting import description, made_pdf

        project = _open(package, folder, (name,))
        if not opens:
            click.echo(description(project, name))
            return
        path, problems = made_pdf(project, name)
    _report(problems, str(path))
    if click.launch(str(path)) != 0:
        raise Mistake("no program to open it with was found here.")


@proofs.command()
@_project_options
def index(package: str | None, folder: Path | None) -> None:
    """Write INDEX.md."""
    with mistakes():
        from opendp_lite.review import write_index

        changed = write_index(_open(package, folder))
    click.echo("The index was written." if changed else "The index is up to date.")


@proofs.command()
@_project_options
@click.argument("module")
@click.argument("function")
def new(package: str | None, folder: Path | None, module: str, function: str) -> None:
    """Begin a proof of FUNCTION in MODULE from its signature."""
    with mistakes():
        from opendp_lite.review import new_proof

        folder = folder or Path("proofs")
        folder.mkdir(parents=True, exist_ok=True)
        path = new_proof(_open(package, folder), module, function)
    click.echo(f"{path} is begun; \\unfinished marks what is yours to write.")
