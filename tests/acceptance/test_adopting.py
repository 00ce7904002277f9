"""`interlock adopt`: here, and asked of a service too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import create_engine, text

from interlock import App
from tests.acceptance import adopting
from tests.acceptance.conftest import Run, from_afar, parsed


@pytest.fixture
def adopted(database_url: str) -> Iterator[App]:
    engine = create_engine(database_url)
    with engine.begin() as tx:
        tx.execute(
            text("CREATE TABLE tickets (id integer PRIMARY KEY, status varchar(20), old_flag integer)")
        )
        for id, status in adopting.ROWS:
            tx.execute(text("INSERT INTO tickets VALUES (:id, :status, 1)"), {"id": id, "status": status})
    engine.dispose()
    with closing(App([adopting.tickets()], database=database_url)) as app:
        app.migrate()
        yield app


@pytest.fixture(params=["here", "there"])
def ask(request: pytest.FixtureRequest, run: Run, adopted: App, database_url: str) -> Iterator[Run]:
    if request.param == "here":
        yield lambda *words: run(
            "--app", "tests.acceptance.adopting:workflows", "--database", database_url, *words
        )
    else:
        with from_afar(run, adopted) as asked:
            yield asked


def test_a_table_is_adopted_by_commands(adopted: App, ask: Run) -> None:
    scan = parsed(ask("adopt", "scan", "tickets", "-o", "json"))
    assert (scan["rows"], scan["unmatched"]) == (3, 1)
    assert "'FINISHED' → done (rule value)" in ask("adopt", "scan", "tickets").stdout
    (state,) = parsed(ask("adopt", "status", "-o", "json"))
    assert (state["phase"], state["guard"], state["unadopted"]) == ("1 schema", "off", 3)
    refused = ask("adopt", "backfill", "tickets")
    assert refused.exit_code != 0
    assert "ILK-222" in refused.stderr
    assert "phase 2, backfill" in ask("adopt", "cutover", "tickets", "--to", "2", "--reason", "begin").stdout
    dry = ("adopt", "backfill", "tickets", "--dry-run")
    assert parsed(ask(*dry, "-o", "json")) == {
        "written": 2,
        "conflicts": 0,
        "left_over": 1,
        "left": [{"value": "odd", "scope": "", "why": "no state or alias has this name", "rows": 1}],
    }
    assert ask(*dry).stdout.splitlines() == [
        "2 would be written, 0 had an entry already, 1 left over",
        "           1  'odd': no state or alias has this name",
    ]
    adopted.adoptions.backfill_step("tickets", actor="eve", runner="eve's laptop", chunk=1)
    refused = ask("adopt", "backfill", "tickets")
    assert "eve's laptop carries out the adoption" in refused.stderr
    rest = ("adopt", "backfill", "tickets", "--chunk", "1", "--rate", "100000", "--take-over", "-o", "json")
    assert parsed(ask(*rest)) == {
        "written": 2,
        "conflicts": 0,
        "left_over": 1,
    }
    assert "0 written, 2 had an entry already, 1 left over" in ask("adopt", "backfill", "tickets").stdout
    assert parsed(ask("adopt", "compare", "tickets", "-o", "json"))["differences"] == 0
    assert parsed(ask("adopt", "follow", "tickets", "-o", "json")) == {"followed": 0}
    ask("adopt", "pause", "tickets")
    assert "is paused" in ask("adopt", "backfill", "tickets").stderr
    ask("adopt", "resume", "tickets")
    over = ("adopt", "cutover", "tickets", "--to", "3", "--reason", "on", "-o", "json")
    assert "left over" in ask(*over).stderr
    assert parsed(ask(*over, "--accept-left"))["phase"] == "eligibility"
    assert [move.new for move in adopted.ledger.history("adoptions", "tickets.status")] == [
        "schema",
        "backfill",
        "eligibility",
    ]
    assert adopted.check().findings == []


def test_flags_are_dropped_in_the_last_phase_only(adopted: App, ask: Run) -> None:
    def typed(*words: str) -> str:
        answer = ask("adopt", *words)
        return answer.stdout + answer.stderr

    assert "in the last phase" in typed("drop-flags", "tickets")
    with adopted.database.write() as tx:
        tx.execute(text("UPDATE tickets SET status = 'done' WHERE id = 3"))
    for phase in (2, 3, 4, 5):
        if phase == 3:
            typed("backfill", "tickets")
        if phase == 5:
            typed("compare", "tickets")
        typed("cutover", "tickets", "--to", str(phase), "--reason", "on", "--no-readers")
    assert adopted.adoptions.status()[0].phase == "done"
    assert "dropped: old_flag" in typed("drop-flags", "tickets")
    assert "dropped: nothing" in typed("drop-flags", "tickets")
    assert adopted.check().findings == []
