"""Service levels as a team declares them: so large a share of records leaves a state within so long, over so many days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from ...errors import BadDeclaration
from ...machine import State
from ...workflow import Axis, Workflow
from ...workflow.durations import span

WORDS = {"kind", "axis", "scope", "leave", "into", "among", "within", "share", "over"}
OVER = "30d"
SUCH = 'Such as [levels.parse] with kind = "orders", leave = "packing", within = "60s", share = 99.'


@dataclass(frozen=True)
class Level:
    """`share` of the records that leave `state` do so within `within`; where `into` names states, only by going to one of them, and where
    `among` does, what goes elsewhere does not count at all. On a scoped axis it holds in each of its `scopes` by itself."""

    name: str
    kind: str
    axis: str
    state: State
    within: timedelta
    share: float
    over: timedelta
    into: frozenset[State] | None = None
    among: frozenset[State] | None = None
    scopes: tuple[str, ...] = ("",)
    """The scopes in which it holds; the empty one on an axis that has none."""

    def counts(self, to: State) -> bool:
        """Whether a record that goes there counts, well or ill."""
        return self.among is None or to in self.among

    def fits(self, to: State) -> bool:
        return self.into is None or to in self.into


def levels_of(workflows: Iterable[Workflow], written: Mapping[str, Mapping[str, Any]]) -> list[Level]:
    """Every level: those that workflows bring, and those that were written down, which win over one of the same name."""
    known = {workflow.name: workflow for workflow in workflows}
    declared: dict[str, Mapping[str, Any]] = {}
    for workflow in known.values():
        for name, words in workflow.extension.levels.items():
            if name in declared:
                raise _refusal(name, f"is declared by {declared[name]['kind']} and by {workflow.name}")
            declared[name] = {**words, "kind": workflow.name}
    return [_level(name, words, known) for name, words in {**declared, **written}.items()]


def _level(name: str, words: Mapping[str, Any], known: Mapping[str, Workflow]) -> Level:
    if unknown := sorted(set(words) - WORDS):
        raise _refusal(name, f"has unknown words: {', '.join(unknown)}; known are {', '.join(sorted(WORDS))}")
    if missing := sorted({"kind", "leave", "within", "share"} - set(words)):
        raise _refusal(name, f"does not say {', '.join(missing)}")
    workflow = known.get(str(words["kind"]))
    if workflow is None:
        raise _refusal(name, f"is about {words['kind']!r}; this app has {', '.join(known)}")
    axis = workflow.axis(words["axis"] if "axis" in words else _only_axis(name, workflow, words["leave"]))
    states = axis.machine.states
    left = _state(name, words["leave"], states)
    into, among = (
        frozenset(_state(name, one, states) for one in _several(words[word])) if word in words else None
        for word in ("into", "among")
    )
    if among is not None and not (into or among) <= among:
        raise _refusal(name, f"counts {', '.join(map(str, into or ()))} as good and not among what counts")
    over = _span(name, words, "over", OVER)
    if over < timedelta(days=1):
        raise _refusal(name, f"is over {over}; burn rates need a day or more")
    return Level(
        name,
        workflow.name,
        axis.name,
        left,
        _span(name, words, "within"),
        _share(name, words["share"]),
        over,
        into,
        among,
        _scopes(name, words, axis),
    )


def _scopes(name: str, words: Mapping[str, Any], axis: Axis) -> tuple[str, ...]:
    """Every scope of the axis, or the one that the level names."""
    if "scope" not in words:
        return axis.scopes or ("",)
    if words["scope"] not in axis.scopes:
        raise _refusal(
            name, f"names the scope {words['scope']!r}; {axis.name} has {', '.join(axis.scopes) or 'none'}"
        )
    return (words["scope"],)


def _only_axis(name: str, workflow: Workflow, leave: Any) -> str:
    fitting = [axis.name for axis in workflow.axes.values() if _as_state(leave) in axis.machine.states]
    if len(fitting) != 1:
        raise _refusal(
            name,
            f"leaves {leave!r}, which {'several axes know' if fitting else 'no axis knows'}: say axis, one of "
            f"{', '.join(workflow.axes)}",
        )
    return fitting[0]


def _as_state(word: Any) -> State:
    return None if word == "null" else word


def _state(name: str, word: Any, states: Sequence[State]) -> State:
    if _as_state(word) not in states:
        raise _refusal(name, f"names the state {word!r}, which its machine does not have")
    return _as_state(word)


def _several(word: Any) -> list[Any]:
    return list(word) if isinstance(word, list | tuple | set | frozenset) else [word]


def _share(name: str, word: Any) -> float:
    """A percentage: 99, 99.5, "99.9%"."""
    text = str(word).strip().removesuffix("%").strip()
    try:
        share = float(text) / 100
    except ValueError:
        share = 0.0
    if isinstance(word, bool) or not 0 < share < 1:
        raise _refusal(name, f"has the share {word!r}; it is a percentage between 0 and 100, such as 99.5")
    return share


def _span(name: str, words: Mapping[str, Any], word: str, default: str = "") -> timedelta:
    try:
        return span(words.get(word, default))
    except BadDeclaration as error:
        raise _refusal(name, f"has {word} = {words[word]!r}, which is not a span of time") from error


def _refusal(name: str, problem: str) -> BadDeclaration:
    return BadDeclaration(f"service level {name!r} {problem}", hint=SUCH, level=name)
