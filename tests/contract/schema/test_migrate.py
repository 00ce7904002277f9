"""migrate(): idempotent, safe when several start at once, careful with what is there, and wide while machines change."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, Text

from interlock import App, Axis, Machine, Workflow
from interlock.errors import BadDeclaration, InterlockError, SchemaOutdated
from interlock.store.migrations.full_sql import full_sql
from interlock.store.migrations.inspection import differences
from tests.contract.hand import Hand
from tests.kinds import content, domains, open_app, plain, themes, uploads

ONE = Machine("thing", initial="a", moves={"a": ["b"], "b": ["c"]})
TWO = Machine("thing", initial="a", moves={"a": ["b", "x"], "b": ["c"], "x": ["c"]})
THREE = Machine("thing", initial="a", moves={"a": ["x"], "x": ["c"]})


def things(name: str, *columns: Any, table_name: str = "things") -> Workflow:
    """A workflow of this name on the table `things`, or another one."""
    table = Table(table_name, MetaData(), Column("id", String(40), primary_key=True), *columns)
    return Workflow(name, records=table, axes=[Axis("status", ONE)])


START = """
import sys
sys.path.insert(0, sys.argv[2])
from tests.kinds import content, domains, open_app, themes, uploads
sys.stdin.readline()
app = open_app(sys.argv[1], uploads(), domains(), content(), themes())
app.admit("domains", {"host": sys.argv[3]})
print(len(app.check().findings))
app.close()
"""


def test_a_second_run_does_nothing(database_url: str) -> None:
    app = App([uploads(), domains(), content(), themes()], database=database_url)
    assert app.migrate()
    assert app.migrate() == []
    again = App([uploads(), domains(), content(), themes()], database=database_url)
    assert again.migrate() == []
    app.close()
    again.close()


def test_five_processes_may_start_at_once(database_url: str) -> None:
    root = str(Path(__file__).parents[3])
    starting = [
        subprocess.Popen(
            [sys.executable, "-c", START, database_url, root, f"h{number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(5)
    ]
    ended = [process.communicate("go\n", timeout=100) for process in starting]
    assert [
        (process.returncode, said[0].strip(), said[1]) for process, said in zip(starting, ended, strict=True)
    ] == [(0, "0", "")] * 5
    app = open_app(database_url, uploads(), domains(), content(), themes())
    assert app.migrate() == []
    assert app.counts()["domains", "curation_status", None, "New"] == 5
    app.close()


def test_an_empty_table_gets_the_engines_columns(
    database_url: str, opened: Any, hand: Hand, whole: Any
) -> None:
    hand.run("CREATE TABLE things (id varchar(40) PRIMARY KEY, note text)")
    app: App = opened(plain(ONE))
    app.admit("things", {"id": "t"})
    app.move("things", "t", actor="ann", status="b")
    hand.refused("ILK-204", "UPDATE things SET status = 'a'")
    whole(app)


def test_a_table_with_rows_asks_how_they_begin(database_url: str, hand: Hand) -> None:
    hand.run("CREATE TABLE things (id varchar(40) PRIMARY KEY, note text)")
    hand.run("INSERT INTO things(id) VALUES ('old')")
    before = hand.everything()
    app = App([plain(ONE)], database=database_url)
    with pytest.raises(SchemaOutdated) as refusal:
        app.migrate()
    assert "adopt" in refusal.value.hint
    assert hand.everything() == before
    app.close()


def test_a_column_of_the_teams_own_that_a_table_with_rows_lacks_needs_a_default(
    database_url: str, hand: Hand
) -> None:
    first = open_app(database_url, things("things"))
    first.admit("things", {"id": "t"})
    first.close()
    before = hand.everything()
    app = App([things("things", Column("weight", Integer, nullable=False))], database=database_url)
    with pytest.raises(SchemaOutdated) as refusal:
        app.migrate()
    assert "server_default" in refusal.value.hint
    assert hand.everything() == before
    app.close()


def test_records_with_a_history_keep_the_name_of_their_workflow(
    database_url: str, hand: Hand, whole: Any
) -> None:
    first = open_app(database_url, things("things"))
    first.admit("things", {"id": "t"})
    before = hand.everything()
    second = App([things("goods")], database=database_url)
    with pytest.raises(BadDeclaration) as refusal:
        second.migrate()
    assert "have a history as things.status, and history keeps its names" in str(refusal.value)
    assert 'Declare Workflow("things", …) as before' in refusal.value.hint
    assert hand.everything() == before
    assert first.move("things", "t", actor="ann", status="b").outcome == "moved"
    whole(first)
    second.close()
    first.close()


@pytest.mark.parametrize("has_history", [True, False])
def test_two_workflows_of_one_name_cannot_share_a_database(
    database_url: str, hand: Hand, whole: Any, has_history: bool
) -> None:
    first = open_app(database_url, things("things"))
    if has_history:
        first.admit("things", {"id": "t"})
    before = hand.everything()
    second = App([things("things", table_name="goods")], database=database_url)
    for _ in range(2):
        with pytest.raises(BadDeclaration) as refusal:
            second.migrate()
        assert "keeps 'things' in the table things" in refusal.value.message
        assert "declared on the table goods" in refusal.value.message
        assert 'Workflow("other_name", …)' in refusal.value.hint
        assert "ALTER TABLE things RENAME TO goods" in refusal.value.hint
    assert hand.everything() == before
    found = {
        one["what"]: one["problem"] for one in differences(second.database, [*second.workflows.values()])
    }
    assert (
        found["axis things.status"]
        == "it was kept in the table things before, and is declared on the table goods"
    )
    if not has_history:
        first.admit("things", {"id": "t"})
    assert first.move("things", "t", actor="ann", status="b").outcome == "moved"
    whole(first)
    second.close()
    first.close()


def test_a_table_that_was_renamed_keeps_its_records_history_and_guards(
    database_url: str, hand: Hand, whole: Any
) -> None:
    first = open_app(database_url, things("things"))
    first.admit("things", {"id": "t"})
    first.move("things", "t", actor="ann", status="b")
    first.close()
    hand.run("ALTER TABLE things RENAME TO goods")
    app = open_app(database_url, things("things", table_name="goods"))
    assert app.migrate() == []
    app.admit("things", {"id": "u"})
    assert app.move("things", "t", actor="ann", status="c").outcome == "moved"
    assert app.move("things", "u", actor="ann", status="b").outcome == "moved"
    assert hand.rows("SELECT id, status, version FROM goods ORDER BY id") == [("t", "c", 2), ("u", "b", 1)]
    assert [entry.new for entry in app.ledger.history("things", "t")] == ["a", "b", "c"]
    hand.refused("ILK-204", "UPDATE goods SET status = 'a' WHERE id = 't'")
    hand.refused("ILK-213", "DELETE FROM goods WHERE id = 't'")
    whole(app)
    app.close()
    hand.run("ALTER TABLE goods RENAME TO things")
    again = open_app(database_url, things("things"))
    again.admit("things", {"id": "v"})
    assert again.move("things", "v", actor="ann", status="b").outcome == "moved"
    hand.refused("ILK-204", "UPDATE things SET status = 'a' WHERE id = 't'")
    whole(again)
    again.close()


def copied(records: str, states: str) -> Workflow:
    """A workflow whose states keep a copy of a column of their record."""
    metadata = MetaData()
    papers = Table(
        records,
        metadata,
        Column("id", Integer, primary_key=True),
        Column("host", String(20)),
        Column("at", Text),
    )
    each = Table(
        states,
        metadata,
        Column("id", Integer, primary_key=True),
        Column("paper", ForeignKey(f"{records}.id"), nullable=False),
        Column("scope", String(10), nullable=False),
    )
    axes = [
        Axis("status", ONE, prefix="own_"),
        Axis("reading", ONE, table=each, scope=("x", "y"), copies={"at": papers.c.at}),
    ]
    return Workflow("papers", records=papers, axes=axes, unique=[papers.c.host])


def test_tables_that_were_renamed_keep_copies_natural_keys_and_scoped_states(
    database_url: str, hand: Hand, whole: Any
) -> None:
    first = open_app(database_url, copied("papers", "readings"))
    first.admit("papers", {"id": 1, "host": "h", "at": "early"})
    first.close()
    hand.run("ALTER TABLE papers RENAME TO sheets")
    hand.run('ALTER TABLE readings RENAME TO "Read Sheets"')
    app = open_app(database_url, copied("sheets", "Read Sheets"))
    assert app.migrate() == []
    assert app.admit("papers", {"id": 2, "host": "h"}).outcome == "exists"
    app.move("papers", 1, actor="ann", status="b")
    app.move("papers", 1, actor="ann", scope="x", reading="b")
    app.amend("papers", 1, facts={"at": "late"}, actor="ann", reason="a wrong date")
    assert hand.rows('SELECT scope, reading, version, at FROM "Read Sheets" ORDER BY scope') == [
        ("x", "b", 1, "late"),
        ("y", "a", 0, "late"),
    ]
    hand.refused("ILK-210", "UPDATE sheets SET host = 'z'")
    hand.refused("ILK-204", "UPDATE \"Read Sheets\" SET reading = 'c' WHERE scope = 'y'")
    app.erase("papers", 1, actor="ann", role="admin", reason="asked to")
    assert hand.one('SELECT count(*) FROM "Read Sheets"') == 0
    whole(app)
    app.close()


def test_a_workflow_without_a_history_may_be_renamed(database_url: str, whole: Any) -> None:
    open_app(database_url, things("things")).close()
    app = open_app(database_url, things("goods"))
    app.admit("goods", {"id": "t"})
    assert app.move("goods", "t", actor="ann", status="b").outcome == "moved"
    whole(app)
    app.close()


def test_rows_that_may_be_adopted_wait_for_it(database_url: str, opened: Any, hand: Hand, whole: Any) -> None:
    hand.run("CREATE TABLE things (id varchar(40) PRIMARY KEY, note text, status text)")
    hand.run("INSERT INTO things(id, status) VALUES ('old', 'b'), ('odd', 'whatever')")
    app: App = opened(Workflow("things", records="things", axes=[Axis("status", ONE)]))
    (answer,) = app.move_many("things", ["old"], actor="ann", status="c")
    assert answer.error is not None
    assert (answer.outcome, answer.error.code) == ("refused", "ILK-202")
    assert hand.run("UPDATE things SET status = 'c', note = 'still theirs' WHERE id = 'old'") == 1
    hand.refused("ILK-21", "UPDATE things SET version = 0 WHERE id = 'old'")
    app.admit("things", {"id": "new"})
    hand.refused("ILK-204", "UPDATE things SET status = 'c' WHERE id = 'new'")
    hand.refused("ILK-204", "UPDATE things SET version = NULL WHERE id = 'new'")
    whole(app)


def test_while_machines_change_old_and_new_code_both_pass(database_url: str, hand: Hand, whole: Any) -> None:
    old = open_app(database_url, plain(ONE))
    old.admit_many("things", [{"id": f"t{number}"} for number in range(4)])
    new = open_app(database_url, plain(TWO))
    assert new.move("things", "t0", actor="ann", status="x").outcome == "moved"
    assert old.move("things", "t1", actor="ann", status="b").outcome == "moved"
    assert new.migrate() == []
    whole(new)
    new.migrate(contract=True)
    assert new.migrate(contract=True) == []
    assert new.move("things", "t2", actor="ann", status="x").outcome == "moved"
    old.close()
    new.close()


def test_contracting_narrows_the_guards_to_the_new_machine(database_url: str, hand: Hand, whole: Any) -> None:
    old = open_app(database_url, plain(ONE))
    old.admit_many("things", [{"id": f"t{number}"} for number in range(4)])
    new = open_app(database_url, plain(THREE))
    assert old.move("things", "t1", actor="ann", status="b").outcome == "moved"
    assert new.move("things", "t0", actor="ann", status="x").outcome == "moved"
    assert old.move("things", "t1", actor="ann", status="c").outcome == "moved"
    assert new.migrate(contract=True) != []
    assert new.migrate(contract=True) == []
    with pytest.raises(InterlockError) as refusal:
        old.move("things", "t2", actor="ann", status="b")
    assert refusal.value.code in ("ILK-204", "ILK-213")
    assert new.move("things", "t2", actor="ann", status="x").outcome == "moved"
    whole(new)
    old.close()
    new.close()


def test_workflows_that_come_later_leave_the_others_alone(database_url: str, whole: Any) -> None:
    first = open_app(database_url, uploads())
    first.admit("statements", {"id": "u1"})
    second = open_app(database_url, domains())
    second.admit("domains", {"host": "a"})
    assert first.move("statements", "u1", actor="ann", status="parsing").outcome == "moved"
    assert first.migrate() == []
    whole(first)
    whole(second)
    first.close()
    second.close()


def test_the_sql_for_a_dba_makes_the_same_database(database_url: str, hand: Hand) -> None:
    app = App([uploads(), domains(), content(), themes()], database=database_url)
    for statement in full_sql(list(app.workflows.values()), app.database.dialect):
        hand.connection.execute(statement)
    hand.connection.commit()
    app.migrate()
    app.admit("statements", {"id": "u1"})
    app.move("statements", "u1", actor="ann", status="parsing")
    hand.refused("ILK-204", "UPDATE uploads SET status = 'normalized'")
    assert app.check().findings == []
    app.close()


def shop(*names: str, release: int = 1, **options: Any) -> Workflow:
    """Records with these side tables, in a MetaData that also holds a table of somebody else's."""
    metadata = MetaData()
    table = Table("things", metadata, Column("id", String(40), primary_key=True))
    Table("payroll", metadata, Column("id", Integer, primary_key=True))
    sides = [
        Table(
            name,
            metadata,
            Column("id", Integer, primary_key=True),
            Column("thing", ForeignKey("things.id")),
            *([Column("note", Text)] if release > 1 else []),
        )
        for name in names
    ]
    return Workflow("things", records=table, axes=[Axis("status", ONE)], tables=sides, **options)


