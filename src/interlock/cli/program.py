"""The program `interlock`: registers all commands, and turns errors into messages and exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from .._version import __version__
from ..store.files.private_files import OTHERS
from .commands.history.check import check, doctor
from .commands.history.ledger import ledger
from .commands.history.proofs import archive, as_of, export, prove, seal, seals
from .commands.machines.adopt import adopt
from .commands.machines.machine import machine
from .commands.machines.machine_change import diff, migrate
from .commands.machines.simulate import simulate
from .commands.records.acts import amend, cancel, erase, move, retry
from .commands.records.admit import admit
from .commands.records.bulk import bulk
from .commands.records.mirror import mirror
from .commands.records.record import record
from .commands.start.status import show_status
from .commands.start.tour import tour
from .commands.upkeep.backup import backup, restore
from .commands.upkeep.completion import completion
from .commands.upkeep.database import db
from .commands.upkeep.key import key
from .commands.upkeep.metrics import metrics
from .commands.work.runners import runners
from .commands.work.schedule import schedule
from .commands.work.stage import stage
from .context import Session
from .exit_codes import INTERRUPTED, OK, complain, exit_code
from .grammar import Noun, colour, session
from .meant import meant_by
from .plugins import app_command, app_nouns, bundled_nouns, is_kind
from .processes.serve import serve
from .processes.up import coordinator, runner, up


class Program(Noun):
    """The root command: whatever happens inside it ends with an exit code, never with a traceback."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of ours, or one that a workflow of the named app adds."""
        ours = super().get_command(ctx, cmd_name)
        return ours or app_command(ctx.find_root().ensure_object(Session), cmd_name)

    def hint_for(self, ctx: click.Context, word: str, message: str) -> str:
        """For a word that other programs use, a kind of the app, or a verb without its own noun: what it is called here."""
        if ctx.command is not self:
            return meant_by(word, self.commands, str(ctx.info_name))
        if is_kind(ctx.ensure_object(Session), word):
            return f"A noun and a verb come before the kind: `interlock record list {word}`."
        return meant_by(word, self.commands)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Ours, and those that workflows of the named app add."""
        ours = super().list_commands(ctx)
        added = app_nouns(ctx.find_root().ensure_object(Session))
        return [*ours, *(noun for noun in added if noun not in ours)]

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        running = Session()
        try:
            code = super().main(
                args,
                prog_name or "interlock",
                complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                obj=running,
                **extra,
            )
        except (click.Abort, KeyboardInterrupt):
            code = INTERRUPTED
        except Exception as error:
            if running.debug:
                traceback.print_exception(error)
            complain(error)
            raise SystemExit(exit_code(error)) from error
        finally:
            running.close()
        sys.exit(code if isinstance(code, int) else OK)


@click.group(
    cls=Program,
    invoke_without_command=True,
    examples=(
        "interlock tour",
        "interlock --app shop.workflows:app",
        "interlock --app shop.workflows:app record why orders 42",
    ),
)
@click.version_option(__version__, prog_name="interlock")
@click.pass_context
def interlock(context: click.Context) -> None:
    """Enforces record states in your database and runs the work that changes them; alone it prints counts and what needs a person."""
    colour(context)
    if context.invoked_subcommand is None:
        show_status(session())


for command in (
    up,
    coordinator,
    runner,
    runners,
    serve,
    machine,
    record,
    bulk,
    stage,
    schedule,
    mirror,
    adopt,
    ledger,
    db,
    check,
    doctor,
    simulate,
    metrics,
    key,
    tour,
    completion,
):
    interlock.add_command(command)
for noun in bundled_nouns():
    interlock.add_command(noun)
for act in (admit, move, retry, cancel, amend, erase):
    record.add_command(act)
for keeping in (backup, restore):
    db.add_command(keeping)
for verb in (diff, migrate):
    machine.add_command(verb)
for proving in (seal, seals, export, prove, archive, as_of):
    ledger.add_command(proving)


def main() -> None:
    """The entry point; text that a terminal cannot show is replaced, and what goes to a closed stream is dropped: neither is a reason to
    fail.

    Whatever a command creates, only the user who ran it can read.
    """
    os.umask(os.umask(OTHERS) | OTHERS)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 open until the end
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    interlock.main()
