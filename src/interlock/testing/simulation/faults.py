"""What can go wrong at any statement: the process dies, or its connection is lost; the plan that says when, and who carries it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

Misfortune = Literal["crash", "lost", "unheard"]
"""`crash`: the process is gone. `lost`: the connection breaks and its transaction is undone. `unheard`: the next commit is done, and
reported as failed."""

MISFORTUNES: tuple[Misfortune, ...] = ("crash", "crash", "lost", "unheard")
FARTHEST = 60

Told = Callable[[str, Any], None]


class Crash(BaseException):
    """The process is gone at this very statement: no `except Exception` of the code under test may survive it."""


@dataclass(slots=True)
class Plan:
    """What befalls an actor in its turn, and before which of its statements; BEGIN and both sides of COMMIT count as statements.
    What is not heard of is a commit, so only those count."""

    misfortune: Misfortune
    left: int


def drawn(random: Random, chance: float) -> Plan | None:
    """A plan for one turn, mostly none; early statements are likelier, for most turns are short."""
    if random.random() >= chance:
        return None
    misfortune = random.choice(MISFORTUNES)
    return Plan(
        misfortune,
        random.randint(1, 3)
        if misfortune == "unheard"
        else random.randint(1, random.choice((4, 12, 30, FARTHEST))),
    )


class Faults:
    """Counts the statements of whoever has a turn, and lets the planned misfortune happen before or after one of them.

    `lost` makes the error that the driver raises when its connection breaks. `always`: statements are noticed in turns without a planned
    misfortune too, because others may have turns between any two of them; `interlude` decides whether.
    """

    def __init__(self, lost: Callable[[], Exception], *, always: bool = False) -> None:
        self.lost, self.always = lost, always
        self.plan: Plan | None = None
        self.dead = self.broken = self.spoiled = self.open = self.watched = False
        self.staged = False
        """Whether histories are played; before that, the database is being made."""
        self.told: Told | None = None
        self.interlude: Callable[[], bool] | None = None
        self.struck: Counter[str] = Counter()

    def watch(self, plan: Plan | None) -> None:
        self.plan = plan
        self.dead = self.broken = False
        self.watched = self.always or plan is not None or self.told is not None

    def kill(self) -> None:
        """Whoever has its turn is gone."""
        self.dead = self.watched = True

    def notice(self, sql: str, values: Any = ()) -> None:
        """A statement is about to be executed, or a commit to happen, or one has happened."""
        if self.dead:
            raise Crash
        if self.broken:
            raise self.lost()
        if self.told is not None:
            self.told(sql, values)
        if self.plan is not None and self.plan.misfortune != "unheard":
            self.plan.left -= 1
            if self.plan.left <= 0:
                self.strike(sql)

    def committed(self) -> None:
        """Note that a commit was done; its answer may be lost."""
        if self.plan is not None and self.plan.misfortune == "unheard":
            self.plan.left -= 1
            if self.plan.left <= 0:
                self.strike("COMMIT, and the answer is lost")
        self.notice("after COMMIT")

    def strike(self, sql: str) -> None:
        """Inject the planned fault, here."""
        assert self.plan is not None
        misfortune, self.plan = self.plan.misfortune, None
        self.spoiled = True
        self.struck[f"{misfortune} {sql[:48]}"] += 1
        if self.told is not None:
            self.told(f"*** {misfortune}", ())
        if misfortune == "crash":
            self.kill()
            raise Crash
        self.broken = self.open
        self.watched = self.always or self.broken or self.told is not None
        raise self.lost()
