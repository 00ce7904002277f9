"""States, conditions and ids are the users' own words: whatever they look like in SQL, work goes on as with any others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Column, MetaData, String, Table, Text

from interlock import Axis, Done, Failed, Machine, Workflow, entering
from interlock.testing import Sandbox

Boxed = Callable[..., Sandbox]
ODD = ["NOW", "LATER(lease)", "it's", "50% done", "%(limit)s", 'a "quoted" one', ":now"]


@pytest.mark.parametrize("word", ODD)
def test_any_word_may_be_a_state(word: str, boxed: Boxed) -> None:
    machine = Machine(
        "odd",
        initial=word,
        moves={word: [f"{word} 2"], f"{word} 2": ["done", f"{word} 3"], f"{word} 3": [f"{word} 2"]},
    )
    table = Table("things", MetaData(), Column("id", String(40), primary_key=True), Column("note", Text))
    workflow = Workflow(
        "things",
        records=table,
        axes=[Axis("status", machine)],
        rules=[entering(status=f"{word} 2").requires(table.c.note.is_distinct_from(f"{word} not"))],
    )
    answers = {"a": [Failed("X"), Done()], "b": [Done()]}

    @workflow.stage(
        waiting=(word, f"{word} 3"),
        running=f"{word} 2",
        done="done",
        failed=f"{word} 3",
        retry=["1s"],
        only_if=table.c.note != f"{word} no",
    )
    def work(given: object) -> object:
        return answers[given.id].pop(0)  # type: ignore[attr-defined]

    box = boxed(workflow)
    box.admit_many(
        "things",
        [
            {"id": "a", "note": word},
            {"id": "b", "note": "x"},
            {"id": "c", "note": f"{word} no"},
            {"id": "d", "note": f"{word} not"},
        ],
    )
    box.drain()
    assert box.get("things", "a")["status"] == f"{word} 3"
    box.advance("2s")
    box.drain()
    assert [box.get("things", id)["status"] for id in "abcd"] == ["done", "done", word, word]


@pytest.mark.parametrize("id", ["{}", "a,b", '"', "null", "NULL", "\\", "{a}", " ", "ä", "1"])
def test_any_text_may_be_an_id(id: str, boxed: Boxed) -> None:
    machine = Machine("plain", initial="a", moves={"a": ["b"], "b": ["c"]})
    workflow = Workflow(
        "things",
        records=Table("things", MetaData(), Column("id", String(40), primary_key=True)),
        axes=[Axis("status", machine)],
    )
    workflow.stage(waiting="a", running="b", done="c")(work)
    box = boxed(workflow)
    box.admit_many("things", [{"id": id}, {"id": "other"}])
    box.drain()
    assert [box.get("things", one)["status"] for one in (id, "other")] == ["c", "c"]


def work(given: object) -> object:
    return Done()
