"""`interlock db backup` and `restore`: one snapshot of a database in use as a file, verified when it is restored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ....observe.proofs.backups import back_up
from ....observe.proofs.backups import restore as restore_backup
from ....store.files.backup import Manifest
from ....store.verify.parallel import cores
from ....workflow.columns.instant import instant_text
from ... import exit_codes as exits
from ...grammar import Verb, session
from ...render.output import note, show_answer
from ...render.progress import progress_line
from ..history.ledger import show_report

COLUMNS = ("file", "database", "at", "rows", "last_position", "seal", "seal_hash", "version")
FILES = "Uploaded files are not in it: copy their folder after the backup, never before."


@click.command(
    "backup",
    cls=Verb,
    examples=(
        "interlock db backup interlock-2026-03-01.backup",
        "interlock --app shop.workflows:app db backup shop.backup",
        "interlock db backup shop.backup --database postgresql://owner@db.example/shop",
    ),
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Write one snapshot of the database into a new file, while processes go on using it; nobody but you can read the file."""
    running = session()
    app = running.bundled_app()
    with progress_line("backing up") as progress:
        manifest = back_up(app.database, list(app.workflows.values()), file, running.clock.now(), progress)
    row = row_of(manifest, file)
    line = f"{manifest.rows:,} rows of {len(manifest.tables)} tables in {file}, up to ledger position {manifest.last_position:,}"
    show_answer(running.output, row, [line], [row], COLUMNS)
    if manifest.left_out:
        note(f"not in it, for no workflow of this app names them: {', '.join(manifest.left_out)}")
    note(FILES)


@click.command(
    "restore",
    cls=Verb,
    examples=(
        "interlock db restore interlock-2026-03-01.backup --database sqlite:///restored.sqlite",
        "interlock --app shop.workflows:app db restore shop.backup --database postgresql://owner@db.example/fresh",
    ),
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--even-if-broken",
    is_flag=True,
    help="Keep it although verification finds something; without this nothing is left of it.",
)
@click.pass_context
def restore(context: click.Context, file: Path, even_if_broken: bool) -> None:
    """Load a backup into a database that holds nothing, and verify it there: rows, chains, seals and counts; exit code 7 when something is
    wrong."""
    running = session()
    app = running.bundled_app()
    with progress_line("restoring") as progress:
        manifest, report = restore_backup(
            app.database,
            list(app.workflows.values()),
            file,
            progress,
            even_if_broken=even_if_broken,
            processes=cores(),
        )
    well = (
        f"{manifest.rows:,} rows were restored; {report.entries:,} entries in {report.records:,} chains verify; "
        f"{report.seals:,} seals hold"
    )
    show_report(running.output, report, well, seals=report.seals, backup=row_of(manifest, file))
    if not report.ok:
        note("kept, although it is broken" if even_if_broken else "nothing of it was kept")
    else:
        note(
            "Seals that were made after this backup are not in it: `interlock ledger verify --against FILE` lists them."
        )
    context.exit(exits.OK if report.ok else exits.FINDINGS)


def row_of(manifest: Manifest, file: Path) -> dict[str, Any]:
    named = {name: getattr(manifest, name) for name in COLUMNS if name != "file"}
    return {"file": str(file), **named, "at": instant_text(manifest.at), "left_out": list(manifest.left_out)}
