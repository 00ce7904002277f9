"""A long ledger is verified by several processes, each with its share: they find what one finds, in the same order and words."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from interlock import App
from interlock.errors import StoreError
from interlock.store.ledger.seals import seals
from interlock.store.verify import parallel
from interlock.store.verify.rows import answers
from interlock.store.verify.verify import Share, verify_chains
from tests.contract.exported import checked
from tests.contract.hand import Hand
from tests.kinds import themes, uploads

COUNT = 60


@pytest.fixture
def app(opened: Any, monkeypatch: pytest.MonkeyPatch) -> App:
    """A ledger that counts as long, with several seals."""
    monkeypatch.setattr(parallel, "WORTH_IT", 1)
    made: App = opened(uploads(), themes())
    made.admit_many("statements", [{"id": f"u{number:02}ä"} for number in range(COUNT)], reason="found")
    made.admit_many("themes", [{"id": number} for number in range(1, 6)])
    for state in ("parsing", "parsed"):
        for number in range(0, COUNT, 6):
            made.move("statements", f"u{number:02}ä", actor="ann", reason=f"due {number}", status=state)
    made.erase("statements", "u04ä", actor="dpo", role="admin", reason="request 7")
    assert len(list(seals.make(made.database, made.clock.now, most=50))) > 1
    return made


def test_two_processes_say_what_one_says(app: App) -> None:
    heard: list[tuple[int, int]] = []
    one, two = (
        app.ledger.verify(),
        app.ledger.verify(processes=2, progress=lambda done, of: heard.append((done, of))),
    )
    assert (one, one.ok) == (two, True)
    assert len(heard) > 10
    assert heard == [(done, len(heard)) for done in range(len(heard))]


def test_findings_come_in_the_same_order_and_words(app: App, hand: Hand) -> None:
    hand.drop_guards()
    for number in (3, 17, 17, 40, 58):
        hand.run(
            "UPDATE interlock_ledger SET actor = actor || 'x' WHERE record_id = ? AND version = 0",
            f"u{number:02}ä",
        )
    hand.run("UPDATE uploads SET status = 'error' WHERE id = 'u20ä'")
    hand.run("UPDATE interlock_machine SET definition = '{}' WHERE kind = 'themes' AND axis = 'status'")
    hand.run("DELETE FROM interlock_seal WHERE number = 2")
    one, two = app.ledger.verify(), app.ledger.verify(processes=2)
    assert [str(finding) for finding in one.findings] == [str(finding) for finding in two.findings]
    assert {finding.id for finding in one.findings} >= {"u03ä", "u17ä", "u40ä", "u58ä", "u20ä", "*", "3"}
    only = app.ledger.verify("statements", processes=2)
    assert [finding.id for finding in only.findings] == ["*", "u03ä", "u17ä", "u40ä", "u58ä", "u20ä"]


def test_the_second_verifier_says_the_same_in_several_processes(app: App, hand: Hand) -> None:
    assert checked(app.ledger.export(), app.ledger.seals(), processes=3) == []
    hand.drop_guards()
    hand.run(
        "UPDATE interlock_ledger SET actor = 'eve' WHERE record_id IN ('u03ä', 'u17ä', 'u40ä') AND version = 0"
    )
    hand.run(
        "UPDATE interlock_machine SET definition = replace(definition, 'pending', 'waiting') WHERE kind = 'themes'"
    )
    alone, together = checked(app.ledger.export()), checked(app.ledger.export(), processes=3)
    assert sorted(alone) == sorted(together)
    assert len(alone) > 3


def test_shares_part_the_records_and_leave_none_out(app: App) -> None:
    with app.database.read() as tx:
        borders = parallel.borders(tx, 7)
        parts = [verify_chains(tx, share) for share in Share().parted(borders)]
        whole = verify_chains(tx)
    assert 1 < len(borders) <= 6
    assert all(one < other for one, other in pairwise(borders))
    assert (sum(part.entries for part in parts), sum(part.records for part in parts)) == (
        whole.entries,
        whole.records,
    )


def test_a_short_ledger_is_not_shared(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "WORTH_IT", 1_000)
    with app.database.read() as tx:
        assert parallel.borders(tx, 7) == []


def test_a_process_that_cannot_read_says_why(app: App) -> None:
    asked = ("SELECT * FROM nowhere", {"kind": "statements", "axis": "status"}, "")
    with pytest.raises(StoreError, match="nowhere"):
        list(parallel.answers(app.database, [(answers, asked), (verify_chains, ())], 2))


@pytest.mark.sqlite_only
def test_a_database_in_memory_stays_in_its_process(database_url: str) -> None:
    app = App([uploads()], database="sqlite://")
    assert not parallel.can_share(app.database)
    assert not parallel.can_share(App([uploads()], database=app.database.engine).database)
    app.close()


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    "change",
    [
        "actor = x'00ff'",
        "hash = 'text'",
        "to_state = char(0) || 'parsed'",
        "at = x'41'",
        "version = 'one'",
        "detail = 'text'",
        "actor = actor || char(1)",
    ],
)
def test_values_that_no_entry_can_hold_are_told_as_ever(app: App, hand: Hand, change: str) -> None:
    hand.drop_guards()
    hand.run("PRAGMA ignore_check_constraints = ON")
    hand.run(f"UPDATE interlock_ledger SET {change} WHERE record_id = 'u06ä' AND version = 1")
    found = {finding.id for finding in app.ledger.verify().findings}
    assert "u06ä" in found
    assert {id for id in found if id.startswith("u")} == {"u06ä"}


@pytest.mark.postgresql_only
@pytest.mark.parametrize("change", ["role = chr(2)", "role = '-'", "actor = actor || chr(1)", "cause = '='"])
def test_a_value_that_looks_like_another_is_told_apart(app: App, hand: Hand, change: str) -> None:
    hand.drop_guards()
    hand.run(f"UPDATE interlock_ledger SET {change} WHERE record_id = 'u06ä' AND version = 1")
    assert ("I9", "u06ä") in {(finding.invariant, finding.id) for finding in app.ledger.verify().findings}
