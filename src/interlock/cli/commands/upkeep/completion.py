"""`interlock completion`: the script by which a shell completes commands and options, made from the commands themselves."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from ...grammar import Verb

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_INTERLOCK_COMPLETE"
"""The variable in which the script asks for what may follow; click reads it."""


@click.command(
    cls=Verb,
    examples=("interlock completion bash", "interlock completion fish"),
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that makes a shell complete commands and options."""
    kind = get_completion_class(shell)
    assert kind is not None, shell
    click.echo(kind(context.find_root().command, {}, "interlock", VARIABLE).source())
