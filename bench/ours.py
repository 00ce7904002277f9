"""Interlock's own side: the public calls, as anybody would make them; every answer is looked at."""

from __future__ import annotations

from collections.abc import Sequence

from interlock import App

from .kind import ACTOR, KIND, MOVES


class Ours:
    """An app on a database that is ready."""

    def __init__(self, app: App) -> None:
        self.app = app

    def move(self, ids: Sequence[int], step: int) -> None:
        answers = self.app.move_many(KIND, ids, actor=ACTOR, status=MOVES[step][1])
        assert [answer.outcome for answer in answers] == ["moved"] * len(ids), "a record did not move"

    def move_one(self, id: int, step: int) -> None:
        self.app.move(KIND, id, actor=ACTOR, status=MOVES[step][1])

    def admit(self, count: int) -> None:
        answers = self.app.admit_many(
            KIND, [{"observations_count": number} for number in range(count)], actor=ACTOR
        )
        assert [answer.outcome for answer in answers] == ["admitted"] * count, "a record was not admitted"

    def close(self) -> None:
        self.app.close()