def tables_in(hand: Hand) -> set[str]:
    return {name for name in hand.everything() if not name.startswith(("interlock_", "sqlite_"))}


def test_exactly_the_tables_that_a_workflow_names_are_made_and_listed(database_url: str, hand: Hand) -> None:
    app = App([shop("outbox")], database=database_url)
    done = app.migrate()
    assert tables_in(hand) == {"things", "outbox"}
    assert [name for name in done if name.startswith("table ")] == ["table things", "table outbox"]
    assert app.migrate() == []
    app.close()


def test_a_table_and_a_column_that_a_later_release_names_are_made(database_url: str, hand: Hand) -> None:
    first = open_app(database_url, shop("outbox"))
    first.admit("things", {"id": "t"})
    second = App([shop("outbox", "archive", release=2)], database=database_url)
    with pytest.raises(SchemaOutdated, match="table archive: does not exist"):
        second.ready()
    assert second.migrate() == ["table archive", "column outbox.note"]
    assert tables_in(hand) == {"things", "outbox", "archive"}
    second.ready()
    assert [move.new for move in second.ledger.history("things", "t")] == ["a"]
    first.close()
    second.close()


def test_a_reference_to_a_table_that_nobody_names_is_refused_with_the_remedy(
    database_url: str, hand: Hand
) -> None:
    metadata = MetaData()
    Table("owners", metadata, Column("id", Integer, primary_key=True))
    table = Table(
        "things",
        metadata,
        Column("id", String(40), primary_key=True),
        Column("owner", ForeignKey("owners.id")),
    )
    app = App([Workflow("things", records=table, axes=[Axis("status", ONE)])], database=database_url)
    with pytest.raises(SchemaOutdated, match="references 'owners', which does not exist") as refusal:
        app.migrate()
    assert "tables=[" in refusal.value.hint
    assert tables_in(hand) == set()
    hand.run("CREATE TABLE owners (id integer PRIMARY KEY)")
    assert "table things" in app.migrate()
    app.close()


