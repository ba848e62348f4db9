"""The page of the command line: what `--help` says of each command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from opendp_lite.cli import main

__all__ = ["helps", "page"]


def page() -> str:
    """Return the page as Markdown.

    >>> "## opendp-lite proofs check" in page()
    True
    """
    blocks = ["# Command line", "What `--help` says, command by command."]
    for name, text in helps(main, "opendp-lite", None):
        blocks += [f"## {name}", f"```text\n{text}\n```"]
    return "\n\n".join(blocks) + "\n"


def helps(
    command: click.Command, name: str, parent: click.Context | None
) -> Iterator[tuple[str, str]]:
    """Yield the name and the help of a command and of all below it.

    :param command: a command or group of click
    :param name: how it is called
    :param parent: where it was found
    """
    last = name.rpartition(" ")[2]
    # With the settings of the command: click keeps the option that shows the help, by
    # the names that it has here, for all that asks later.
    settings: dict[str, Any] = {**command.context_settings, "max_content_width": 80}
    context = click.Context(command, parent, info_name=last, **settings)
    yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            if below is not None and not below.hidden:
                yield from helps(below, f"{name} {each}", context)
