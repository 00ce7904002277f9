"""Waiting → running: as much as registered runners can take, in each stage's order, within its limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ..authority.stage_move import StageMove
from ..errors import InterlockError
from ..store.contract import RowState
from ..store.queue import pauses as stages
from ..store.queue.situation import Hand, situation
from ..store.queue.waiting import Candidate
from ..store.records import verdicts
from ..store.work.attempts import Issue, tokens
from ..workflow import Answer, Stage
from .limits import Key, Politeness, Turns
from .move_log import log, log_moved
from .stage_queues import StageQueue

if TYPE_CHECKING:
    from .coordinator import Coordinator

Taken = tuple[set[int], set[tuple[str, int]]]


class Dispatcher:
    """One round over all stages; coordinators that dispatch at the same time take other rows."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator
        self.turns = Turns()
        self.politeness = Politeness(coordinator)

    def step(self, stage_queues: Iterable[StageQueue]) -> int:
        """Dispatch once, later stages first, so that begun records finish. Where there is little room, each queue gets its share, and
        the queue that was served longest ago comes first."""
        served = list(stage_queues)[::-1]
        with self.on.database.write(ours_alone=not self.on.hooked) as tx:
            found, held = situation(self.on.work, tx), self.on.held(tx)
            room = capacities(found.hands, found.under_way, [stage_queue.name for stage_queue in served])
            queues = {
                (stage_queue.name, scope): stage_queue
                for stage_queue in served
                for scope in stage_queue.scopes
                if room[stage_queue.name] > 0
                and (stage_queue.workflow.name, stage_queue.axis.name) not in held
                and not found.paused
                & {(stage_queue.workflow.name, stage_queue.stage.name, one) for one in ("", scope)}
            }
            count = self._share(tx, queues, room)
            if count:
                self.on.transport.within(tx, "work")
        if count:
            self.on.transport.after("work")
        return count

    def _share(self, tx: Connection, queues: Mapping[Key, StageQueue], room: Room) -> int:
        """Each queue in its turn takes its share; what is left over goes to those whose share was too small for them."""
        count, batch = 0, self.on.database.batch
        turns = self.turns.ordered(queues)
        small: list[Key] = []
        for place, key in enumerate(turns):
            free = room[key[0]]
            if free <= 0:
                self.turns.passed_over(key)
                continue
            together = room.shared.get(key[0], {key[0]})
            share = min(
                batch,
                self.turns.share(key, free, [other for other in turns[place + 1 :] if other[0] in together]),
            )
            sent = self._queue_alone(tx, queues[key], key[1], share, room)
            self.turns.served(key, sent, share)
            small += [key] if sent == share < min(batch, free) else []
            count += sent
        for key in small:
            if room[key[0]] > 0:
                count += self._queue_alone(tx, queues[key], key[1], min(batch, room[key[0]]), room)
        return count

    def _queue_alone(self, tx: Connection, stage_queue: StageQueue, scope: str, most: int, room: Room) -> int:
        """Dispatch of one queue: a condition or an order that cannot be asked of some row stops its own stage alone."""
        return self.on.isolated(
            tx,
            f"the dispatch of {stage_queue.name}",
            lambda: self._queue(tx, stage_queue, scope, most, room),
            0,
        )

    def _queue(self, tx: Connection, stage_queue: StageQueue, scope: str, most: int, room: Room) -> int:
        """Dispatch at most so many of one queue, as its stage's rate allows."""
        now, rate = self.on.clock.now(), stage_queue.stage.rate
        if rate is not None:
            most = min(
                most,
                stages.ration(self.on.work, tx, stage_queue.workflow.name, stage_queue.stage.name, rate, now),
            )
        sent = self._scope(tx, stage_queue, scope, most, now) if most > 0 else 0
        if sent and rate is not None:
            stages.spend(self.on.work, tx, stage_queue.workflow.name, stage_queue.stage.name, rate, sent, now)
        room.take(stage_queue.name, sent)
        return sent

    def _in_batches(
        self, tx: Connection, stage_queue: StageQueue, scope: str, free: int, now: datetime
    ) -> int | None:
        """Begin whole batches that need no judging; None where each record has to be looked at."""
        results = self.on.stage_moves.begin(
            tx, stage_queue.name, stage_queue.workflow, stage_queue.stage, stage_queue.queue, scope, free, now
        )
        for step, result in results or ():
            log_moved(
                stage_queue.workflow,
                [row.key for row in result.rows],
                scope,
                step.template.old,
                step.template.new,
                result.cause or "",
                {},
            )
        return None if results is None else sum(result.moved for _, result in results)

    def _scope(self, tx: Connection, stage_queue: StageQueue, scope: str, free: int, now: datetime) -> int:
        if (
            self.on.moves_batches
            and (sent := self._in_batches(tx, stage_queue, scope, free, now)) is not None
        ):
            self._rest(tx, stage_queue, scope, sent, free)
            return sent
        taken = self._slots_in_use(tx, stage_queue)
        excluded = full(stage_queue.stage, taken[1])
        if stage_queue.stage.rate_per is not None:
            turn = self.politeness.take(tx, stage_queue, scope, free, excluded)
            if turn.whole:
                self._rest(tx, stage_queue, scope, len(turn.due), free)
            moved = self._issue(tx, stage_queue, scope, turn.due, taken, free, now)
            self.politeness.settle(tx, stage_queue, turn, moved)
            return len(moved)
        most = free if stage_queue.stage.per_key is None else max(free, self.on.database.batch)
        due = stage_queue.queue.due(tx, scope, most, excluded)
        self._rest(tx, stage_queue, scope, len(due), free)
        return len(self._issue(tx, stage_queue, scope, due, taken, free, now))

    def _issue(
        self,
        tx: Connection,
        stage_queue: StageQueue,
        scope: str,
        due: list[Candidate],
        taken: Taken,
        free: int,
        now: datetime,
    ) -> set[str]:
        """Give work rows to what is due, as far as there are slots, and begin what got one; the ids of what has begun."""
        issues = self.placed(stage_queue, due, taken)[:free]
        chosen = {str(one.seen.key): one for one in due}
        if not issues:
            return set()
        issued = self.on.work.issue(
            tx, stage_queue.workflow.name, stage_queue.axis.name, scope, stage_queue.name, issues
        )
        moved = self.begin(tx, stage_queue, scope, [chosen[name] for name in issued], now)
        self.on.spans.hand_over(tx, stage_queue.workflow.name, stage_queue.axis.name, scope, moved)
        if lost := [name for name in issued if name not in moved]:
            self.on.work.remove_of(tx, stage_queue.workflow.name, stage_queue.axis.name, scope, lost)
        return moved

    def _rest(self, tx: Connection, stage_queue: StageQueue, scope: str, due: int, free: int) -> None:
        """Where there was room for more, what a condition keeps back is due no longer."""
        if due < free:
            stage_queue.queue.rest(
                tx, scope, stage_queue.queue.due_but_kept(tx, scope, self.on.database.batch), None
            )

    def _slots_in_use(self, tx: Connection, stage_queue: StageQueue) -> Taken:
        limited = stage_queue.stage.limit is not None or stage_queue.stage.per_key is not None
        return self.on.work.slots_in_use(tx, stage_queue.name) if limited else (set(), set())

    def placed(self, stage_queue: StageQueue, due: list[Candidate], taken: Taken) -> list[Issue]:
        """An attempt for each, on the lowest free slots where the stage has limits; what finds none waits on."""
        stage, (slots, keyed) = stage_queue.stage, taken
        marks = tokens(len(due))
        if stage.limit is None and stage.per_key is None:
            return [
                Issue(str(one.seen.key), one.attempt + 1, mark, version=next_version(one.seen))
                for one, mark in zip(due, marks, strict=True)
            ]
        found = []
        for one, mark in zip(due, marks, strict=True):
            slot = (
                None if stage.limit is None else next((n for n in range(stage.limit) if n not in slots), -1)
            )
            key = one.limit_key or ""
            key_slot = (
                None
                if stage.per_key is None
                else next((n for n in range(stage.per_key[1]) if (key, n) not in keyed), -1)
            )
            if slot == -1 or key_slot == -1:
                continue
            if slot is not None:
                slots.add(slot)
            if key_slot is not None:
                keyed.add((key, key_slot))
            found.append(
                Issue(
                    str(one.seen.key),
                    one.attempt + 1,
                    mark,
                    slot,
                    None if key_slot is None else key,
                    key_slot,
                    next_version(one.seen),
                )
            )
        return found

    def begin(
        self, tx: Connection, stage_queue: StageQueue, scope: str, chosen: list[Candidate], now: datetime
    ) -> set[str]:
        """Move the records that got a work row to the running state; without one only their version steps, so nobody else takes them."""
        moved: set[str] = set()
        for (old, first), rows in _alike(chosen).items():
            staying = stage_queue.stage.running is None
            to = old if stage_queue.stage.running is None else stage_queue.stage.running
            cause = f"{stage_queue.workflow.noun}.created" if first else "coordinator"
            stage_move = StageMove(
                stage_queue.workflow,
                stage_queue.axis,
                to,
                cause,
                scope,
                "reissue" if staying else "move",
                columns={"ready_at": None} if staying else {},
                counted=("attempt",) if staying else (),
            )
            answers = self.on.move(tx, stage_move, [one.seen for one in rows], None, now)
            done = [key for key, answer in answers.items() if answer.outcome == "moved"]
            moved |= {str(key) for key in done}
            log_moved(stage_queue.workflow, done, scope, old, to, cause, {})
            self._postpone(
                tx,
                stage_queue,
                scope,
                [(one, error) for one in rows if (error := _refusal(answers.get(one.seen.key)))],
                now,
            )
        return moved

    def _postpone(
        self,
        tx: Connection,
        stage_queue: StageQueue,
        scope: str,
        refused: list[tuple[Candidate, InterlockError]],
        now: datetime,
    ) -> None:
        """A hook, a gate or the database refused that these begin. They are tried again, ever more seldom while they are as they were, and
        hold up no others; what refused them is recorded once for each version."""
        pauses: dict[timedelta, list[Any]] = {}
        for one, error in refused:
            what = ("dispatch", stage_queue.name, scope, one.seen.key, one.seen.versions)
            pauses.setdefault(self.on.refused.note(what, error.message), []).append(one.seen.key)
        for pause, keys in pauses.items():
            stage_queue.queue.postpone(tx, scope, keys, now + pause)
        for one, error in refused:
            id, reference = str(one.seen.key), f"{stage_queue.stage.name} of version {one.seen.versions[0]}"
            if not verdicts.has_verdict(tx, stage_queue.workflow.name, id, reference):
                log.warning(
                    "%s %s cannot begin %s: %s",
                    stage_queue.workflow.noun,
                    id,
                    stage_queue.stage.name,
                    error.message,
                )
                verdicts.record(
                    tx,
                    [
                        verdicts.Refusal(
                            stage_queue.workflow.name,
                            id,
                            stage_queue.axis.name,
                            scope,
                            "command",
                            reference,
                            "refused",
                            error.code,
                            error.message[:4000],
                            None if stage_queue.stage.running is None else str(stage_queue.stage.running),
                            "coordinator",
                            now,
                        )
                    ],
                )


