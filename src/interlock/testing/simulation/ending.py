"""What must hold at the end of a history: nothing is stuck, nothing is lost, every command and report has its answer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...errors import state_text
from ...store.records.mirrors import differences
from ...store.verify.verify import verify_chains, verify_rows
from ...workflow import Axis, Workflow
from .clients import Command
from .database.questions import attempt_sql, row_sql
from .database.watching import LogLine
from .judging import Judge
from .world import World

ERRORS = {"error_code", "error_message"}
APPLIED = ("moved", "admitted", "erased", "deleted")


def findings(world: World) -> list[str]:
    """Return a sentence for everything that is wrong with this history."""
    lines = world.ground.log()
    judge = Judge(world.workflows).hear(lines)
    moves = [line for line in lines if line.what == "moved"]
    return [
        *judge.findings,
        *chains(world),
        *stuck(world),
        *attempts(world, judge),
        *reports(world, judge),
        *commands(world, moves),
        *facts(world, moves),
        *broken_during_rules(world),
        *mirrored(world),
        *children(world, judge, moves),
        *(problem for look in world.also for problem in look(world, judge)),
    ]


def chains(world: World) -> Iterator[str]:
    """I1, I2 and I9, by the verifier itself."""
    with world.ground.reading() as tx:
        for finding in verify_chains(tx).findings:
            yield str(finding)
        for workflow in world.kinds:
            for axis in workflow.axes.values():
                for finding in verify_rows(tx, world.place(workflow, axis)):
                    yield str(finding)


def stuck(world: World) -> Iterator[str]:
    """I5 and I10: nothing runs any more, and whatever waits is kept back by its own condition, or rests with an error."""
    for queue, sql in world.stuck:
        for id, scope, state in world.ground.plainly(sql):
            yield f"I5 {queue.workflow.name} {id} {queue.axis.name} {scope}: it is {state_text(state)}, and nobody works on it"


def attempts(world: World, judge: Judge) -> Iterator[str]:
    """No attempt was issued that the row does not know, and it says from where an operator's retry would go on."""
    for workflow in world.kinds:
        for axis in {stage.axis: workflow.axes[stage.axis] for stage in workflow.stages.values()}.values():
            for id, scope, number, failed_from in world.ground.plainly(
                attempt_sql(world.place(workflow, axis))
            ):
                track = judge.tracks.get((workflow.name, str(id), axis.name, scope))
                if track is not None and track.failed_from not in (None, failed_from):
                    yield f"failed_from {workflow.name} {id} {scope}: {failed_from} on the row, it was on its way from {track.failed_from}"
                if track is not None and number < track.number:
                    yield f"I4 {workflow.name} {id} {scope}: attempt {number} on the row, {track.number} was issued"


def mirrored(world: World) -> Iterator[str]:
    """Mirrored columns of records are what their functions make of the state rows."""
    with world.ground.reading() as tx:
        for workflow in world.kinds:
            for mirror in workflow.mirrors:
                for different in differences(tx, workflow, mirror):
                    for one in different:
                        yield f"mirror {workflow.name} {one.id}: it has {one.has}, and should have {one.should}"


def reports(world: World, judge: Judge) -> Iterator[str]:
    """I7: every report was applied or has a verdict; and nobody's verdict says that an applied one was stale."""
    answers: dict[str, set[str]] = {}
    for reference, verdict in world.ground.plainly(
        "SELECT reference, verdict FROM interlock_verdict WHERE source = 'report'"
    ):
        answers.setdefault(reference, set()).add(verdict)
    for token in sorted(world.reported):
        attempt = judge.attempts[token][1] if token in judge.attempts else None
        place = judge.tracks[judge.attempts[token][0]] if token in judge.attempts else None
        if (
            (attempt is None or not attempt.applied)
            and token not in answers
            and not (place is not None and place.gone)
        ):
            yield f"I7 report of {token[:8]}: neither applied nor answered"
    for token, verdicts in answers.items():
        if "stale" in verdicts and token in judge.attempts and judge.attempts[token][1].applied:
            yield f"I7 report of {token[:8]}: called stale, and it was applied"


def commands(world: World, moves: list[LogLine]) -> Iterator[str]:
    """I6: a command is applied at most once, as often as it was sent; and the same key is answered the same."""
    reasons = dict(world.ground.plainly("SELECT digest, reason FROM interlock_detail").fetchall())
    applied: Counter[Any] = Counter()
    for line in moves:
        reason = reasons.get(line.said)
        if reason is not None and (
            line.origin == "admit" or not line.cause or not line.cause.endswith(".created")
        ):
            applied[reason, line[1:5]] += 1  # of one act, an axis and scope has one entry
    counts: dict[str, int] = {}
    for (reason, _), number in applied.items():
        counts[reason] = max(number, counts.get(reason, 0))
    gone = {(line.kind, line.id) for line in moves if line.origin == "erase"}
    for command in world.commands:
        if command.actor is not None:
            yield from _unexplained(command, moves)
        elif (command.kind, str(command.record)) not in gone:
            yield from _command(command, counts.get(command.mark, 0))
    for actor, key in world.ground.plainly("SELECT actor, key FROM interlock_command WHERE answer IS NULL"):
        yield f"I6 key {key} of {actor}: taken, and never answered"


