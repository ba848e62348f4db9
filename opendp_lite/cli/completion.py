"""`opendp-lite completion`: let the shell complete commands, options and files."""

from __future__ import annotations

import click

_NAME, _VARIABLE = "opendp-lite", "_OPENDP_LITE_COMPLETE"
_ENABLE = {
    "bash": 'eval "$(opendp-lite completion bash)", in ~/.bashrc',
    "zsh": 'eval "$(opendp-lite completion zsh)", in ~/.zshrc, after compinit',
    "fish": "opendp-lite completion fish | source, in ~/.config/fish/config.fish",
}


@click.command()
@click.argument("shell", type=click.Choice(sorted(_ENABLE)))
def completion(shell: str) -> None:
    """Print what lets a shell complete commands, options and files.

    \b
    To enable it, put the line for your shell into its file:
      bash  eval "$(opendp-lite completion bash)"             ~/.bashrc
      zsh   eval "$(opendp-lite completion zsh)"              ~/.zshrc
      fish  opendp-lite completion fish | source              ~/.config/fish/config.fish

    \b
    Exit codes:
      0    printed
      2    a shell that is not known
    """
    from click.shell_completion import get_completion_class

    from opendp_lite.cli import main

    found = get_completion_class(shell)
    assert found is not None
    click.echo(f"# To enable it: {_ENABLE[shell]}.")
    click.echo(found(main, {}, _NAME, _VARIABLE).source())
