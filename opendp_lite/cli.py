"""The command `opendp-lite`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    import click
except ImportError:  # pragma: no cover
    sys.exit("opendp-lite needs click: pip install 'opendp-lite[cli]'")

if TYPE_CHECKING:
    from opendp_lite.review import Problem, Project

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="opendp-lite")
def main() -> None:
    """Tools around the opendp_lite library."""


@main.group()
def proofs() -> None:
    """Write, check, review and build proofs that quote the shipped code."""


def _project_options(command: Callable[..., Any]) -> Callable[..., Any]:
    package = click.option(
        "--package", default="opendp_lite", show_default=True, help="What is proved."
    )
    folder = click.option(
        "--proofs",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("proofs"),
        show_default=True,
        help="The folder of its proofs.",
    )
    return package(folder(command))


@contextmanager
def _refusals() -> Iterator[None]:
    """Say what cannot be done, instead of a traceback."""
    from opendp_lite.review import ReviewError

    try:
        yield
    except ReviewError as error:
        raise click.ClickException(str(error)) from None


def _open(package: str, folder: Path) -> Project:
    from opendp_lite.review import Project

    # The package of the folder one stands in, as with `python -m`.
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    return Project(package, folder)


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


@proofs.command()
@_project_options
@click.argument("names", nargs=-1)
@click.option("--fresh", is_flag=True, help="Run every checked step again.")
def check(package: str, folder: Path, names: tuple[str, ...], fresh: bool) -> None:
    """Review everything; with NAMES, these proofs alone, which is quick.

    Fails when code or text parted from what was reviewed, when something is not
    covered by a proof, and when a reference, a check or the index does not fit.
    """
    with _refusals():
        from opendp_lite.review import check as review

        project = _open(package, folder)
        wanted = sorted({project.full_name(name) for name in names})
        problems = review(project, fresh, wanted or None)
        steps = {step.name for tex in project.files.values() for step in tex.checked}
        counts = [
            _count(len(project.proofs), "proof"),
            _count(len(project.lemmas), "lemma"),
            _count(len(steps), "checked step"),
        ]
        what = ", ".join(wanted or counts)
    _report(problems, f"{what}: in order.")


@proofs.command()
@_project_options
@click.argument("names", nargs=-1)
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True)
@click.option("--all", "everything", is_flag=True, help="Build what is up to date too.")
def build(
    package: str, folder: Path, names: tuple[str, ...], workers: int, everything: bool
) -> None:
    """Make the PDFs that are not up to date, and the index.

    Fails on undefined references and citations, labels defined twice, and code that
    runs over the margin. The PDFs are in the folder `build` of the proofs.
    """
    with _refusals():
        from opendp_lite.review import build as make
        from opendp_lite.review import write_index

        project = _open(package, folder)
        only = [project.full_name(name) for name in names] or None
        with _progress() as done:
            count, problems = make(project, workers, everything, only, done)
        if only is None:
            write_index(project)
        total = len(only or project.files)
    _report(problems, f"{count} of {total} built, the rest was up to date.")


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    """Show how far a build is: a bar on a terminal with rich, else plain lines."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    except ImportError:
        Console = None  # type: ignore[assignment,misc]
    if Console is None or not sys.stderr.isatty():
        yield lambda count, total, name: click.echo(
            f"[{count}/{total}] {name}", err=True
        )
        return
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("TeX", total=None)
        yield lambda count, total, name: bar.update(
            task, completed=count, total=total, description=name
        )


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
    help="The note of the refereeing; `vetted` needs one. It is kept for each proof.",
)
def accept(
    package: str,
    folder: Path,
    names: tuple[str, ...],
    reviewer: str | None,
    author: str | None,
    status: str,
    note: Path | None,
) -> None:
    """Record that someone who did not write the proofs NAMES has read them.

    With --status amended, record that their author changed them after they were read:
    they are not vetted until somebody else has read them again.
    """
    with _refusals():
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
def move(package: str, folder: Path, names: tuple[str, ...], changed: bool) -> None:
    """Carry records over new names: OLD NEW [OLD NEW ...].

    A name is that of a module or package, `module:function`, or that of a proof or a
    folder of proofs, with a slash. Move the files and rewrite the imports before; this
    rewrites texts and records, if the code is what was read under the new names.
    """
    with _refusals():
        from opendp_lite.review import move as carry

        click.echo(carry(_open(package, folder), list(names), changed))


@proofs.command()
@_project_options
@click.argument("name")
def show(package: str, folder: Path, name: str) -> None:
    """Show a proof's record, the code it quotes, and what it rests on."""
    with _refusals():
        from opendp_lite.review.commands.showing import description

        click.echo(description(_open(package, folder), name))


@proofs.command()
@_project_options
def index(package: str, folder: Path) -> None:
    """Write INDEX.md."""
    with _refusals():
        from opendp_lite.review import write_index

        changed = write_index(_open(package, folder))
    click.echo("The index was written." if changed else "The index is up to date.")


@proofs.command()
@_project_options
@click.argument("module")
@click.argument("function")
def new(package: str, folder: Path, module: str, function: str) -> None:
    """Begin a proof of FUNCTION in MODULE from its signature."""
    with _refusals():
        from opendp_lite.review import new_proof

        folder.mkdir(parents=True, exist_ok=True)
        path = new_proof(_open(package, folder), module, function)
    click.echo(f"{path} is begun; \\unfinished marks what is yours to write.")


if __name__ == "__main__":
    main()
