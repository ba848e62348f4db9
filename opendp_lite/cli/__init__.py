"""The command `opendp-lite`, one module for each of its commands."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib import import_module
from typing import Any

try:
    import click
except ImportError:  # pragma: no cover
    sys.exit("opendp-lite needs click: pip install 'opendp-lite[cli]'")


# Each command stands in the module of its name, under its name.
_COMMANDS = ("proofs", "explain", "verify", "certify", "release", "completion")
_ABORTED = 130  # as shells have it for a program that Ctrl-C has ended


class _Commands(click.Group):
    """Commands that are loaded when one of them is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return their names, in the order of the help."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one of them, or None."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"opendp_lite.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is asked for, or say which may have been meant."""
        name = args[0] if args else ""
        if name not in _COMMANDS and not name.startswith("-"):
            near = get_close_matches(name, _COMMANDS, 1)
            fix = f"Did you mean {near[0]!r}?" if near else "See opendp-lite -h."
            ctx.fail(f"there is no command {name!r}. {fix}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C ends it without a traceback."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            click.echo("\naborted", err=True)
            raise click.exceptions.Exit(_ABORTED) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="opendp-lite")
def main() -> None:
    """Differential privacy that can be checked, from the command line.

    \b
    Examples:
      opendp-lite explain pipeline.py:count --d-in 1
      opendp-lite verify pipeline.py:count --x '[1, 2]' --x2 '[1]'
      opendp-lite release visits.toml --data visits.parquet -o record.json
      opendp-lite proofs check

    \b
    Exit codes: 0 in order, 1 a check found something, 2 a mistake of the call or its
    files (nothing was released, nothing spent), 130 aborted. COMMAND -h tells more.
    """
