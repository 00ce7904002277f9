"""Pipelines: where do the scopes of a record disagree? Led by the combinations of states, most telling first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...adopt.adoptions import AdoptionState
from ...adopt.phases import KIND as ADOPTIONS
from ...store.adoption.adoptions import PHASES
from ...workflow import Axis, Workflow
from ...workflow.extension import PageContext
from ..marks import FAILED, RETRY, UNKNOWN, Mark, marks_of, stages_of
from ..page import Rendered
from ..words import command, path, plural, query, state_word

MOST = 60


def render(context: PageContext) -> Rendered:
    """The scoped axes of all workflows, each with its patterns and with its scopes beside each other."""
    kinds = [
        (workflow, axis)
        for workflow in context.workflows.values()
        for axis in workflow.axes.values()
        if axis.scopes
    ]
    named = context.query.get("kind")
    shown = [pair for pair in kinds if named in (None, "", pair[0].name)] or kinds
    sections = [section_of(context, workflow, axis) for workflow, axis in shown]
    return "pipelines.html", {
        "page": "pipelines",
        "sections": sections,
        "adoptions": [adoption_of(context, one) for one in context.client.adoptions.list()],
        "apart": sum(one["apart"] for one in sections),
        "failed": sum(one["failed"] for one in sections),
        "total": sum(one["total"] for one in sections),
        "command": command("interlock", "record", "list", shown[0][0].name, "--scope", shown[0][1].scopes[0])
        if shown
        else "interlock machine show",
    }


def adoption_of(context: PageContext, one: AdoptionState) -> dict[str, Any]:
    """How far a table that had rows before has come on its way here, and how far its own flags and our states are apart."""
    return {
        "kind": one.kind,
        "axis": one.axis,
        "phases": [
            {
                "word": phase,
                "class": "passed" if number < one.number else "here" if number == one.number else "",
            }
            for number, phase in enumerate(PHASES, 1)
        ],
        "phase": one.phase,
        "number": one.number,
        "since": one.since,
        "written": one.written,
        "unadopted": one.unadopted,
        "conflicts": one.conflicts,
        "is_paused": one.paused,
        "differences": one.differences,
        "compared_at": one.compared_at,
        "clean_since": one.clean_since,
        "open_strays": one.open_strays,
        "drift": drift_of(one),
        "tone": "stuck" if one.differences or one.open_strays else "done" if one.compared_at else "quiet",
        "href": path("records", ADOPTIONS) + query(text=one.kind),
        "command": command("interlock", "adopt", "compare", one.kind, "--axis", one.axis),
    }


def drift_of(one: AdoptionState) -> str:
    """Whether the table's own flags say what our states say."""
    if one.open_strays:
        return "Somebody wrote past the guards, and no entry follows it yet."
    if one.differences:
        return f"{plural(one.differences, 'row')} whose flags say something else."
    if one.compared_at is not None:
        return "Flags and states agree."
    if not one.written and not one.unadopted:
        return "The table had no rows before."
    return "Not compared yet."


def section_of(context: PageContext, workflow: Workflow, axis: Axis) -> dict[str, Any]:
    """One scoped axis: a sentence in numbers, patterns that disagree before those that agree, and a column for each scope."""
    marks = marks_of(workflow, axis)
    found = context.client.patterns(workflow.name, axis.name, limit=MOST)
    patterns = [pattern_of(workflow, axis, one, marks) for one in found]
    patterns.sort(key=lambda one: (-one["weight"], -one["records"]))
    counts = {
        (one.scope, one.state): one.records
        for one in context.client.counts(workflow.name)
        if one.axis == axis.name
    }
    paused = {
        one.scope: one for one in context.client.stages.list() if one.kind == workflow.name and one.paused
    }
    return {
        "kind": workflow.name,
        "axis": axis.name,
        "noun": workflow.noun,
        "scopes": [
            {
                "name": scope,
                "paused": paused.get(scope),
                "records": sum(n for (at, _), n in counts.items() if at == scope),
            }
            for scope in axis.scopes
        ],
        "patterns": patterns,
        "total": sum(one["records"] for one in patterns),
        "apart": sum(one["records"] for one in patterns if one["apart"]),
        "failed": sum(one["records"] for one in patterns if one["apart"] and one["failed"]),
        "states": [
            {
                "word": state_word(state),
                "mark": marks[state],
                "counts": [
                    {
                        "records": counts.get((scope, state), 0),
                        "href": path("records", workflow.name)
                        + query(**{f"state.{axis.name}": state_word(state), "scope": scope}),
                    }
                    for scope in axis.scopes
                ],
            }
            for state in axis.machine.states
        ],
    }


def pattern_of(workflow: Workflow, axis: Axis, one: Any, marks: Mapping[str | None, Mark]) -> dict[str, Any]:
    """One combination of states: whether the scopes disagree for good, and a sentence that says so."""
    here = [place for place in one.places if place.present]
    ends = {stage.done for stage in stages_of(workflow, axis)}
    has_failed = [place for place in here if marks.get(place.state, UNKNOWN) in (FAILED, RETRY)]
    is_done = [place for place in here if place.state in ends]
    apart = bool(has_failed) and bool(is_done)
    resting = [place for place in has_failed if marks.get(place.state) == FAILED]
    return {
        "records": one.records,
        "apart": apart,
        "failed": bool(resting),
        "weight": 3 if apart and resting else 2 if apart else 1 if has_failed else 0,
        "places": [
            {
                "scope": place.scope,
                "present": place.present,
                "word": state_word(place.state),
                "mark": marks.get(place.state, UNKNOWN),
                "href": path("records", workflow.name)
                + query(**{f"state.{axis.name}": state_word(place.state), "scope": place.scope}),
            }
            for place in one.places
        ],
        "says": sentence(is_done, has_failed, resting, here, one.places),
    }


def sentence(
    done: Sequence[Any],
    failed: Sequence[Any],
    resting: Sequence[Any],
    here: Sequence[Any],
    every: Sequence[Any],
) -> str:
    """What a pattern means for people."""
    if done and resting:
        return "One side is done, the other rests until a person acts."
    if done and failed:
        return "One side is done, the other is tried again by itself."
    if resting:
        return "Rests until a person acts."
    if failed:
        return "Is tried again by itself."
    if len(done) == len(here) and len(here) < len(every):
        return "Done where it is fed; not fed to the others."
    if len(done) == len(here):
        return "Done everywhere."
    return "Under way."
