"""The system: runners and stages, invariants, access, and the page that a phone opens for all the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...client.values import StageState
from ...workflow.extension import PageContext
from ..frame import is_at_work
from ..needs import records_href
from ..page import Rendered
from ..words import command, number, path, plural

LENGTHS = {"": "until it is resumed", "15m": "for 15 minutes", "1h": "for 1 hour", "1d": "for 1 day"}
"""For how long the console pauses a stage."""
SCOPES = {
    "viewer": "sees everything, changes nothing",
    "curator": "also moves records that people decide on",
    "operator": "also retries, cancels, pauses, runs bulk operations",
    "admin": "also erases, exports and makes keys",
    "runner": "only runs work; sees no record",
}


def render_runners(context: PageContext) -> Rendered:
    """Who works, on what, and which stages are paused or served by nobody."""
    registered = context.client.runners()
    runners = [one for one in registered if is_at_work(one, context.now)]
    served = {stage for one in runners for stage in one.stages}
    counts = {(one.kind, one.axis, one.scope, one.state): one.records for one in context.client.counts()}
    stages = [stage_of(context, one, served, counts) for one in context.client.stages.list()]
    idle = [one for one in stages if not one["served"] and not one["paused"]]
    return "runners.html", {
        "page": "runners",
        "runners": runners,
        "ending": [one for one in registered if one not in runners],
        "stages": stages,
        "lengths": LENGTHS,
        "schedules": context.client.schedules.list(),
        "sentence": runners_sentence(runners, idle, [one for one in stages if one["paused"]]),
        "may_pause": context.may("POST", "/api/v1/{kind}/stages/{name}/pause"),
        "command": command("interlock", "stage", "list"),
    }


def stage_of(
    context: PageContext,
    one: StageState,
    served: set[str],
    counts: Mapping[tuple[str, str, str | None, str | None], int],
) -> dict[str, Any]:
    """One stage: how many records wait for it and are in it, whether somebody serves it, and the act that pauses or resumes it."""
    axis = context.workflows[one.kind].stages[one.stage].axis
    name = f"{one.kind}.{one.stage}"
    verb = "resume" if one.paused else "pause"
    scoped = ("--scope", one.scope) if one.scope else ()
    return {
        "kind": one.kind,
        "stage": one.stage,
        "scope": one.scope,
        "waiting": one.waiting,
        "running": one.running,
        "wait": sum(counts.get((one.kind, axis, one.scope, state), 0) for state in one.waiting),
        "wait_href": records_href(one.kind, axis, one.scope, one.waiting[0]) if len(one.waiting) == 1 else "",
        "run": counts.get((one.kind, axis, one.scope, one.running), 0) if one.running else None,
        "run_href": records_href(one.kind, axis, one.scope, one.running) if one.running else "",
        "paused": one.paused,
        "until": one.until,
        "reason": one.reason,
        "actor": one.actor,
        "served": name in served,
        "verb": verb,
        "url": f"/api/v1{path(one.kind, 'stages', one.stage, verb)}",
        "body": {"scope": one.scope} if one.scope else {},
        "command": command("interlock", "stage", verb, name, *scoped),
    }


def runners_sentence(runners: list[Any], idle: list[Any], paused: list[Any]) -> str:
    """What the page answers first."""
    if not runners:
        return "No runner is alive, so no work is done. Records wait; nothing is lost."
    room = sum(one.capacity for one in runners)
    words = f"{plural(len(runners), 'runner')} with room for {plural(room, 'attempt')} at once."
    if idle:
        words += f" {plural(len(idle), 'stage has', 'stages have')} no runner."
    if paused:
        words += f" {plural(len(paused), 'stage is', 'stages are')} paused."
    return words


def render_invariants(context: PageContext) -> Rendered:
    """What must always hold, checked when somebody asks for it."""
    needs = context.may("GET", "/api/v1/check")
    asked = context.query.get("check") == "now"
    report = context.client.check() if asked and not needs else None
    return "invariants.html", {
        "page": "invariants",
        "needs": needs,
        "report": report,
        "sentence": invariants_sentence(report, needs),
        "words": {**INVARIANT_WORDS, **declared_words(context)},
        "command": command("interlock", "check"),
    }


def declared_words(context: PageContext) -> dict[str, str]:
    """What the workflows declare of their own rows, in their words; one id may stand for several sentences."""
    words: dict[str, dict[str, None]] = {}
    for workflow in context.workflows.values():
        for one in workflow.extension.invariants:
            words.setdefault(one.id, {})[sentence_of(one.statement)] = None
    return {id: " ".join(sentences) for id, sentences in words.items()}


def sentence_of(words: str) -> str:
    """Words with a full stop behind and a capital letter before them, unless they begin with the name of a column."""
    begins = words if "_" in words.split(" ", maxsplit=1)[0] else words[:1].upper() + words[1:]
    return f"{begins.rstrip('.')}."


INVARIANT_WORDS = {
    "I1": "Every history is legal and has no gap.",
    "I2": "Every row is where the last entry of its history says.",
    "I3": "No attempt was applied twice, and none by anybody but a coordinator.",
    "I4": "Every open attempt is its record's current one.",
    "I5": "Nothing runs that nobody works on, and nothing waits that nothing will take up.",
    "I6": "Every command and every gate was answered.",
    "I7": "Every report was applied.",
    "I8": "What the workflows themselves declare of their rows.",
    "I9": "Each hash follows from its entry and the hash before it; seals fit.",
    "I10": "No lease is over that nobody ends, and none is longer than a day.",
    "counters": "The counters equal a recount of the rows.",
    "replay": "Every row equals what its history computes; only with --replay.",
}


def invariants_sentence(report: Any, needs: str) -> str:
    """What the page answers first."""
    if needs:
        return f"The check walks over all of history, so it is not for everybody. {needs}"
    if report is None:
        return "Nothing was checked on this page yet. A check reads every entry and every row, and changes nothing."
    if report.ok:
        return (
            f"Everything holds: {plural(report.entries, 'entry', 'entries')} in {plural(report.chains, 'chain')}, "
            f"{plural(len(report.invariants), 'invariant')} checked."
        )
    return f"{plural(len(report.findings), 'finding')} in {number(report.entries)} entries. Each says where it is."


def render_access(context: PageContext) -> Rendered:
    """Who may do what, and the keys that were made."""
    needs = context.may("GET", "/api/v1/keys")
    keys = [] if needs else context.client.keys.list()
    held = [one for one in keys if one.state == "valid"]
    count = f"{plural(len(held), 'key is', 'keys are')} valid" if held else "No key is valid"
    sentence = needs or f"{count}. The user who runs the service needs none on this machine."
    return "access.html", {
        "page": "access",
        "needs": needs,
        "keys": keys,
        "scopes": SCOPES,
        "mine": context.scope,
        "sentence": sentence,
        "command_line": command("interlock", "key", "list"),
    }


def render_more(context: PageContext) -> Rendered:
    """Every screen, for a phone."""
    return "more.html", {"page": "more"}
