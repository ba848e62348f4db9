"""`opendp-lite explain`: what a pipeline promises, step by step, and who proved it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from opendp_lite.base.ownership import is_own
from opendp_lite.cli.subjects import (
    Mistake,
    code_of,
    distance_of,
    files,
    mistakes,
    subject,
)

if TYPE_CHECKING:
    from opendp_lite.show.explaining.steps import Explanation


@click.command()
@click.argument("name", metavar="MODULE:NAME", shell_complete=files)
@click.option("--d-in", metavar="NUMBER", help="The distance of neighbours.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
    help="How it is printed.",
)
def explain(name: str, d_in: str | None, form: str) -> None:
    """Explain a measurement: its steps, distances, proofs and assumptions.

    MODULE:NAME names a measurement, a transformation, a query or a Context, and
    FILE.py:NAME one in a file. The module is imported, which runs it; one that
    makes a release by itself is refused, so keep that under
    if __name__ == "__main__". Nothing is released.

    \b
    Examples:
      opendp-lite explain pipeline.py:count --d-in 1
      opendp-lite explain my_package.queries:income --d-in 2 --format json
      opendp-lite explain pipeline.py:count --d-in 1 --format html > count.html

    \b
    Exit codes:
      0    explained
      2    a mistake: no such object, or a distance of the wrong kind
    """
    found = subject(name)
    kind = type(found).__name__
    if not is_own(type(found)) or not callable(getattr(found, "explain", None)):
        raise Mistake(
            f"{name}: is of type {kind}, which cannot be explained. Name a "
            "measurement, a transformation, a query or a Context."
        )
    with mistakes(), code_of(name):
        explanation = found.explain(distance_of(d_in))
        _print(explanation, form)


def _print(explanation: Explanation, form: str) -> None:
    if form == "json":
        click.echo(explanation.to_json())
    elif form == "html":
        click.echo(explanation._repr_html_())
    elif not (sys.stdout.isatty() and _rich(explanation)):
        click.echo(str(explanation))


def _rich(explanation: Explanation) -> bool:
    """Print with colours, if rich is installed."""
    try:
        from rich.console import Console
    except ImportError:  # pragma: no cover
        return False
    Console().print(explanation)
    return True
