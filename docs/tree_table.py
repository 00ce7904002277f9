"""The table of folders in docs/explanation/the-house.md: as they were before the house was put in order, and as they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "interlock"
BEGIN, END = "<!-- tree: written by make docs -->", "<!-- end of tree -->"
BEFORE = {
    "": "`interlock/` 10",
    "machine": "`machine/` 16",
    "workflow": "`workflow/` 11",
    "store": "`store/` 58, `postgresql/` 12, `sqlite/` 5",
    "authority": "`authority/` 18",
    "coordinator": "`coordinator/` 12",
    "transport": "`transport/` 2",
    "runner": "`runner/` 23",
    "operations": "`operations/` 10",
    "observe": "`observe/` 11, `metrics/` 9",
    "adopt": "—",
    "client": "—",
    "service": "`service/` 35",
    "console": "—",
    "cli": "`cli/` 42",
    "testing": "`testing/` 6, `simulation/` 17",
}
"""By room: its folders and their files at the commit that the page calls "before"."""
WORKFLOWS = (
    "| `workflows/` 109 in 11 folders (one workflow) | `workflows/` four workflows and a demo, "
    "each with rooms of its own |"
)


def table() -> str:
    rows = [f"| {before} | {', '.join(folders(room))} |" for room, before in BEFORE.items()]
    return "\n".join(["| before | after |", "|---|---|", *rows, WORKFLOWS])


def folders(room: str) -> Iterator[str]:
    """The folders of a room with the number of files in each, not counting its `__init__.py`."""
    top = SOURCE / room
    inside = sorted(top.rglob("*.py")) if room else list(top.glob("*.py"))
    counted: dict[Path, int] = {top: 0}
    for file in inside:
        if file.name != "__init__.py":
            counted[file.parent] = counted.get(file.parent, 0) + 1
    for folder, number in counted.items():
        name = folder.relative_to(top) if folder != top else Path(room or "interlock")
        yield f"`{name.as_posix()}/` {number}"


def with_table(page: str) -> str:
    """The page with its table of folders as it is now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"
