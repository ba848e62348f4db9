"""`opendp-lite certify`: write the certificate of a pipeline, or check one."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

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

if TYPE_CHECKING:
    from opendp_lite.certify.evidence import Evidence


Options: TypeAlias = dict[str, Any]
"""What stands on the command line, by the names of the options."""

_FORMS = (".json", ".html", ".pdf")


@click.command()
@click.argument("name", metavar="[MODULE:NAME]", required=False, shell_complete=files)
@click.option("--d-in", metavar="NUMBER", help="The distance of neighbours.")
@click.option(
    "-o",
    "--output",
    "outputs",
    metavar="FILE",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write it: .json, .html or .pdf; may be given several times.",
)
@click.option("--force", is_flag=True, help="Replace files that are there.")
@click.option(
    "--verify",
    "given",
    metavar="FILE.json",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Check this certificate instead of writing one.",
)
@click.option(
    "--subject",
    "named",
    metavar="MODULE:NAME",
    shell_complete=files,
    help="With --verify: the object, where the certificate cannot carry it.",
)
@click.option(
    "--strict", is_flag=True, help="With --verify: versions must be the same."
)
@click.option(
    "--allow-unreviewed",
    is_flag=True,
    help="Exit with 0 though not all is what was reviewed; the command still says so. "
    "What a bit tree has against the claim is never allowed.",
)
@click.option("--x", metavar="JSON", help="An invented input for a bit tree; printed.")
@click.option("--x2", metavar="JSON", help="A neighbour of it.")
@click.option("--no-bit-trees", is_flag=True, help="Look for no small case.")
@click.option(
    "--depth",
    type=click.IntRange(1, 10_000),
    default=48,
    show_default=True,
    help="How many random bits a path of a bit tree may have.",
)
@click.option(
    "--runs",
    type=click.IntRange(1, 1_000_000),
    default=5_000,
    show_default=True,
    help="How often the code is run for each input of a bit tree.",
)
@click.option("--comment", default="", help="Is printed in the certificate.")
@click.option("--package", help="A package of your own whose proofs count as well.")
@click.option(
    "--proofs",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("proofs"),
    show_default=True,
    help="With --package: the folder of its proofs.",
)
def certify(
    name: str | None,
    given: Path | None,
    package: str | None,
    folder: Path,
    **options: Any,
) -> None:
    """Certify a pipeline, or check the certificate of one.

    A certificate states the guarantee of a measurement, a transformation, a query or a
    Context, and derives it step by step: the theorem of each step, digests of its code
    and its proof, who read them, the assumptions that a person must sign, bit trees of
    small cases, and the versions of all that is trusted.

    MODULE:NAME is imported, which runs it; a module that makes a release by itself is
    refused, so keep that under if __name__ == "__main__". Nothing is released.

    With --verify it is derived anew, here, and compared field by field. Nothing that a
    certificate names is imported or called.

    \b
    Examples:
      opendp-lite certify pipeline.py:count --d-in 1 -o count.json -o count.pdf
      opendp-lite certify --verify count.json
      opendp-lite certify --verify own.json --subject pipeline.py:own

    \b
    Exit codes:
      0    certified; or derived anew, and code, proofs and numbers are the same
      1    not all is what was reviewed, a bit tree refutes the claim or says nothing
           as other randomness was used, or a field of the certificate differs
      2    a mistake: no such object, a distance of the wrong kind, a certificate that
           was tampered with, or that is of another format
    """
    from opendp_lite.certify import Evidence

    if (name is None) == (given is None):
        raise Mistake("pass MODULE:NAME to certify, or --verify FILE.json to check.")
    with mistakes():
        own = None if package is None else folder
        evidence = Evidence.of(package, own)
        if given is not None:
            _check(given, evidence, options)
        elif name is not None:
            _write(name, evidence, options)


def _write(name: str, evidence: Evidence, options: Options) -> None:
    if options["named"] is not None or options["strict"]:
        raise Mistake("--subject and --strict go with --verify.")
    for path in options["outputs"]:
        if path.suffix not in _FORMS:
            raise Mistake(f"{path}: its name must end in {', '.join(_FORMS)}.")
    from opendp_lite.certify.deriving import tree_findings
    from opendp_lite.jobs.records import reserved

    with ExitStack() as stack:
        places = [
            stack.enter_context(reserved(path, force=options["force"]))
            for path in options["outputs"]
        ]
        made = _made(name, evidence, options)
        # All are made before one is written.
        files = [made.to_file(path) for path in options["outputs"]]
        for place, content in zip(places, files, strict=True):
            place.fill(content)
    click.echo(made.claim)
    for each in made.findings:
        click.secho(f"not as reviewed: {each}", fg="red", err=True)
    assumptions = len(made.content["assumptions"])
    if assumptions:
        click.echo(f"{assumptions} to be signed by a person; see the certificate.")
    for path in options["outputs"]:
        click.echo(f"{path} was written.")
    if not options["outputs"]:
        click.echo(f"{made.digest}; -o FILE writes it as .json, .html or .pdf.")
    against = any(tree_findings(made.content["bit_trees"]))
    if against or (made.findings and not options["allow_unreviewed"]):
        raise click.exceptions.Exit(FINDING)


def _made(name: str, evidence: Evidence, options: Options) -> Any:
    from opendp_lite.certify import certificate

    found = subject(name)
    with code_of(name):
        return certificate(
            found,
            distance_of(options["d_in"]),
            pairs=_pairs(options),
            depth=options["depth"],
            runs=options["runs"],
            name=name,
            comment=options["comment"],
            evidence=evidence,
        )


def _pairs(options: Options) -> list[tuple[Any, Any]] | None:
    """Return the pairs of inputs for bit trees; None if one is to be looked for."""
    x, x2 = options["x"], options["x2"]
    if (x is None) != (x2 is None):
        raise Mistake("--x and --x2 go together: pass two neighbouring inputs.")
    if x is not None:
        return [(data_of(x, "--x"), data_of(x2, "--x2"))]
    return [] if options["no_bit_trees"] else None


def _check(given: Path, evidence: Evidence, options: Options) -> None:
    from opendp_lite.base.features import enable_features
    from opendp_lite.certify import check

    given_too = [options[key] is not None for key in ("d_in", "x", "x2")]
    if options["outputs"] or any(given_too):
        raise Mistake("-o, --d-in and --x go with MODULE:NAME, and not with --verify.")
    named = options["named"]
    # Nothing is released here, and what is a draft the certificate says.
    enable_features("contrib")
    with code_of(named or str(given)):
        own = None if named is None else subject(named)
        found = check(given, own, evidence=evidence)
    click.echo(repr(found))
    amiss = not found.same or bool(found.against)
    amiss = amiss or bool(found.unreviewed and not options["allow_unreviewed"])
    if found.environment and options["strict"]:
        click.echo("Versions differ, and --strict asks for the same.")
        amiss = True
    if amiss:
        raise click.exceptions.Exit(FINDING)
