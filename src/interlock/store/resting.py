"""In which states an attempt may end while its record stays where it is: what the guards of work rows know of stages. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .placement import Placement

_PREFIX = "stages: "


@dataclass(frozen=True)
class Resting:
    """What the stages of one axis declare about records that stay in a running state although their attempt is over."""

    kind: str
    axis: str
    leaves: tuple[str, ...]
    """Running states of stages that have a failed or terminal state: whatever comes of an attempt there, its record leaves."""
    rests: tuple[tuple[str, str], ...]
    """(full name of a stage that has none, its running state): what fails there rests, with its error."""
    error: str | None
    """The column of the error, as SQL; None where the axis has none."""

    def text(self) -> str:
        """What a migration remembers of it."""
        return json.dumps([self.leaves, self.rests, self.error])

    def key(self) -> str:
        """The key under which it is remembered: each version of the stages has its own."""
        return resting_key(self.kind, self.axis, hashlib.sha256(self.text().encode()).hexdigest()[:16])


def resting_of(place: Placement) -> Resting | None:
    """What this code's stages declare; None of an axis that no stage works on."""
    workflow, axis = place.workflow, place.axis
    stages = [stage for stage in workflow.stages.values() if stage.axis == axis.name]
    if not stages:
        return None
    leaving = {stage for stage in stages if stage.failed is not None or stage.terminal is not None}
    return Resting(
        place.kind,
        place.name,
        tuple(sorted({stage.running for stage in leaving if stage.running is not None})),
        tuple(
            sorted(
                (f"{workflow.name}.{stage.name}", stage.running)
                for stage in stages
                if stage.running is not None and stage not in leaving
            )
        ),
        place.quote(axis.column_name("error_code")) if axis.has("error_code") else None,
    )


def resting_key(kind: str, axis: str, digest: str) -> str:
    """What a migration remembers of the stages of an axis, as a key."""
    return f"{_PREFIX}{kind}.{axis} {digest}"


def remembered(memory: Mapping[str, str]) -> list[Resting]:
    """What migrations have remembered, of each axis the union of all versions in use: what one of them lets rest may rest. A text that is
    not the one of its key widens nothing."""
    known = []
    for key, value in memory.items():
        if not key.startswith(_PREFIX):
            continue
        kind, _, axis = key.removeprefix(_PREFIX).rpartition(" ")[0].partition(".")
        try:
            leaves, rests, error = json.loads(value)
            one = Resting(kind, axis, tuple(leaves), tuple((stage, state) for stage, state in rests), error)
        except (ValueError, TypeError):
            continue
        known += [one] if one.key() == key else []
    return merge(known)


def merge(known: Iterable[Resting]) -> list[Resting]:
    """One for each axis, in an order of their own: a restart of old code beside new changes no guard."""
    by_axis: dict[tuple[str, str], list[Resting]] = {}
    for one in known:
        by_axis.setdefault((one.kind, one.axis), []).append(one)
    return [
        Resting(
            kind,
            axis,
            tuple(sorted(set.intersection(*(set(one.leaves) for one in versions)))),
            tuple(sorted({pair for one in versions for pair in one.rests})),
            versions[0].error if len({one.error for one in versions}) == 1 else None,
        )
        for (kind, axis), versions in sorted(by_axis.items())
    ]
