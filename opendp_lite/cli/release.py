"""`opendp-lite release`: run a job on a file of data, and record what was released."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import reduce
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from opendp_lite.cli.subjects import FINDING, Mistake, mistakes, one_line
from opendp_lite.show.texts import reason_of

if TYPE_CHECKING:
    from opendp_lite.jobs.records import Record, Reserved
    from opendp_lite.jobs.running import Job, Opened


_FILE = click.Path(dir_okay=False)


@click.command()
@click.argument("job", type=_FILE)
@click.option("--data", type=_FILE, help="A Parquet file, or a CSV file of lines.")
@click.option("-o", "--output", type=_FILE, help="Where the record goes; else stdout.")
@click.option("--force", is_flag=True, help="Replace the file of the record.")
@click.option("--preview", is_flag=True, help="Show cost and accuracy, and stop.")
@click.option("--yes", is_flag=True, help="Release without asking; for scripts.")
@click.option("--ledger", type=_FILE, help="Count the loss in this file.")
def release(
    job: str,
    data: str | None,
    output: str | None,
    force: bool,
    preview: bool,
    yes: bool,
    ledger: str | None,
) -> None:
    """Release what the file JOB describes, once, and record it.

    JOB is a TOML file, or a Python file with the functions context(data), which returns
    a Context, and queries(context), which returns a dict of names and queries; with a
    dict COLUMNS of domains there, a CSV file comes to context(data) as Parquet.

    In a CSV file each line is a row, whatever is in it; it is copied to a temporary
    Parquet file of yours, which is removed in the end.

    All is checked, and the cost and the accuracy of each query are shown, before
    anything is released. The record is JSON: what was asked, the exact cost, the noise,
    the answers with their intervals (of the bounded data), how much of each person
    counts, versions, and the whole text of JOB with its digest (write no password into
    it); never data.

    With --ledger the cost is added up over all releases that name the same file, and
    one that would pass the limit of the job ([ledger], or LEDGER in Python) is refused.
    A ledger is charged before the release, and counts only those who use it.

    \b
    Examples:
      opendp-lite release visits.toml --preview
      opendp-lite release visits.toml --data visits.parquet -o record.json
      opendp-lite release visits.toml --data visits.csv --yes > record.json
      opendp-lite release visits.py --data visits.csv --ledger spent.json

    \b
    Exit codes:
      0    released, or previewed
      1    declined; or broken off after something was charged (the record tells)
      2    a mistake: nothing was released, nothing was spent
      130  aborted by Ctrl-C; what was charged is told, recorded, and stays charged
    """
    from opendp_lite import jobs
    from opendp_lite.base.progress import Progress
    from opendp_lite.jobs.running import held

    with mistakes(), _said_once(), held("SIGINT", "SIGTERM", "SIGHUP") as hold:
        hold.allow()
        described = jobs.read(job)
        if data is None and preview and not described.needs_data:
            click.echo(_shown(described, described.preview()))
            return
        if data is None:
            raise Mistake("--data: is missing. Name the Parquet or CSV file.")
        if not preview:
            _check_answerable(yes)
            _check_apart(output=output, data=data, job=job, ledger=ledger)
        place = None if preview else _reserved(output, force)
        with (
            place or nullcontext() as reserved,
            Progress() as line,
            described.opened(data, line.step) as opened,
        ):
            line.hide()
            _check_ledger(ledger, opened)
            click.echo(_shown(described, opened.preview), err=not preview)
            if preview:
                return
            _confirm(opened, yes)
            hold.refuse()  # until what is charged is recorded
            _charge(ledger, opened)
            _released(opened, reserved, ledger)


@contextmanager
def _said_once() -> Iterator[None]:
    """Let the log say once that a loss is unusually large, and not for each query."""
    said = set[str]()

    def is_new(entry: logging.LogRecord) -> bool:
        before = len(said)
        said.add(entry.getMessage())
        return len(said) > before

    logger = logging.getLogger("opendp_lite.context")
    logger.addFilter(is_new)
    try:
        yield
    finally:
        logger.removeFilter(is_new)


def _shown(job: Job, preview: Any) -> str:
    """Return the preview of a job, under its title."""
    title = click.style(job.title, bold=True)
    return f"{title}\n\n{preview}" if job.title else str(preview)


def _terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def _check_answerable(yes: bool) -> None:
    if not yes and not _terminal():
        raise Mistake(
            "nobody can be asked whether to release, as this is no terminal. Pass "
            "--yes to release, or --preview to see the cost."
        )


def _check_apart(**files: str | None) -> None:
    """Refuse to write over what is read: the same file under two names of options."""
    named = [(name, path) for name, path in files.items() if path is not None]
    for (name, path), (other, there) in combinations(named, 2):
        if os.path.realpath(path) == os.path.realpath(there):
            raise Mistake(f"{path}: is the {name} and the {other}. Name another file.")


def _reserved(output: str | None, force: bool) -> Any:
    """Make sure that the record can be written, before anything is released."""
    from opendp_lite.jobs.records import reserved

    return None if output is None else reserved(output, force=force)


def _confirm(opened: Opened, yes: bool) -> None:
    """Ask whether to release; no by default."""
    if yes:
        return
    data = Path(opened.data or "").name
    question = f"\nRelease from {data}, at a cost of {opened.preview.told_loss}?"
    if not click.confirm(question, default=False, err=True):
        click.echo("Nothing was released, and nothing was spent.", err=True)
        raise click.exceptions.Exit(FINDING)


def _check_ledger(ledger: str | None, opened: Opened) -> None:
    """Refuse early what the ledger would refuse."""
    if ledger is None:
        return
    from opendp_lite.jobs.ledgers import Ledger

    limit = opened.job.limit
    if limit is None:
        raise Mistake(
            f"{opened.job.file}: states no limit for a ledger. Write [ledger] and "
            "epsilon = 5.0 below it (LEDGER = {'epsilon': 5.0} in Python), or leave "
            "--ledger out."
        )
    Ledger(ledger).check(opened.unit, opened.exact_loss(), limit)


def _charge(ledger: str | None, opened: Opened) -> None:
    """Charge the ledger, after which the release is made."""
    if ledger is not None:
        from opendp_lite.jobs.ledgers import Ledger

        limit = opened.job.limit
        assert limit is not None
        name = f"{Path(opened.job.file).name} sha256:{opened.job.sha256}"
        Ledger(ledger).charge(name, opened.unit, opened.exact_loss(), limit)


def _released(opened: Opened, place: Reserved | None, ledger: str | None) -> None:
    """Release, and see that the record is kept, whatever happens."""
    from opendp_lite.base.errors import OpenDPException
    from opendp_lite.jobs.running import Stopped

    try:
        record = opened.release()
    except Stopped as stopped:
        _keep(stopped.record, place)
        if isinstance(stopped.__cause__, KeyboardInterrupt):
            click.echo(_describe_charge(opened, ledger), err=True)
            raise KeyboardInterrupt from None
        raise click.ClickException(stopped.message) from None  # exit code 1
    except (OpenDPException, KeyboardInterrupt) as error:
        if ledger is None:
            raise
        told = f"{ledger}: was charged, and stays so, though nothing was released."
        if isinstance(error, KeyboardInterrupt):
            click.echo(told, err=True)
            raise
        told = f"{one_line(error.message)} {told}"
        raise click.ClickException(told) from None  # exit code 1
    _keep(record, place)


def _describe_charge(opened: Opened, ledger: str | None) -> str:
    """Return what was charged for a release that was interrupted."""
    from opendp_lite.jobs.previews import told
    from opendp_lite.sessions.losses import added

    losses = (entry.loss for entry in opened.context.journal())
    spent = told(opened.context.output_measure, reduce(added, losses))
    text = f"interrupted: {spent} was charged, and stays charged."
    if ledger is None:
        return text
    return f"{text}\n{ledger}: was charged {opened.preview.told_loss}, the whole job."


def _keep(record: Record, place: Reserved | None) -> None:
    """Write the record to its file; to stdout if there is none, or if that fails.

    Where it is in a file, the answers are shown as tables.
    """
    text = record.to_json()
    if place is None:
        _print(text)
        return
    try:
        place.fill(text)
    except OSError as error:
        _print(text)
        raise click.ClickException(  # exit code 1
            f"{place.path}: could not be written: {reason_of(error)}. The record is "
            "printed."
        ) from None
    click.echo(str(record))
    click.echo(f"\nThe record is in {place.path}.", err=True)


def _print(text: str) -> None:
    """Print the record, of which there is no copy; to stderr if stdout fails."""
    try:
        click.echo(text, nl=False)
    except OSError as error:
        click.echo(text, nl=False, err=True)
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # what is left fails again
        told = (
            f"stdout: could not be written to: {reason_of(error)}. The record is above."
        )
        raise click.ClickException(told) from None  # exit code 1
