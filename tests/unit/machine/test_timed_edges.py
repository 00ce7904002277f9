"""Machines with timers: what is declared, drawn, compared and found by lint."""

from __future__ import annotations

from datetime import timedelta

import pytest

from interlock import Machine, after, operator, retry
from interlock.errors import BadDeclaration
from interlock.machine import diff, mermaid, svg

REQUEST = Machine(
    "request",
    initial="requested",
    moves={
        "requested": ["checking", after("7d", "expired")],
        "checking": ["granted", "requested", after("90m", "requested")],
        "granted": [operator("requested"), after("30d", "requested")],
    },
)


def test_a_timer_beside_the_same_move_is_one_edge() -> None:
    assert REQUEST.next_states("checking") == ("granted", "requested")
    edges = [REQUEST.edge(old, edge.to) for old, edge in REQUEST.timers.items()]
    assert [(edge.kind, edge.after) for edge in edges if edge is not None] == [
        ("timer", timedelta(days=7)),
        ("plain", timedelta(minutes=90)),
        ("operator", timedelta(days=30)),
    ]


def test_a_state_that_only_a_timer_leaves_is_not_final() -> None:
    waits = Machine("m", initial="a", moves={"a": [after("1h", "b")]})
    assert not waits.is_terminal("a")
    assert waits.is_terminal("b")
    assert not REQUEST.is_terminal("granted"), "an operator's way back ends nothing that a timer leads on"
    assert waits.lint() == []


def test_the_words_are_in_every_drawing() -> None:
    text = mermaid(REQUEST)
    for words in ("after 7d", "after 90m", "operator only, or after 30d"):
        assert f": {words}" in text
        assert words in svg(REQUEST)
    assert 'class="edge timer"' in svg(REQUEST)


def test_another_span_is_another_machine() -> None:
    longer = Machine.from_definition(
        {
            **REQUEST.definition(),
            "moves": [
                {**move, "after": 1209600.0} if move["to"] == "expired" else move
                for move in REQUEST.definition()["moves"]
            ],
        }
    )
    assert longer.fingerprint != REQUEST.fingerprint
    assert diff(REQUEST, longer).describe() == ["move requested → expired was after 7d and is after 14d"]


def test_a_machine_without_timers_keeps_its_fingerprint() -> None:
    """Known from before there were timers: entries name it."""
    machine = Machine("light", initial="red", moves={"red": ["green"], "green": [operator("red")]})
    assert machine.fingerprint[:16] == "99fc6c81ce9c93a2"


def test_a_retry_has_no_timer() -> None:
    with pytest.raises(BadDeclaration, match="twice"):
        Machine("m", initial="a", moves={"a": ["b"], "b": [retry("a"), after("1h", "a")]})
