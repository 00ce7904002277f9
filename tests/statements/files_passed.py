"""Which source files one move and one upload pass, seen by Python's own profiler: `python -m tests.statements.files_passed`.

Each is done once before, so that what is compiled and kept by an app on first use is not counted. What runs in the isolated process of a
parser is not seen: it is no engine.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from sqlalchemy import Column, Integer, MetaData, Table, Text

import interlock
from interlock import App, Axis, Machine, Workflow
from tests.statements.api.place import CSV, Place

SOURCE = Path(interlock.__file__).parent


def passed(run: Callable[[], Any]) -> set[str]:
    """The source files in which a function was called while this ran, in any thread."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return {Path(file).relative_to(SOURCE).as_posix() for file in files if Path(file).is_relative_to(SOURCE)}


def one_move(folder: Path) -> set[str]:
    """The files that `app.move()` passes."""
    table = Table("orders", MetaData(), Column("id", Integer, primary_key=True), Column("customer", Text))
    machine = Machine("order", initial="placed", moves={"placed": ["packed"], "packed": ["sent"]})
    orders = Workflow("orders", noun="order", records=table, axes=[Axis("status", machine)])
    app = App([orders], database=f"sqlite:///{folder / 'move.sqlite'}")
    app.migrate()
    app.admit_many("orders", [{"customer": "Ann"}, {"customer": "Bob"}])
    app.move("orders", 1, status="packed", actor="eve")
    files = passed(lambda: app.move("orders", 2, status="packed", actor="eve"))
    app.close()
    return files


def one_upload(folder: Path) -> set[str]:
    """The files that a statement passes, from its request to `normalized`: service, coordinator and runner."""
    place = Place(f"sqlite:///{folder / 'upload.sqlite'}", folder)

    def upload(content: bytes) -> None:
        id = place.upload(content)
        place.app.drain()
        assert place.show(id)["status"] == "normalized"

    upload(CSV)
    files = passed(lambda: upload(CSV.replace(b"4.50", b"5.50")))
    place.close()
    return files


def is_engine(file: str) -> bool:
    return not file.startswith(("workflows/", "testing/"))


def counts() -> dict[str, int]:
    with tempfile.TemporaryDirectory() as name:
        move, upload = one_move(Path(name)), one_upload(Path(name))
    return {
        "one move": len(move),
        "one upload, files of the engine": len([file for file in upload if is_engine(file)]),
        "one upload, files of its workflow": len([file for file in upload if file.startswith("workflows/")]),
    }


if __name__ == "__main__":
    for what, count in counts().items():
        print(f"{what}: {count}")  # noqa: T201 a program for people
    if "--list" in sys.argv:
        with tempfile.TemporaryDirectory() as name:
            print(*sorted(one_move(Path(name))), "", *sorted(one_upload(Path(name))), sep="\n")  # noqa: T201
