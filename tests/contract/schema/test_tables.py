"""Tables that the team made itself: declarative classes, tables given by name, and create=False."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import CHAR, Column, Integer, MetaData, String, Table, Text, create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from interlock import App, Axis, Workflow
from interlock.errors import BadDeclaration, BadInput, SchemaOutdated
from tests.kinds import CURATION, PROCESSING, UPLOAD, uploads


def test_a_declarative_class_gets_the_engines_columns_mapped(opened: Any, whole: Any) -> None:
    class Root(DeclarativeBase):
        pass

    class Site(Root):
        __tablename__ = "sites"
        id: Mapped[int] = mapped_column(Integer, primary_key=True)
        host: Mapped[str] = mapped_column(Text)
        curation: Mapped[str] = mapped_column(String(20))

    axes = [
        Axis("curation", CURATION, prefix="curation_"),
        Axis("processing", PROCESSING, prefix="processing_"),
    ]
    app: App = opened(Workflow("sites", records=Site, axes=axes, unique=[Site.host]))
    id = app.admit("sites", {"host": "a"}).id
    assert app.admit("sites", {"host": "a"}).outcome == "exists"
    app.move("sites", id, actor="ann", curation="Selected")
    with Session(app.database.engine) as session:
        site = session.get(Site, id)
        assert site is not None
        assert (site.curation, site.curation_version, site.processing, site.processing_version) == (  # type: ignore[attr-defined]
            "Selected",
            1,
            None,
            0,
        )
    whole(app)


@pytest.fixture
def theirs(hand: Any) -> None:
    """A table as their own migrations made it, with every column the engine needs."""
    hand.run(
        "CREATE TABLE uploads (id varchar(40) PRIMARY KEY, note text, status text NOT NULL, version integer, since "
        + ("text" if hand.is_sqlite else "timestamptz")
        + ", head "
        + ("blob" if hand.is_sqlite else "bytea")
        + ", failed_from text, "
        "retry_count integer NOT NULL DEFAULT 0, last_retry_at "
        + ("text" if hand.is_sqlite else "timestamptz")
        + ")"
    )


def test_a_table_given_by_name_is_read_from_the_database(opened: Any, theirs: None, whole: Any) -> None:
    app: App = opened(Workflow("uploads", records="uploads", axes=[Axis("status", UPLOAD)]))
    app.admit("uploads", {"id": "u1", "note": "n"})
    app.move("uploads", "u1", actor="ann", status="parsing")
    assert app.get("uploads", "u1")["note"] == "n"
    whole(app)


def test_a_table_given_by_name_whose_key_is_no_exact_value_is_refused_when_it_is_read(
    database_url: str, hand: Any
) -> None:
    hand.run("CREATE TABLE uploads (id double precision PRIMARY KEY)")
    before = hand.everything()
    app = App([Workflow("uploads", records="uploads", axes=[Axis("status", UPLOAD)])], database=database_url)
    with pytest.raises(BadDeclaration) as refusal:
        app.migrate()
    assert "the primary key 'id' of table 'uploads' is " in refusal.value.message
    assert hand.everything() == before
    app.close()


def test_ids_of_a_char_column_have_its_length_on_both_databases(opened: Any, hand: Any, whole: Any) -> None:
    table = Table("parcels", MetaData(), Column("id", CHAR(4), primary_key=True))
    app: App = opened(Workflow("parcels", records=table, axes=[Axis("status", UPLOAD)]))
    assert app.admit("parcels", {"id": "AB12"}).id == "AB12"
    assert app.move("parcels", "AB12", actor="ann", status="parsing").outcome == "moved"
    assert app.move_many("parcels", ["AB12"], actor="ann", status="parsed")[0].outcome == "moved"
    for short in ("AB", "AB1 "):
        for act in (
            lambda id: app.admit("parcels", {"id": id}),
            lambda id: app.move("parcels", id, actor="ann", status="parsing"),
            lambda id: app.get("parcels", id),
        ):
            with pytest.raises(BadInput) as refusal:
                act(short)
            assert "its ids have 4 characters" in refusal.value.message
            assert "VARCHAR" in refusal.value.hint
    assert hand.rows("SELECT id, version FROM parcels") == [("AB12", 2)]
    assert hand.rows("SELECT DISTINCT record_id FROM interlock_ledger") == [("AB12",)]
    whole(app)


def test_a_table_given_by_name_that_is_not_there_is_told(database_url: str) -> None:
    app = App([Workflow("uploads", records="uploads", axes=[Axis("status", UPLOAD)])], database=database_url)
    with pytest.raises((BadDeclaration, SchemaOutdated)) as refusal:
        app.migrate()
    assert "uploads" in refusal.value.message
    assert refusal.value.hint
    app.close()


def made_by_them() -> Workflow:
    return Workflow(
        "statements",
        records=uploads().records.to_metadata(type(uploads().records.metadata)()),
        create=False,
        axes=[Axis("status", UPLOAD)],
    )


def test_create_false_makes_no_table_and_says_what_is_missing(database_url: str, hand: Any) -> None:
    app = App([made_by_them()], database=database_url)
    with pytest.raises(SchemaOutdated) as refusal:
        app.migrate()
    assert (refusal.value.code, "uploads" in refusal.value.message, "create=False" in refusal.value.hint) == (
        "ILK-304",
        True,
        True,
    )
    assert "uploads" not in hand.everything()
    app.close()


def test_create_false_adds_no_column_and_says_what_is_missing(database_url: str, hand: Any) -> None:
    hand.run(
        "CREATE TABLE uploads (id varchar(40) PRIMARY KEY, file_hash text, observations_count integer, canonicals_count integer)"
    )
    app = App([made_by_them()], database=database_url)
    with pytest.raises(SchemaOutdated) as refusal:
        app.migrate()
    assert "version" in refusal.value.message
    app.close()


def test_create_false_only_guards_a_table_that_is_there(
    database_url: str, opened: Any, hand: Any, whole: Any
) -> None:
    workflow = made_by_them()
    own = create_engine(database_url)
    workflow.records.metadata.create_all(own)
    own.dispose()
    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    hand.refused("ILK-204", "UPDATE uploads SET status = 'normalized'")
    hand.refused("ILK-213", "UPDATE uploads SET status = 'parsing', version = 1")
    whole(app)


def test_names_that_need_quotes_are_quoted(opened: Any, hand: Any, whole: Any) -> None:
    from sqlalchemy import Column, MetaData, Table

    table = Table("Select", MetaData(), Column("Order Id", Integer, primary_key=True), Column("group", Text))
    axis = Axis("user", UPLOAD, columns={"version": "Version No", "head": "end", "since": "from"})
    app: App = opened(Workflow("quo-ted", records=table, axes=[axis]))
    id = app.admit("quo-ted", {"group": "g"}).id
    app.move("quo-ted", id, actor="ann", facts={"group": "h"}, user="parsing")
    assert app.get("quo-ted", id)["group"] == "h"
    hand.refused("ILK-204", 'UPDATE "Select" SET "user" = ?', "normalized")
    whole(app)


def test_states_with_quotes_and_percents_are_guarded_too(opened: Any, hand: Any, whole: Any) -> None:
    from interlock import Machine
    from tests.kinds import plain

    odd = Machine(
        "odd",
        initial="it's",
        moves={"it's": ["100%", 'a "b"'], "100%": ["%s"], "%s": [":x {y}"], ":x {y}": ["ü → é"]},
    )
    app: App = opened(plain(odd))
    app.admit("things", {"id": "t"})
    for state in ("100%", "%s", ":x {y}", "ü → é"):
        assert app.move("things", "t", actor="o'ann %s", reason="50% 'x'", status=state).outcome == "moved"
    hand.refused("ILK-204", "UPDATE things SET status = ?", "it's")
    assert app.counts() == {("things", "status", None, "ü → é"): 1}
    assert app.explain("things", "t").where[0].state == "ü → é"
    whole(app)