def _unexplained(command: Command, moves: list[LogLine]) -> Iterator[str]:
    """A move without a reason is known by its place, its version and who made it."""
    place = (command.kind, str(command.record), *command.place)
    if command.moved is not None and not any(
        line[1:5] == place and line.attempt == command.moved and line.actor == command.actor for line in moves
    ):
        yield f"I6 {command.mark} {command.what}: answered moved to version {command.moved}, and not applied"
    if command.seen is not None and command.moved not in (None, command.seen + 1):
        yield f"I6 {command.mark} {command.what}: given for version {command.seen}, and applied to version {command.moved - 1}"


def _command(command: Command, count: int) -> Iterator[str]:
    heading = f"I6 {command.mark} {command.what}:"
    if count > 1:
        yield f"{heading} applied {count} times"
    heard = [one.split()[0] for one in command.heard]
    if heard and heard[0] in APPLIED and not count:
        yield f"{heading} answered {heard[0]}, and not applied"
    if heard and heard[0] not in APPLIED and count and command.times_sent == 1:
        yield f"{heading} answered {heard[0]}, and applied"
    if command.seen is not None and command.moved not in (None, command.seen + 1):
        yield f"{heading} given for version {command.seen}, and applied to version {command.moved - 1}"
    answers = {one for one in command.heard if one != "BadInput"}  # what is not even a command takes no key
    if command.key is not None and len(answers) > 1:
        yield f"{heading} answered {' and '.join(command.heard)} for one key"


def broken_during_rules(world: World) -> Iterator[str]:
    """Rules that always hold (`during`) have moved everything they are about."""
    for workflow in world.kinds:
        rules = [rule for rule in workflow.rules if rule.moment == "during" and rule.target is not None]
        for rule in rules:
            for id, spots in world.look(workflow).items():
                drivers = [
                    scope
                    for (name, scope), (state, _) in spots.items()
                    if name == rule.axis and state in rule.states
                ]
                for (name, scope), (state, _) in spots.items():
                    if (
                        name == rule.target
                        and state in (rule.mapping or {})
                        and (scope in drivers or "" in drivers)
                    ):
                        yield f"rule {workflow.name} {id} {scope}: {rule} has not moved it out of {state_text(state)}"


def facts(world: World, moves: list[LogLine]) -> Iterator[str]:
    """The row's columns are what the entries' facts say, last one wins; a refused report leaves its facts behind."""
    details = dict(world.ground.plainly("SELECT digest, facts FROM interlock_detail").fetchall())
    latest: dict[tuple[str, str, str, str], tuple[Axis, dict[str, Any]]] = {}
    for line in moves:
        values = json.loads(details.get(line.said) or "{}") if line.said is not None else {}
        if (line.cause or "").endswith(".refused") and set(values) - ERRORS:
            yield f"facts {line}: a refused report left {', '.join(sorted(set(values) - ERRORS))} behind"
        axis = world.workflows[line.kind].axes[line.axis]
        key = (line.kind, line.id, axis.table.name, line.scope)  # axes of one row share its columns
        if line.attempt == 0:
            latest.pop(key, None)
        if values:
            latest.setdefault(key, (axis, {}))[1].update(values)
    for (kind, id, _, scope), (axis, values) in latest.items():
        yield from _unlike(world, world.workflows[kind], id, axis, scope, values)


def _unlike(
    world: World, workflow: Workflow, id: str, axis: Axis, scope: str, values: dict[str, Any]
) -> Iterator[str]:
    place = world.place(workflow, axis)
    wanted = {
        name: value
        for name, value in values.items()
        if name in axis.table.c and name not in axis.engine_names()
    }
    if not wanted:
        return
    row = world.ground.plainly(
        world.ground.text(row_sql(place, tuple(wanted))), {"id": id, "scope": scope}
    ).fetchone()
    if row is not None and row != tuple(wanted.values()):
        yield f"facts {workflow.name} {id} {scope}: the row has {row}, its history says {wanted}"


def children(world: World, judge: Judge, moves: list[LogLine]) -> Iterator[str]:
    """Records that an attempt found are admitted once its success was applied, and never before or otherwise."""
    admitted = {(line.kind, line.id): number for number, line in enumerate(moves) if line.attempt == 0}
    applied = {
        line.token: number
        for number, line in enumerate(moves)
        if line.token and (line.cause or "").endswith(".completed")
    }
    refused = {
        token
        for (token,) in world.ground.plainly(
            "SELECT reference FROM interlock_verdict WHERE source = 'report'"
        )
    }
    for token, rows in world.script.children.items():
        for kind, row in rows:
            workflow = world.workflows[kind]
            ids = world.ids(workflow, row) if workflow.unique else None
            if ids is None:
                continue
            heading = f"children {kind} {row} of {token[:8]}:"
            if ids and admitted[kind, str(ids[0])] < applied.get(token, len(moves)):
                yield f"{heading} admitted, and the report that brought it was {'applied later' if token in applied else 'not applied'}"
            gone = any(place[0] == kind and track.gone for place, track in judge.tracks.items())
            if not ids and token in applied and token not in refused and not gone:
                yield f"{heading} the report that brought it was applied, and it was not admitted"
