"""Processes that start at once: they migrate one database together, and a command they all repeat is applied once."""

from __future__ import annotations

from contextlib import closing

from tests.concurrency.crowd import together
from tests.concurrency.workers import HOT, KIND, migrate, migrate_and_move, move_once, open_cycle

CROWD = 16


def test_one_key_from_many_processes_is_applied_once(database_url: str) -> None:
    with closing(open_cycle(database_url)) as app:
        app.migrate()
        app.admit(KIND, {"id": HOT})
        answers = together(move_once, [(database_url, "the-key")] * CROWD)
        assert {(answer.outcome, answer.old, answer.new, answer.version) for answer in answers} == {
            ("moved", "a", "b", 1)
        }
        assert [move.version for move in app.ledger.history(KIND, HOT)] == [0, 1]
        assert app.check().findings == []


def test_many_migrate_at_once_while_others_already_move(database_url: str) -> None:
    starters = [(database_url, number, 20) for number in range(5)]
    assert together(migrate_and_move, starters) == [40] * 5
    with closing(open_cycle(database_url)) as app:
        assert app.migrate() == []
        assert app.check().findings == []
        assert app.counts(KIND) == {(KIND, "status", None, "b"): 100}


def test_of_many_who_migrate_one_does_it_all(database_url: str) -> None:
    done = together(migrate, [(database_url,)] * 5)
    assert sorted(map(bool, done)) == [False] * 4 + [True]
