"""What can go wrong at any statement: the process dies, or its connection is lost; and the plan that says when."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

Misfortune = Literal["crash", "lost", "unheard"]
"""`crash`: the process is gone. `lost`: the connection breaks and its transaction is undone. `unheard`: the next commit is done, and
told to have failed."""

MISFORTUNES: tuple[Misfortune, ...] = ("crash", "crash", "lost", "unheard")
FARTHEST = 60


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
    return Plan(misfortune, random.randint(1, 3) if misfortune == "unheard" else random.randint(1, random.choice((4, 12, 30, FARTHEST))))