def tampered(hand: Hand) -> dict[str, list[str]]:
    """What somebody with the owner's rights could do to the guards, by a word in what `ready` answers."""
    if hand.is_sqlite:
        body = hand.one("SELECT sql FROM sqlite_master WHERE name = 'interlock_things_status_update'")
        return {
            "interlock_things_status_update was removed": ["DROP TRIGGER interlock_things_status_update"],
            "interlock_things_status_update was altered": [
                "DROP TRIGGER interlock_things_status_update",
                body.replace("RAISE(ABORT", "RAISE(IGNORE")[: body.index(" BEGIN ")] + " BEGIN SELECT 1; END",
            ],
            "interlock_ledger_update was removed": ["DROP TRIGGER interlock_ledger_update"],
        }
    empty = (
        "CREATE OR REPLACE FUNCTION {}() RETURNS trigger LANGUAGE plpgsql AS $b$ BEGIN RETURN NULL; END $b$"
    )
    return {
        "interlock_history_update on things was removed": ["DROP TRIGGER interlock_history_update ON things"],
        "interlock_history_update on things was removed or switched off": [
            "ALTER TABLE things DISABLE TRIGGER interlock_history_update"
        ],
        "interlock_history_update on things was altered": [
            "CREATE OR REPLACE TRIGGER interlock_history_update AFTER UPDATE ON things REFERENCING OLD TABLE AS before NEW TABLE AS "
            "after FOR EACH STATEMENT WHEN (false) EXECUTE FUNCTION interlock_things_update_guard()"
        ],
        "function interlock_things_update_guard was altered": [empty.format("interlock_things_update_guard")],
        "function interlock_ledger_guard was altered": [empty.format("interlock_ledger_guard")],
        "function interlock_things_insert_guard was altered": [
            "ALTER FUNCTION interlock_things_insert_guard() SECURITY INVOKER"
        ],
        "interlock_frozen on interlock_ledger was removed": [
            "DROP TRIGGER interlock_frozen ON interlock_ledger"
        ],
    }


def test_guards_that_were_removed_or_altered_by_hand_are_noticed_and_restored(
    database_url: str, hand: Hand
) -> None:
    app = open_app(database_url, plain(ONE))
    app.admit("things", {"id": "t"})
    for problem, statements in tampered(hand).items():
        for statement in statements:
            hand.run(statement)
        with pytest.raises(SchemaOutdated) as refusal:
            app.ready()
        assert problem in refusal.value.message
        assert app.migrate()
        app.ready()
        hand.refused("ILK-2", "UPDATE things SET status = 'c', version = version + 1")
        hand.refused("ILK-210", "UPDATE interlock_ledger SET to_state = 'c'")
        assert app.migrate() == []
    app.move("things", "t", actor="ann", status="b")
    assert app.check().findings == []
    app.close()
