"""A stage, gate or hook with a wrong signature fails `mypy --strict` in the code of whoever declares it; a right one passes."""

from __future__ import annotations

import re
from pathlib import Path

from mypy import api

ROOT = Path(__file__).parents[2]
SNIPPET = """
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from interlock import Again, App, Done, Failed, Move, Outcome, Work, Workflow


@dataclass
class Parsed:
    rows: list[str]


def right(orders: Workflow) -> None:
    @orders.stage(waiting="placed", done="packed")
    def pack(work: Work) -> Outcome[None]:
        return Done(weight=3)

    @orders.stage(waiting="placed", done="packed")
    def only_done(work: Work) -> Done[None]:
        return Done()

    @orders.stage(waiting="placed", done="packed", retry=["5s"])
    async def fetch(work: Work) -> Outcome[Parsed]:
        return Done(Parsed([])) if work.attempt > 1 else Again("5s")

    @orders.stage(waiting="placed", done="packed")
    def normalize(work: Work, rows: list[str]) -> Done[Parsed] | Failed[Parsed]:
        return Done(Parsed(rows)) if rows else Failed("EMPTY")

    @normalize.load
    def read(tx: Connection, work: Work) -> list[str]:
        return [str(work.id)]

    @normalize.save
    def store(tx: Connection, work: Work, parsed: Parsed) -> None: ...

    @pack.save_many
    def store_all(tx: Connection, results: Sequence[tuple[Work, Any]]) -> None: ...

    @pack.recheck
    def look(tx: Connection, work: Work) -> Outcome[None] | None:
        return None

    @orders.gate("packed", tier=2)
    def weigh(work: Work) -> Outcome[None]:
        return Done()

    @orders.on_move("packed")
    def tell(tx: Connection, moves: Sequence[Move]) -> None: ...

    @orders.on_remove
    def forget(tx: Connection, removals: Sequence[Move]) -> None: ...

    @orders.every("15m")
    def tidy(app: App, tick: datetime) -> None: ...


def wrong(orders: Workflow) -> None:
    @orders.stage(waiting="placed", done="packed")  # wrong
    def no_work() -> Done[None]:
        return Done()

    @orders.stage(waiting="placed", done="packed")  # wrong
    def another_argument(id: int) -> Done[None]:
        return Done()

    @orders.stage(waiting="placed", done="packed")  # wrong
    def no_outcome(work: Work) -> bool:
        return True

    @orders.stage(waiting="placed", done="packed")  # wrong
    def nothing(work: Work) -> None: ...

    @orders.stage(waiting="placed", done="packed")  # wrong
    def too_much(work: Work, loaded: int, more: int) -> Done[None]:
        return Done()

    @orders.stage(waiting="placed", done="packed")  # wrong
    async def awaited_nothing(work: Work) -> int:
        return 3

    @orders.stage(waiting="placed", done="packed")
    def pack(work: Work) -> Done[None]:
        return Done()

    @pack.load  # wrong
    def without_tx(work: Work) -> int:
        return 3

    @pack.save  # wrong
    def without_result(tx: Connection, work: Work) -> None: ...

    @pack.recheck  # wrong
    def says_yes(tx: Connection, work: Work) -> bool:
        return True

    @orders.gate("packed")  # wrong
    def is_fine(work: Work) -> bool:
        return True

    @orders.on_move("packed")  # wrong
    def tell(moves: Sequence[Move]) -> None: ...

    @orders.on_remove  # wrong
    def forget(tx: Connection) -> None: ...

    @orders.every("15m")  # wrong
    def tidy(app: App) -> None: ...
"""


def test_wrong_signatures_fail_mypy_and_right_ones_pass(tmp_path: Path) -> None:
    file = tmp_path / "declared.py"
    file.write_text(SNIPPET)
    output, faults, _ = api.run(
        ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache"), str(file)]
    )
    assert faults == ""
    found = {int(number) for number in re.findall(r"declared\.py:(\d+): error:", output)}
    marked = {number for number, line in enumerate(SNIPPET.splitlines(), 1) if line.endswith("# wrong")}
    assert found == marked, output
