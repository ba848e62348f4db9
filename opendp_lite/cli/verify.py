"""`opendp-lite verify`: confirm a promise by running the code over its random bits."""

from __future__ import annotations

from typing import Any

import click

from opendp_lite.cli.subjects import (
    FINDING,
    Mistake,
    code_of,
    data_of,
    distance_of,
    files,
    mistakes,
    subject,
)


@click.command()
@click.argument("name", metavar="MODULE:NAME", shell_complete=files)
@click.option("--x", metavar="JSON", help="An input; nan and inf may be spelled.")
@click.option("--x2", metavar="JSON", help="A neighbour of it.")
@click.option("--d-in", metavar="NUMBER", help="Their distance; measured by default.")
@click.option(
    "--depth",
    type=click.IntRange(1, 10_000),
    default=40,
    show_default=True,
    help="How many random bits a path may have.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="The longest time for each of the two inputs.",
)
@click.option("--cap", metavar="NUMBER", help="What may stay open; 1/1000 by default.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many processes share the work.",
)
def verify(
    name: str,
    x: str | None,
    x2: str | None,
    d_in: str | None,
    depth: int,
    seconds: float,
    cap: str | None,
    workers: int,
) -> None:
    """Verify a measurement on a pair of inputs, bit by bit.

    The measurement is run on its strings of random bits, the most probable first, up to
    a depth, and the probabilities of its releases are added up exactly. The verdict is
    about this pair: that the promise holds for all pairs is for a proof to show.

    If something besides the random bits of the library may decide what is released,
    such as another generator or a clock, it is named, and the promise is undecided.

    If MODULE:NAME is a verify.Contract, the contract of a constructor of your own, it
    is run instead, and no inputs are given.

    \b
    Examples:
      opendp-lite verify pipeline.py:count --x '[1, 2, 3]' --x2 '[1, 2]'
      opendp-lite verify pipeline.py:noisy --x 0 --x2 1 --depth 20
      opendp-lite verify pipeline.py:clamped --x '[nan, -inf]' --x2 '[]' --d-in 2
      opendp-lite verify tests/contracts.py:MULTIPLY

    \b
    Exit codes:
      0    the promise holds for this pair, or the contract is kept
      1    it is refuted or undecided, or the contract is broken
      2    a mistake: no such object, inputs that are no members or further apart
      130  aborted by Ctrl-C
    """
    from opendp_lite import verify as checks

    found = subject(name)
    if isinstance(found, checks.Contract):
        _check_contract(name, found, x, x2)
        return
    given = {}
    for option, text in (("--x", x), ("--x2", x2)):
        if text is None:
            raise Mistake(f"{option}: is missing. Pass two neighbours, as JSON.")
        given[option] = data_of(text, option)
    with mistakes(), code_of(name):
        certificate = checks.privacy(
            found,
            given["--x"],
            given["--x2"],
            distance_of(d_in),
            depth,
            cap=distance_of(cap, "--cap"),
            seconds=seconds,
            workers=workers,
        )
    click.echo(repr(certificate))
    if not certificate.holds:
        raise click.exceptions.Exit(FINDING)


def _check_contract(name: str, contract: Any, x: str | None, x2: str | None) -> None:
    """Run the contract of a constructor."""
    from opendp_lite import verify as checks

    if x is not None or x2 is not None:
        raise Mistake(f"{name}: is a contract, with inputs of its own. Leave --x out.")
    try:
        with mistakes():
            checks.contract(contract)
    except checks.ContractBroken as error:
        click.echo(str(error))
        raise click.exceptions.Exit(FINDING) from None
    click.echo(f"{name}: the contract is kept.")
