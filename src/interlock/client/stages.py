"""Stages and schedules as a client sees them, here and behind a service: whether work is begun, and its pauses."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from ..observe.declared import stages
from ..observe.declared.schedules import ScheduledRun, ScheduleState, known_schedule
from ..workflow.durations import span
from .api_words import schedule_path, stage_path, timed, value_of
from .values import StageState

if TYPE_CHECKING:  # requests need httpx, which an app without a service has not
    from .connection import Connection
    from .local import LocalClient


class Stages(Protocol):
    """Stages, and whether their work is dispatched."""

    def list(self) -> list[StageState]:
        """Every stage in every scope."""
        ...

    def pause(
        self, kind: str, stage: str, *, reason: str, length: str | None = None, scope: str | None = None
    ) -> datetime | None:
        """Dispatch no more of it, for a span or until it is resumed; the instant until which it holds."""
        ...

    def resume(self, kind: str, stage: str, *, scope: str | None = None) -> int:
        """Dispatch it again; how many pauses ended."""
        ...


class LocalStages:
    """The app's own stages."""

    def __init__(self, client: LocalClient) -> None:
        self.client, self.app = client, client.app

    def list(self) -> list[StageState]:
        rows = stages.list_stages(self.client.workflows(), self.app.paused())
        return [StageState(**{**row, "waiting": tuple(row["waiting"])}) for row in rows]

    def pause(
        self, kind: str, stage: str, *, reason: str, length: str | None = None, scope: str | None = None
    ) -> datetime | None:
        until = None if length is None else self.app.clock.now() + span(length)
        self.app.pause(kind, stage, actor=self.client.actor, reason=reason, scope=scope, until=until)
        return until

    def resume(self, kind: str, stage: str, *, scope: str | None = None) -> int:
        return self.app.resume(kind, stage, scope=scope)


class RemoteStages:
    """The stages of a service."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def list(self) -> list[StageState]:
        rows = self.connection.ask("GET", "/stages")["stages"]
        return [value_of(StageState, {**one, "waiting": tuple(one["waiting"])}, "until") for one in rows]

    def pause(
        self, kind: str, stage: str, *, reason: str, length: str | None = None, scope: str | None = None
    ) -> datetime | None:
        body = {"reason": reason, "length": length, "scope": scope}
        answer = self.connection.ask("POST", f"{stage_path(kind, stage)}/pause", body=body)
        until: datetime | None = timed(answer, "until")["until"]
        return until

    def resume(self, kind: str, stage: str, *, scope: str | None = None) -> int:
        answer = self.connection.ask("POST", f"{stage_path(kind, stage)}/resume", body={"scope": scope})
        return int(answer["ended"])


class Schedules(Protocol):
    """Functions that run by the clock."""

    def runs(self, kind: str, schedule: str, *, limit: int = 20) -> list[ScheduledRun]:
        """The newest runs of one, newest first."""
        ...

    def pause(self, kind: str, schedule: str, *, reason: str, length: str | None = None) -> datetime | None:
        """Run no more ticks of it, for a span or until it is resumed; the instant until which it holds."""
        ...

    def resume(self, kind: str, schedule: str) -> int:
        """Run it again; how many pauses ended."""
        ...

    def list(self) -> list[ScheduleState]:
        """Every schedule: its last run, its next tick, and whether it is paused."""
        ...


class LocalSchedules:
    """The app's own schedules."""

    def __init__(self, client: LocalClient) -> None:
        self.client, self.app = client, client.app

    def runs(self, kind: str, schedule: str, *, limit: int = 20) -> list[ScheduledRun]:
        return self.app.schedule_runs(kind, schedule, limit)

    def pause(self, kind: str, schedule: str, *, reason: str, length: str | None = None) -> datetime | None:
        known_schedule(self.app.workflow(kind), schedule)
        until = None if length is None else self.app.clock.now() + span(length)
        self.app.pause(kind, schedule, actor=self.client.actor, reason=reason, until=until)
        return until

    def resume(self, kind: str, schedule: str) -> int:
        known_schedule(self.app.workflow(kind), schedule)
        return self.app.resume(kind, schedule)

    def list(self) -> list[ScheduleState]:
        self.client.workflows()
        return self.app.schedules()


class RemoteSchedules:
    """The schedules of a service."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def runs(self, kind: str, schedule: str, *, limit: int = 20) -> list[ScheduledRun]:
        rows = self.connection.ask("GET", f"{schedule_path(kind, schedule)}/runs", query=[("limit", limit)])[
            "runs"
        ]
        return [value_of(ScheduledRun, one, "tick", "started_at", "finished_at") for one in rows]

    def pause(self, kind: str, schedule: str, *, reason: str, length: str | None = None) -> datetime | None:
        body = {"reason": reason, "length": length}
        answer = self.connection.ask("POST", f"{schedule_path(kind, schedule)}/pause", body=body)
        until: datetime | None = timed(answer, "until")["until"]
        return until

    def resume(self, kind: str, schedule: str) -> int:
        return int(self.connection.ask("POST", f"{schedule_path(kind, schedule)}/resume", body={})["ended"])

    def list(self) -> list[ScheduleState]:
        rows = self.connection.ask("GET", "/schedules")["schedules"]
        return [value_of(ScheduleState, one, "last_tick", "last_run", "next_tick", "until") for one in rows]
