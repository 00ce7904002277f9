"""Who carries out a bulk operation: this process on the database itself, or a service that is asked to; both in the same words."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from ..app import App
from ..clock import Clock
from ..errors import InterlockError
from ..observe.listing import filter_of
from ..operations.speech import shown, shown_item
from .remote import Remote, timed
from .session import Session, assignment

Said = dict[str, Any]
Tell = Callable[[Said], None]
LOOK_EVERY = 0.3
INSTANTS = ("created_at", "started_at", "finished_at")


class Here:
    """The app's own operations."""

    def __init__(self, app: App, actor: str) -> None:
        self.operations, self.actor = app.operations, actor

    def asked(self, said: Said) -> Said:
        """What was asked, as the app takes it."""
        wanted = said["filter"]
        if wanted is not None:
            pairs = [assignment(one, "axis=state") for one in wanted["where"]]
            wanted = filter_of(pairs, **{name: value for name, value in wanted.items() if name != "where"})
        return {
            "act": said["act"],
            "axis": said["axis"],
            "to": said["to"],
            "scope": said["scope"],
            "ids": said["ids"],
            "where": wanted,
            "role": said["role"],
            "reason": said["reason"],
            "actor": self.actor,
        }

    def preview(self, said: Said) -> Said:
        return self.operations.preview(said["kind"], **self.asked(said)).as_dict()

    def create(self, said: Said, key: str | None) -> Said:
        return shown(self.operations.create(said["kind"], **self.asked(said), ramp=said["ramp"], key=key))

    def go(self, id: str, *, resuming: bool, tell: Tell) -> Said:
        """Run it in this process, to its end or to its pause."""
        act = self.operations.resume if resuming else self.operations.run
        return shown(act(id, tell=lambda operation: tell(shown(operation))))

    def get(self, id: str) -> Said:
        return shown(self.operations.get(id))

    def newest(self, limit: int) -> list[Said]:
        return [shown(one) for one in self.operations.newest(limit=limit)]

    def items(self, id: str, outcome: str | None, after: int, limit: int) -> list[Said]:
        return [
            shown_item(one) for one in self.operations.items(id, outcome=outcome, after=after, limit=limit)
        ]

    def pause(self, id: str) -> Said:
        return shown(self.operations.pause(id))

    def interrupted(self, id: str) -> str:
        """Whoever ends it here wants it to rest; a service would go on with what is left running. What to tell them."""
        with suppress(InterlockError):  # it has just ended by itself, or the database is away
            self.operations.pause(id)
        return f"`interlock bulk resume {id}` goes on"

    def preview_undo(self, id: str, role: str | None, reason: str) -> Said:
        return self.operations.preview_undo(id, actor=self.actor, role=role, reason=reason).as_dict()

    def undo(self, id: str, role: str | None, reason: str) -> Said:
        return shown(self.operations.undo(id, actor=self.actor, role=role, reason=reason))


class There:
    """The operations of a service: it runs them, and is looked at until it has."""

    def __init__(self, remote: Remote, clock: Clock) -> None:
        self.remote, self.clock = remote, clock

    def preview(self, said: Said) -> Said:
        found: Said = self.remote.ask("/operations", body={**said, "ramp": None, "preview": True})["preview"]
        return found

    def create(self, said: Said, key: str | None) -> Said:
        return moments(self.remote.ask("/operations", body=said, key=key)["operation"])

    def go(self, id: str, *, resuming: bool, tell: Tell) -> Said:
        """Have it run; a service that dies meanwhile leaves it stalled, and it can be run again."""
        found = moments(self.remote.ask(f"{address(id)}/{'resume' if resuming else 'run'}", body={}))
        while found["status"] == "running" and not found["stalled"]:
            tell(found)
            self.clock.sleep(LOOK_EVERY)
            found = self.get(id)
        tell(found)
        return found

    def get(self, id: str) -> Said:
        return moments(self.remote.ask(address(id)))

    def newest(self, limit: int) -> list[Said]:
        return [moments(one) for one in self.remote.ask("/operations", [("limit", limit)])["operations"]]

    def items(self, id: str, outcome: str | None, after: int, limit: int) -> list[Said]:
        found: list[Said] = self.remote.ask(
            f"{address(id)}/items", [("outcome", outcome), ("after", after), ("limit", limit)]
        )["items"]
        return found

    def pause(self, id: str) -> Said:
        return moments(self.remote.ask(f"{address(id)}/pause", body={}))

    def interrupted(self, id: str) -> str:
        return f"the service goes on with it; `interlock bulk pause {id}` pauses it"

    def preview_undo(self, id: str, role: str | None, reason: str) -> Said:
        found: Said = self.remote.ask(
            f"{address(id)}/undo", body={"role": role, "reason": reason, "preview": True}
        )["preview"]
        return found

    def undo(self, id: str, role: str | None, reason: str) -> Said:
        return moments(
            self.remote.ask(f"{address(id)}/undo", body={"role": role, "reason": reason})["operation"]
        )


def address(id: str) -> str:
    return f"/operations/{quote(id, safe='')}"


def moments(said: Said) -> Said:
    for name in INSTANTS:
        said = timed(said, name)
    return said


def operating(running: Session, actor: str | None) -> Here | There:
    remote = running.remote
    return Here(running.app, running.actor(actor)) if remote is None else There(remote, running.clock)
