"""The grammar of the commands: nouns with verbs, flags that may stand anywhere, examples in every help text."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import click

from ..errors import BadInput, InterlockError
from ..workflow.durations import span
from .context import Session
from .exit_codes import UnknownCommand
from .render.output import FORMATS, note


class SpanType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on only
    """A span of time as it is typed, such as 30s or 2h; it stays text."""

    name = "span"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            span(value)
        except InterlockError as error:
            self.fail(f"{error.message}; write 30s, 5m, 2h or 2d", param, ctx)
        return str(value)


SPAN = SpanType()


def session() -> Session:
    """The session of the command that is running."""
    return click.get_current_context().find_root().ensure_object(Session)


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is None or value is False:
        return
    running = context.find_root().ensure_object(Session)
    if parameter.name in ("app", "database", "url"):
        running.flags[str(parameter.name)] = value
    elif parameter.name == "api_key":
        note(
            "warning: while this command runs, every user of this machine can read the key in its arguments; "
            "use --api-key-file or INTERLOCK_KEY"
        )
        running.flags["key"] = value
    elif parameter.name == "api_key_file":
        running.flags["key"] = key_in(value)
    else:
        setattr(running, str(parameter.name), value)


def key_in(file: str) -> str:
    """The first line of a file, or of stdin where it is called `-`."""
    try:
        with click.open_file(file, encoding="utf-8") as lines:
            key: str = lines.readline().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"the key in {file} cannot be read: {error}") from error
    if not key:
        raise BadInput(f"there is no key in the first line of {'stdin' if file == '-' else file}")
    return key


def shared_options() -> list[click.Parameter]:
    """The flags that every command takes."""
    same: dict[str, Any] = {"expose_value": False, "callback": _keep, "is_eager": True}
    return [
        click.Option(
            ["-o", "--output"],
            type=click.Choice(FORMATS),
            help="Format of the answer; default: table.",
            **same,
        ),
        click.Option(
            ["--app"],
            metavar="MODULE:NAME",
            help="The App, or a list of Workflows, to speak of. [env: INTERLOCK_APP]",
            **same,
        ),
        click.Option(["--database"], metavar="URL", help="Another database than the app's own.", **same),
        click.Option(
            ["--url"],
            metavar="URL",
            help="A service to ask instead of a database. [env: INTERLOCK_URL]",
            **same,
        ),
        click.Option(
            ["--api-key"],
            metavar="KEY",
            help="The API key for that service. [env: INTERLOCK_KEY, which other users cannot read]",
            **same,
        ),
        click.Option(
            ["--api-key-file"],
            metavar="FILE",
            help="The file whose first line is that key; - reads it from stdin.",
            **same,
        ),
        click.Option(["--debug"], is_flag=True, help="Show the traceback of an error.", **same),
    ]


class _WithExamples(click.Command):
    """A command that shows how it is used."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        self.examples = tuple(examples)
        self.params += shared_options()

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{' ' * formatter.current_indent}{example}\n")


class Verb(_WithExamples):
    """One act or question."""


class Noun(_WithExamples, click.Group):
    """What the verbs below it are about; alone it lists them."""

    command_class = Verb

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named first; raises UnknownCommand with a hint where it is known what was meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if hint := self.hint_for(ctx, args[0], error.message):
                raise UnknownCommand(f"No such command {args[0]!r}.", ctx, hint) from error
            raise

    def hint_for(self, ctx: click.Context, word: str, message: str) -> str:
        """What to type instead of a verb that this noun does not have; empty where no other noun has it either."""
        root = ctx.find_root().command
        near = "Did you mean" in message
        return (
            root.hint_for(ctx, word, message)
            if isinstance(root, Noun) and root is not self and not near
            else ""
        )

    def verb(self, name: str, *examples: str) -> Callable[[Callable[..., Any]], click.Command]:
        """Declare a command with its examples."""
        return self.command(name, examples=examples)


def colour(context: click.Context) -> None:
    """NO_COLOR is obeyed; otherwise colour goes to terminals only."""
    context.color = False if os.environ.get("NO_COLOR") else None
