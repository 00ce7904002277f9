"""What docs/reference/errors.md shows under "Looks like" is what the code says: each example is brought about and compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Integer,
    MetaData,
    String,
    Table,
    TypeDecorator,
    create_engine,
    event,
    text,
)

from interlock import Adopt, App, Axis, InterlockError, Machine, Move, Workflow
from interlock.authority.transactions.answers import rebuilt
from interlock.clock import FrozenClock
from interlock.errors import (
    IsolationLost,
    LedgerBroken,
    RequestRefused,
    RequestTimedOut,
    RequestTooSlow,
    StoreError,
)
from interlock.ids import drawn_from
from interlock.service.application import build
from interlock.service.http.limits import Limits
from interlock.store.records import api_keys as keys
from interlock.workflows.statements.uploads.receiving import receive
from interlock.workflows.statements.workflow import declare as statements
from tests.kinds import CURATION, UPLOAD, content, domains, open_app, plain, uploads
from tests.service.asking import Asker

Bring = Callable[[App, Path], Any]
NOT_RAISED_YET = {
    "ILK-209": "it is a verdict on a report, and reaches no caller",
    "ILK-305": "needs a PostgreSQL older than 15",
}


def upload(app: App, *states: str) -> None:
    app.admit("statements", {"id": "UL_7", "file_hash": "a"})
    for state in states:
        app.move("statements", "UL_7", actor="ann", status=state)


def a_list_that_lacks_a_state(app: App, folder: Path) -> None:
    Machine(
        "upload",
        initial="queued",
        states=["queued", "parsing", "parsed"],
        moves={"queued": ["parsing"], "parsing": ["parsd"]},
    )


def a_long_reason(app: App, folder: Path) -> None:
    app.move("statements", "UL_7", actor="ann", status="parsing", reason="x" * 70_000)


def a_mistyped_name(app: App, folder: Path) -> None:
    app.move("statement", "UL_7", actor="ann", status="parsing")


def nobody(app: App, folder: Path) -> None:
    app.move("statements", "UL_7", actor="ann", status="parsing")


def a_row_of_other_code(app: App, folder: Path) -> None:
    engine = create_engine(f"sqlite:///{folder / 'legacy.sqlite'}")
    with engine.begin() as tx:
        tx.execute(text("CREATE TABLE legacy(id INTEGER PRIMARY KEY, curation_status TEXT)"))
        tx.execute(text("INSERT INTO legacy VALUES (42, 'New')"))
    engine.dispose()
    legacy = open_app(
        str(engine.url), Workflow("legacy", records="legacy", axes=[Axis("curation_status", CURATION)])
    )
    try:
        legacy.move("legacy", 42, actor="ann", curation_status="Selected")
    finally:
        legacy.close()


def a_state_in_other_case(app: App, folder: Path) -> None:
    app.move("statements", "UL_7", actor="ann", status="Parsed")


def a_shortcut(app: App, folder: Path) -> None:
    upload(app, "normalized")


def work_that_nobody_selected(app: App, folder: Path) -> None:
    id = app.admit("domains", {"host": "example.org"}).id
    app.move("domains", id, actor="ann", processing_status="Queued")


def candidate(app: App, passed: bool) -> None:
    app.admit("content", {"item_id": "C_9", "author": "bob"})
    app.move("content", "C_9", actor="ann", state="CANDIDATE")
    app.judge_gate("content", "C_9", "level", passed=passed, actor="runner")
    app.move("content", "C_9", actor="ann", state="VALIDATED")


def a_gate_that_says_no(app: App, folder: Path) -> None:
    candidate(app, passed=False)


def one_retry_too_many(app: App, folder: Path) -> None:
    upload(app, "error")
    for _ in range(4):
        app.retry("statements", "UL_7", actor="ann", reason="again")
        app.move("statements", "UL_7", actor="ann", status="error")


def an_old_version(app: App, folder: Path) -> None:
    upload(app, "parsing")
    app.move("statements", "UL_7", actor="bob", status="parsed", version=0)


def a_change_of_what_is_frozen(app: App, folder: Path) -> None:
    candidate(app, passed=True)
    app.move("content", "C_9", actor="ann", role="operator", reason="good", state="APPROVED")
    with app.database.write() as tx:
        tx.exec_driver_sql("UPDATE approved_items SET approved_by = 'bob'")


def an_approval_without_a_role(app: App, folder: Path) -> None:
    candidate(app, passed=True)
    app.move("content", "C_9", actor="ann", state="APPROVED")


def a_parse_that_no_parser_did(app: App, folder: Path) -> None:
    table = Table("uploads", MetaData(), Column("id", String(40), primary_key=True))
    workflow = Workflow(
        "statements", noun="upload", records=table, axes=[Axis("status", UPLOAD, moved_by="stages")]
    )
    own = open_app(f"sqlite:///{folder / 'stages.db'}", workflow)
    try:
        own.admit("statements", {"id": "UL_1"})
        own.move(
            "statements", "UL_1", actor="carl", role="operator", reason="it looks parsed", status="parsing"
        )
    finally:
        own.close()


def a_key_for_two_commands(app: App, folder: Path) -> None:
    for number in (1, 2):
        app.admit("statements", {"id": f"UL_{number}", "file_hash": str(number)}, actor="ann", key="k-17")


def sized(folder: Path) -> App:
    table = Table(
        "uploads",
        MetaData(),
        Column("id", String(40), primary_key=True),
        Column("size", Integer, CheckConstraint("size < 1000", name="uploads_size_check")),
    )
    workflow = Workflow("statements", noun="upload", records=table, axes=[Axis("status", UPLOAD)])

    @workflow.on_move("parsing")
    def to_parsing(tx: Connection, moves: Sequence[Move]) -> None:
        raise KeyError("payload")

    return open_app(f"sqlite:///{folder / 'sized.sqlite'}", workflow)


def a_check_of_your_own(app: App, folder: Path) -> None:
    sized(folder).admit("statements", {"id": "UL_7", "size": 4000})


def a_hook_that_raises(app: App, folder: Path) -> None:
    own = sized(folder)
    own.admit("statements", {"id": "UL_7", "size": 4})
    own.move("statements", "UL_7", actor="ann", status="parsing")


PRICES = {"a coffee": 150}


class Cents(TypeDecorator[float]):
    """The price of a thing in cents, by somebody who thought that every thing has one."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Any) -> Any:
        return None if value is None else PRICES[value]