def next_version(seen: RowState) -> int | None:
    """The version of this row once it has made its next move; None where it has none yet."""
    return None if seen.versions[0] is None else seen.versions[0] + 1


def _refusal(answer: Answer | None) -> InterlockError | None:
    return answer.error if answer is not None and answer.outcome == "refused" else None


def full(stage: Stage, keyed: set[tuple[str, int]]) -> list[str]:
    """The keys that have no slot left: however many of theirs wait, they shall not stand before the others."""
    if stage.per_key is None:
        return []
    used = Counter(key for key, _ in keyed)
    return [key for key, count in used.items() if count >= stage.per_key[1]]


def _alike(chosen: list[Candidate]) -> dict[Any, list[Candidate]]:
    found: dict[Any, list[Candidate]] = {}
    for one in sorted(chosen, key=lambda candidate: candidate.seen.key):
        found.setdefault((one.seen.states[0], one.seen.versions[0] == 0), []).append(one)
    return found


class Room(dict[str, int]):
    """How many attempts each stage may be given now; stages that the same runners serve share it."""

    shared: Mapping[str, set[str]] = {}

    def take(self, stage: str, count: int) -> None:
        for other in self.shared.get(stage, {stage}):
            self[other] = self.get(other, 0) - count


def capacities(alive: list[Hand], open_by_stage: Mapping[str, int], names: Iterable[str]) -> Room:
    """What the runners of a stage can take together, less what they have of all stages they serve."""
    room = Room()
    shared: dict[str, set[str]] = {}
    for name in names:
        serving = [runner for runner in alive if name in runner.stages]
        together = {stage for runner in serving for stage in runner.stages}
        used = sum(open_by_stage.get(stage, 0) for stage in together)
        room[name] = sum(runner.capacity for runner in serving) - used
        shared[name] = together
    room.shared = shared
    return room
