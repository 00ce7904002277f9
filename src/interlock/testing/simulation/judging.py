"""Judges what was committed, line by line: attempts are issued, claimed, reported and applied once, and only as the protocol allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...machine import TIMER, State
from ...store.guarded import CLOSING
from ...workflow import Stage, Workflow
from .database.watching import PAUSED, LogLine

Place = tuple[str, str, str, str]
"""(kind, record id, axis, scope)"""
FAILED = (".failed", "lease.expired", "deadline.passed")


@dataclass
class Attempt:
    """One attempt, known by its token, from its issue to its end."""

    token: str
    number: int
    stage: str
    claimed: bool = False
    asked: bool = False
    """Whether runners were asked if it was done after all: whoever answers needs no claim."""
    claims: int = 0
    reported: str | None = None
    applied: bool = False
    version: int | None = None
    """The record's version when the attempt was committed: what its gates are asked about."""


@dataclass
class Track:
    """One status of one record as the log tells it."""

    state: State = None
    version: int = -1
    number: int = 0
    live: Attempt | None = None
    ended: dict[str, Attempt] = field(default_factory=dict)
    tries: int = 0
    counted: int = 0
    entered_by: str | None = None
    gone: bool = False
    failed_from: State = None
    cancelled: bool = False


class Judge:
    """Goes over the log once; what is wrong is in `findings`."""

    def __init__(self, workflows: Mapping[str, Workflow]) -> None:
        self.workflows = workflows
        self.stages = {
            f"{workflow.name}.{stage.name}": stage
            for workflow in workflows.values()
            for stage in workflow.stages.values()
        }
        self.tracks: dict[Place, Track] = {}
        self.attempts: dict[str, tuple[Place, Attempt]] = {}
        self.touched: dict[Place, Track] = {}
        self.findings: list[str] = []

    def hear(self, lines: Iterable[LogLine]) -> Judge:
        acts = {
            "issued": self._issued,
            "claimed": self._claimed,
            "returned": self._returned,
            "asked": self._asked,
            "reported": self._reported,
            "ended": self._ended,
            "moved": self._moved,
            "tried": self._tried,
        }
        for line in visible(lines):
            if line.what == "commit":
                self._commit()
                continue
            place = (line.kind, line.id, line.axis, line.scope)
            track = self.tracks.setdefault(place, Track())
            self.touched[place] = track
            acts[line.what](place, track, line)
        return self

    def find(self, invariant: str, line: LogLine | Place, problem: str) -> None:
        self.findings.append(
            f"{invariant} {line if isinstance(line, LogLine) else ' '.join(line)}: {problem}"
        )

    def _issued(self, place: Place, track: Track, line: LogLine) -> None:
        if track.live is not None:
            self.find("I4", line, "a second attempt while another is open")
        if line.attempt <= track.number:
            self.find("I4", line, f"attempts only grow; the last one was {track.number}")
        if line.token in self.attempts:
            self.find("I4", line, "its token was used before")
        track.number = line.attempt
        track.live = Attempt(line.token or "", line.attempt, line.said)
        self.attempts[track.live.token] = (place, track.live)

    def _claimed(self, place: Place, track: Track, line: LogLine) -> None:
        if self._is_live(track, line):
            assert track.live is not None
            if track.live.claimed:
                self.find("I4", line, "claimed by two runners")
            if line.old == PAUSED:
                self.find("pause", line, "claimed while its stage or scope was paused")
            track.live.claimed = True
            track.live.claims += 1
            self._limited(track.live, line)

    def _limited(self, attempt: Attempt, line: LogLine) -> None:
        """No more of a stage run at once than it allows."""
        limit = self.stages[attempt.stage].limit
        if limit is not None:
            running = sum(
                one.live is not None
                and one.live.stage == attempt.stage
                and one.live.claimed
                and one.live.reported is None
                for one in self.tracks.values()
            )
            if running > limit:
                self.find("limit", line, f"{running} run at once, {limit} are allowed")

    def _returned(self, place: Place, track: Track, line: LogLine) -> None:
        if self._is_live(track, line):
            assert track.live is not None
            track.live.claimed = False

    def _asked(self, place: Place, track: Track, line: LogLine) -> None:
        """A runner is asked whether overdue work was done after all; its answer is a report without a claim."""
        if self._is_live(track, line):
            assert track.live is not None
            track.live.asked = True

    def _is_live(self, track: Track, line: LogLine) -> bool:
        if track.live is None or track.live.token != line.token:
            self.find("I4", line, "it is not the current attempt")
            return False
        return True

    def _reported(self, place: Place, track: Track, line: LogLine) -> None:
        if self._is_live(track, line):
            assert track.live is not None
            if track.live.reported is not None:
                self.find("I3", line, "reported twice")
            if not track.live.claimed and not track.live.asked:
                self.find(
                    "I4", line, "reported by somebody who had not claimed it and was not asked about it"
                )
            track.live.reported = line.said

    def _ended(self, place: Place, track: Track, line: LogLine) -> None:
        if self._is_live(track, line):
            assert track.live is not None
            if track.live.reported is not None and not track.live.applied and not track.gone:
                self.find("I7", line, "it was reported, and ended without being applied")
            track.ended[track.live.token] = track.live
            track.live = None

    def _moved(self, place: Place, track: Track, line: LogLine) -> None:
        if line.attempt != track.version + 1 and line.attempt != 0:
            self.find("I1", line, f"the version before was {track.version}")
        if line.origin in CLOSING:
            track.gone, track.version, track.tries, track.counted = True, line.attempt, 0, 0
            return
        self._applied(track, line)
        waited_in = any(stage.declared_waiting == line.new for stage in self._stages_of(place))
        for stage in self._stages_of(place):
            self._count(track, line, stage, waited_in)
            self._resumed(track, line, stage)
        self._left(place, track, line)
        if line.old != line.new:
            track.entered_by = line.actor
        self._required(place, line)
        track.state, track.version, track.gone = line.new, line.attempt, False

    def _applied(self, track: Track, line: LogLine) -> None:
        """The entry that a report led to names the attempt that is current, has reported, and was not applied before."""
        by_report = (line.cause or "").endswith(
            (".completed", ".failed", ".again", ".refused")
        ) and line.actor == "coordinator"
        if line.token is None:
            if by_report:
                self.find("I3", line, "it says that work ended, and names no attempt")
            return
        live = track.live
        if live is None or live.token != line.token:
            self.find("I4", line, "it names an attempt that is not the current one")
        elif live.reported is None:
            self.find("I4", line, "it names an attempt that has not reported")
        elif live.applied:
            self.find("I3", line, "its attempt was applied before")
        else:
            live.applied = True
            cause, succeeded = line.cause or "", live.reported in ("done", "empty")
            if cause.endswith(".completed") != succeeded and not cause.endswith(
                (".refused", ".again" if succeeded else ".refused")
            ):
                self.find("I3", line, f"its attempt reported {live.reported}")
            gated = self.stages[live.stage].guards() and cause.endswith(".completed")
            if gated and live.version is not None and line.attempt != live.version + 1:
                self.find("gate", line, f"its gates saw version {live.version}")

    def _count(self, track: Track, line: LogLine, stage: Stage, waited_in: bool) -> None:
        """Tries: attempts that a runner had claimed, the successful one included, since the stage's declared waiting state was entered. A
        success that leads to where another stage waits begins that one's count."""
        start = stage.waiting if stage.running is None else (stage.running,)
        done = line.cause == f"{stage.name}.completed" and not waited_in
        if (
            line.old in start
            and ((line.cause or "").endswith(FAILED) or done)
            and line.actor == "coordinator"
        ):
            begun = track.live is None or bool(track.live.claims)
            if (
                line.cause == "deadline.passed"
            ):  # it also ends a further try that waits for a runner for too long
                begun = begun or any(one.claims for one in track.ended.values())
            if not begun:
                self.find("tries", line, "nobody had claimed it")
            track.tries += 1
        elif line.cause == "command.retry" or (
            line.new == stage.declared_waiting and line.old != line.new and line.cause != "retry.due"
        ):
            track.tries = 0

    def _resumed(self, track: Track, line: LogLine, stage: Stage) -> None:
        """Out of a failed state that several stages share, only the stage goes on that failed; what was cancelled stays where it is."""
        begins = line.old != line.new and stage.running == line.new and line.actor == "coordinator"
        if (
            begins
            and line.old == stage.failed != stage.declared_waiting
            and track.failed_from != stage.declared_waiting
        ):
            self.find("I5", line, f"it had failed on its way from {track.failed_from}")
        if begins and track.cancelled:
            self.find("I5", line, "it was cancelled, and nobody asked for it since")

    def _left(self, place: Place, track: Track, line: LogLine) -> None:
        """Where an operator's retry would lead: every exit from running that is not done says so."""
        by_itself = line.actor == "coordinator" and line.cause != TIMER  # a timer is declared to lead on
        track.cancelled = line.cause == "command.cancel" or (track.cancelled and by_itself)
        if line.old == line.new:
            return
        stages = list(self._stages_of(place))
        left = [stage for stage in stages if stage.running is not None and stage.running == line.old]
        if left and line.new != left[0].done:
            track.failed_from = left[0].declared_waiting
        elif not any(stage.running == line.new for stage in stages):
            track.failed_from = None

    def _tried(self, place: Place, track: Track, line: LogLine) -> None:
        track.counted = line.attempt

    def _required(self, place: Place, line: LogLine) -> None:
        """What the state requires of the record's other axes held when it was entered."""
        workflow = self.workflows[line.kind]
        for rule in workflow.rules:
            if (
                rule.target is None
                and rule.axis == line.axis
                and line.attempt
                and rule.fires(line.old, line.new)
            ):
                for name, states in (rule.required or {}).items():
                    other = workflow.axes[name]
                    if other.scoped == workflow.axes[line.axis].scoped or not other.scoped:
                        track = self.tracks.get(
                            (line.kind, line.id, name, line.scope if other.scoped else "")
                        )
                        if track is not None and track.state not in states:
                            self.find("rule", line, f"{rule} did not hold: {name} was {track.state}")

    def _stages_of(self, place: Place) -> Iterator[Stage]:
        for stage in self.workflows[place[0]].stages.values():
            if stage.axis == place[2]:
                yield stage

    def _commit(self) -> None:
        """After each transaction: an open attempt is of a record that runs, and a record that runs has one."""
        for place, track in self.touched.items():
            if track.counted != track.tries and not track.gone:
                self.find("tries", place, f"{track.counted} are counted, {track.tries} were made")
            stages = {f"{place[0]}.{stage.name}": stage for stage in self._stages_of(place)}
            if track.live is not None:
                stage = stages[track.live.stage]
                track.live.version = track.version if track.live.version is None else track.live.version
                starts: tuple[Any, ...] = stage.waiting if stage.running is None else (stage.running,)
                if track.gone or track.state not in starts:
                    where = "gone" if track.gone else track.state
                    self.find("I4", place, f"attempt {track.live.number} is open, and the record is {where}")
            elif (
                track.entered_by == "coordinator"
                and not track.gone
                and any(
                    stage.running is not None and stage.running == track.state for stage in stages.values()
                )
            ):
                self.find("I5", place, f"a coordinator left it in {track.state} without an attempt")
        self.touched.clear()


def visible(lines: Iterable[LogLine]) -> Iterator[LogLine]:
    """Without attempts that were taken back in the transaction that issued them: nobody ever saw those."""
    together: list[LogLine] = []
    for line in lines:
        together.append(line)
        if line.what == "commit":
            yield from _kept(together)
            together.clear()
    yield from _kept(together)


def _kept(together: Sequence[LogLine]) -> Iterator[LogLine]:
    issued, ended = ({line.token for line in together if line.what == what} for what in ("issued", "ended"))
    gone = issued & ended
    return (line for line in together if line.token not in gone or line.what not in ("issued", "ended"))