def a_type_of_your_own_that_raises(app: App, folder: Path) -> None:
    table = Table("orders", MetaData(), Column("id", Integer, primary_key=True), Column("price", Cents))
    own = open_app(
        f"sqlite:///{folder / 'cents.sqlite'}",
        Workflow("orders", records=table, axes=[Axis("status", UPLOAD)]),
    )
    own.admit("orders", {"id": 1, "price": "a coffee"})
    own.move("orders", 1, actor="ann", facts={"price": "a tea"}, status="parsing")


def a_cutover_with_rows_left_over(app: App, folder: Path) -> None:
    database = f"sqlite:///{folder / 'legacy.db'}"
    table = Table("tickets", MetaData(), Column("id", Integer, primary_key=True), Column("status", String(9)))
    engine = create_engine(database)
    table.create(engine)
    with engine.begin() as tx:
        tx.execute(table.insert(), [{"id": 1, "status": "odd"}, {"id": 2, "status": "odder"}])
    machine = Machine("ticket", initial="new", moves={"new": ["done"]})
    tickets = Workflow("tickets", records=table, axes=[Axis("status", machine, adopt=Adopt("tickets-1"))])
    adopting = open_app(database, tickets)
    lead = {"actor": "ann", "role": "operator", "reason": "on"}
    adopting.adoptions.cutover("tickets", 2, **lead)
    adopting.adoptions.backfill("tickets", actor="ann")
    adopting.adoptions.cutover("tickets", 3, **lead)


