"""The page about the commands, from what the commands say of themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import click

from interlock.cli.exit_codes import EXIT_CODES, MEANINGS
from interlock.cli.grammar import shared_options
from interlock.cli.program import interlock
from interlock.settings import Settings

OPENING = """# Commands

<!-- Written by `make docs` from the commands themselves; a change belongs there. -->

A noun, then a verb: `interlock record why orders 42`. `interlock` alone prints where things stand and what needs a person.

A command speaks of an app: a module of yours that declares workflows, found from the folder you are in. `--app shop.workflows:app` names
an `App`, one `Workflow` or a list of them. The database is the app's own unless `--database` says another one; workflows without an
`App` are kept where the settings say.

Data goes to stdout and is never cut when it is piped; remarks, errors and progress go to stderr. An error is one line with a
[code](errors.md) and a line with a hint. Colour is for terminals only, and `NO_COLOR` is obeyed. The state null is written `null`.
In JSON, instants are ISO 8601 in UTC, null is null, bytes are hexadecimal; in CSV, text that a spreadsheet would run gets an apostrophe.
"""

COMPLETION = """## Completion

Shells complete commands and options once they have been told how:

```sh
eval "$(interlock completion bash)"     # in ~/.bashrc
eval "$(interlock completion zsh)"      # in ~/.zshrc
interlock completion fish | source      # in ~/.config/fish/config.fish
```
"""


def page() -> str:
    return (
        "\n".join(
            [OPENING, shared(), exit_codes(), settings(), COMPLETION, *sections(interlock, "interlock")]
        ).rstrip()
        + "\n"
    )


def shared() -> str:
    rows = [row(option) for option in shared_options()]
    return "\n".join(
        ["## Options of every command", "", "They may stand anywhere behind `interlock`.", "", *rows, ""]
    )


def exit_codes() -> str:
    lines = ["## Exit codes", "", "| code | says | errors |", "|---|---|---|"]
    for code, meaning in MEANINGS.items():
        kinds = ", ".join(f"`{kind.__name__}`" for kind, number in EXIT_CODES.items() if number == code)
        lines.append(f"| {code} | {meaning} | {kinds} |")
    return "\n".join([*lines, "", "An error that is not named here ends like the one it is a kind of.", ""])


def settings() -> str:
    first = "Each from the first that has it: a flag, a variable, `interlock.toml` in the folder you are in, the default."
    lines = ["## Settings", "", first, "", "| in `interlock.toml` | variable | default |", "|---|---|---|"]
    for item in fields(Settings):
        default = "" if item.default is None else f"`{item.default}`"
        lines.append(f"| `{item.name}` | `INTERLOCK_{item.name.upper()}` | {default} |")
    return "\n".join([*lines, ""])


def sections(command: click.Command, path: str) -> Iterator[str]:
    """One section for each command, nouns before their verbs."""
    context = click.Context(command, info_name=path)
    pieces = " ".join(
        piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]" or own(command)
    )
    yield (
        f"## `{path}`\n\n{' '.join((command.help or '').split())}\n\n```text\n{path} {pieces}".rstrip()
        + "\n```\n"
    )
    if options := [row(option) for option in own(command)]:
        yield "\n".join([*options, ""])
    if examples := getattr(command, "examples", ()):
        yield "\n".join(["```sh", *examples, "```", ""])
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from sections(below, f"{path} {name}")


def own(command: click.Command) -> list[click.Option]:
    """The options that not every command has."""
    everywhere = {option.name for option in shared_options()}
    return [
        option
        for option in command.params
        if isinstance(option, click.Option) and option.name not in everywhere
    ]


def row(option: click.Parameter) -> str:
    assert isinstance(option, click.Option)
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag else f" `{option.metavar or choice(option)}`"
    told = option.show_default if isinstance(option.show_default, str) else f"`{option.default}`"
    default = f" Default: {told}." if option.show_default else ""
    return f"- {names}{value}: {option.help}{' Required.' if option.required else ''}{default}"


def choice(option: click.Option) -> str:
    return (
        "|".join(option.type.choices)
        if isinstance(option.type, click.Choice)
        else option.type.name.upper().removesuffix(" RANGE")
    )