def the_sentence_of(kind: type[InterlockError]) -> Bring:
    def bring(app: App, folder: Path) -> None:
        raise kind

    return bring


def a_folder_that_is_not_there(app: App, folder: Path) -> None:
    open_app(f"sqlite:///{folder / 'shop' / 'x.sqlite'}", plain(UPLOAD))


def limited(folder: Path, pragma: str) -> App:
    """A database in which every connection has the given limit."""
    app = open_app(f"sqlite:///{folder / 'limited.sqlite'}", plain(UPLOAD))
    app.database.engine.dispose()
    event.listen(app.database.engine, "connect", lambda connection, _: connection.execute(f"PRAGMA {pragma}"))
    return app


def a_lock_that_stays(app: App, folder: Path) -> None:
    impatient = limited(folder, "busy_timeout = 1")
    with impatient.database.write():
        impatient.admit("things", {"id": "a"})


def no_space(app: App, folder: Path) -> None:
    small = limited(folder, "max_page_count = 60")
    for number in range(100):
        small.admit("things", {"id": f"T_{number}", "note": "x" * 4000})


def a_damaged_file(app: App, folder: Path) -> None:
    file = folder / "damaged.sqlite"
    made = open_app(f"sqlite:///{file}", plain(Machine("thing", initial="new", moves={"new": ["done"]})))
    made.admit_many("things", [{"id": f"T_{number}", "note": "x" * 900} for number in range(500)])
    made.close()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] + bytes(len(whole) - len(whole) // 2))
    open_app(f"sqlite:///{file}", plain(Machine("thing", initial="new", moves={"new": ["done"]}))).check()


def no_tables(app: App, folder: Path) -> None:
    App([uploads()], database=f"sqlite:///{folder / 'empty.sqlite'}").admit("statements", {"id": "UL_7"})


def a_state_that_is_lost(app: App, folder: Path) -> None:
    url = f"sqlite:///{folder / 'lost.sqlite'}"
    open_app(url, plain(Machine("thing", initial="new", moves={"new": ["review"]}))).admit(
        "things", {"id": "T_1", "status": "review"}
    )
    open_app(url, plain(Machine("thing", initial="new", moves={"new": ["done"]}))).migrate(contract=True)


def asked(app: App, method: str, path: str, *, limits: Limits | None = None, **options: Any) -> None:
    """What the service answers, raised again."""
    asker = Asker(build(app, limits=limits))
    try:
        said = asker.ask(method, path, **options).json()
    finally:
        asker.close()
    raise rebuilt(said["code"], said["detail"], said["hint"], said["facts"])


def key(app: App, scope: str) -> dict[str, str]:
    with app.database.write() as tx:
        return {"Authorization": f"Bearer {keys.create(tx, 'board', scope, by='ann', now=app.clock.now())}"}


def a_door_with_a_lock(app: App, folder: Path) -> None:
    key(app, "viewer")
    asked(app, "GET", "/kinds")


def a_viewer_who_acts(app: App, folder: Path) -> None:
    asked(app, "POST", "/statements/records/UL_7/moves", json={"to": "parsing"}, headers=key(app, "viewer"))


def an_address_that_is_not(app: App, folder: Path) -> None:
    asked(app, "GET", "/uploads")


def a_put(app: App, folder: Path) -> None:
    asked(app, "PUT", "/kinds")


def a_long_letter(app: App, folder: Path) -> None:
    asked(
        app,
        "POST",
        "/statements/records/UL_7/moves",
        content=b" " * 1_000_001,
        headers={"Content-Type": "application/json", **key(app, "curator")},
    )


def one_question_too_many(app: App, folder: Path) -> None:
    asked(app, "GET", "/kinds", limits=Limits(burst=0))


def a_question_that_takes_its_time(app: App, folder: Path) -> None:
    raise RequestTimedOut(f"no answer within {Limits().seconds:g} seconds")


def a_body_that_stops(app: App, folder: Path) -> None:
    raise RequestTooSlow(f"nothing of the body arrived for {Limits().idle_seconds:g} seconds")


def brought(folder: Path, content: bytes, source_type: str = "auto") -> None:
    """A file as an upload takes it in; ids are drawn from a source that always says the same."""
    app = App(
        [statements()], database=f"sqlite:///{folder / 'statements.sqlite'}", files=str(folder / "files")
    )
    app.migrate()
    with drawn_from(bytes), app.files.receive() as file:
        file.write(content)
        receive(app, app.workflow("statements"), file, "statement.csv", source_type, actor="ann")


def the_same_file_twice(app: App, folder: Path) -> None:
    for _ in range(2):
        brought(folder, b"Date,Description,Amount\n")


def an_archive_named_csv(app: App, folder: Path) -> None:
    brought(folder, b"PK\x03\x04")


def a_bank_that_nobody_knows(app: App, folder: Path) -> None:
    brought(folder, b"Date,Description,Amount\n", "my_bank")


EXAMPLES: dict[str, Bring] = {
    "ILK-000": the_sentence_of(InterlockError),
    "ILK-101": a_list_that_lacks_a_state,
    "ILK-102": a_long_reason,
    "ILK-103": a_mistyped_name,
    "ILK-201": nobody,
    "ILK-202": a_row_of_other_code,
    "ILK-203": a_state_in_other_case,
    "ILK-204": a_shortcut,
    "ILK-205": work_that_nobody_selected,
    "ILK-206": a_gate_that_says_no,
    "ILK-207": one_retry_too_many,
    "ILK-208": an_old_version,
    "ILK-210": a_change_of_what_is_frozen,
    "ILK-211": an_approval_without_a_role,
    "ILK-219": a_parse_that_no_parser_did,
    "ILK-212": a_key_for_two_commands,
    "ILK-213": a_check_of_your_own,
    "ILK-214": a_hook_that_raises,
    "ILK-215": a_state_that_is_lost,
    "ILK-217": a_type_of_your_own_that_raises,
    "ILK-216": the_same_file_twice,
    "ILK-415": an_archive_named_csv,
    "ILK-422": a_bank_that_nobody_knows,
    "ILK-220": the_sentence_of(LedgerBroken),
    "ILK-221": the_sentence_of(IsolationLost),
    "ILK-222": a_cutover_with_rows_left_over,
    "ILK-300": the_sentence_of(StoreError),
    "ILK-301": a_folder_that_is_not_there,
    "ILK-302": a_lock_that_stays,
    "ILK-303": no_space,
    "ILK-304": no_tables,
    "ILK-306": a_damaged_file,
    "ILK-400": the_sentence_of(RequestRefused),
    "ILK-401": a_door_with_a_lock,
    "ILK-403": a_viewer_who_acts,
    "ILK-404": an_address_that_is_not,
    "ILK-405": a_put,
    "ILK-408": a_body_that_stops,
    "ILK-413": a_long_letter,
    "ILK-429": one_question_too_many,
    "ILK-504": a_question_that_takes_its_time,
}


@pytest.fixture(scope="module")
def shown(root: Path) -> dict[str, str]:
    """The example of every code on the page."""
    page = (root / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    return dict(
        re.findall(r"^## (ILK-\d{3}) .*?\*\*Looks like\.\*\* `([^`]+)`", page, re.MULTILINE | re.DOTALL)
    )


@pytest.fixture
def app(sqlite_url: str) -> Iterator[App]:
    opened = open_app(sqlite_url, uploads(), domains(), content(), clock=FrozenClock())
    yield opened
    opened.close()


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_example_is_what_the_code_says(
    code: str, shown: dict[str, str], app: App, tmp_path: Path
) -> None:
    with pytest.raises(InterlockError) as caught:
        EXAMPLES[code](app, tmp_path)
    sentence = str(caught.value).replace(str(tmp_path), "/srv")
    assert (caught.value.code, sentence) == (code, shown[code])


def test_every_example_is_brought_about_or_known_not_to_be(shown: dict[str, str]) -> None:
    assert shown.keys() == EXAMPLES.keys() | NOT_RAISED_YET.keys()
