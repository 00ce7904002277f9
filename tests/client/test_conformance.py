"""One suite for every client: the app in this process, and the same app behind a real service; the same values and the same errors."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from sqlalchemy import Column, Date, DateTime, Integer, LargeBinary, MetaData, Numeric, Table, Text, Uuid
from starlette.applications import Starlette
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from interlock import App, Axis, Extension, Machine, Workflow
from interlock.client import BulkCommand, Client, EntrySeal, LocalClient, RecordFilter, RemoteClient, connect
from interlock.errors import (
    BadInput,
    ConcurrentModificationError,
    InterlockError,
    InvalidStateTransition,
    NoSuchRoute,
    NotPermitted,
    StoreUnavailable,
    UnknownKind,
    UnknownRecord,
)
from interlock.observe.ledger import Ledger
from interlock.service.application import build
from interlock.testing import assert_history
from tests.kinds import four_kinds, open_app
from tests.service.conftest import WIDE, make_key
from tests.service.serving import served

PARCEL = UUID("00000000-0000-0000-0000-00000000000a")
LATE = datetime(2999, 1, 1, tzinfo=UTC)


class Both(NamedTuple):
    """The app, and its two clients; both act as `ann`."""

    app: App
    local: LocalClient
    remote: RemoteClient


def parcels() -> Workflow:
    """Records of every type that JSON has no word for."""
    table = Table(
        "parcels",
        MetaData(),
        Column("id", Uuid, primary_key=True),
        Column("weight", Numeric(10, 3)),
        Column("sent", DateTime(timezone=True)),
        Column("day", Date),
        Column("seal", LargeBinary),
        Column("note", Text),
        Column("secret", Text),
        Column("number", Integer),
    )
    machine = Machine("parcel", initial="packed", moves={"packed": ["sent"], "sent": []})
    return Workflow(
        "parcels", records=table, axes=[Axis("status", machine)], extension=Extension(private=["secret"])
    )


@pytest.fixture
def both(database_url: str) -> Iterator[Both]:
    app = open_app(database_url, *four_kinds(), parcels())
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": f"h{number}"} for number in range(4)])
    app.admit_many("domains", [{"id": 1, "host": "a"}, {"id": 2, "host": "b"}])
    app.admit("themes", {"id": 1, "title": "Rates rise"})
    app.admit("content", {"item_id": "c1", "author": "bob"})
    app.judge_gate("content", "c1", "level", passed=False, actor="eve", reason="LEVEL", details={"a": [1]})
    row = {"weight": Decimal("1.250"), "day": datetime(2026, 1, 31, tzinfo=UTC).date(), "seal": b"\x00\xff"}
    app.admit("parcels", {"id": PARCEL, **row, "note": "2026-01-31T09:00:00.000000Z", "secret": "x"})
    broken = {"error_code": "BROKEN", "error_message": "page 3"}
    app.move("statements", "u1", actor="ann", status="error", facts=broken)
    key = make_key(app, "admin", "ann")
    with served(build(app, limits=WIDE)) as address, closing(connect(address, key=key)) as remote:
        yield Both(app, connect(app, actor="ann"), remote)
    app.close()


READS: dict[str, Callable[[Client], Any]] = {
    "health": lambda client: client.health(),
    "machines": lambda client: client.machines(),
    "machines of one": lambda client: client.machines("domains"),
    "diagram": lambda client: client.diagram("domains", "curation_status"),
    "diagram as svg with counts": lambda client: client.diagram(
        "statements", "status", form="svg", counts=True
    ),
    "counts": lambda client: sorted(client.counts(), key=str),
    "pairs": lambda client: sorted(client.pairs("domains", "processing_status", "curation_status"), key=str),
    "activity": lambda client: [
        sorted(map(str, client.activity("24h").flows)),
        sorted(one.state for one in client.activity("24h").ages),
        client.activity().stuck,
        sum(one.moves for one in client.activity().moves),
    ],
    "patterns": lambda client: client.patterns("themes"),
    "working": lambda client: client.working(),
    "activity of the past": lambda client: client.activity("7d", at=datetime(2026, 1, 31, tzinfo=UTC)).flows,
    "counts of one": lambda client: sorted(client.counts("statements"), key=str),
    "errors": lambda client: client.errors(),
    "errors of one": lambda client: client.errors("domains"),
    "attention": lambda client: client.attention(),
    "check": lambda client: client.check(),
    "check of one, replayed": lambda client: client.check("statements", replay=True),
    "runners": lambda client: client.runners(),
    "coordinators": lambda client: client.coordinators(),
    "list": lambda client: client.list("statements"),
    "list a page": lambda client: client.list("statements", limit=2),
    "list behind": lambda client: client.list("statements", after="u1", limit=2),
    "list backwards": lambda client: client.list("statements", limit=3, descending=True),
    "list by state": lambda client: client.list("statements", where={"status": ["error", "parsed"]}),
    "list by null": lambda client: client.list("domains", where={"processing_status": None}),
    "list by error and age": lambda client: client.list("statements", error="BROKEN", younger="5d"),
    "versions": lambda client: client.versions("statements"),
    "hashes": lambda client: client.ledger.hashes("statements", "u1"),
    "entry seals": lambda client: client.ledger.entry_seals("statements", "u1"),
    "change of nothing": lambda client: client.change(
        "domains", client.versions("domains")[0].fingerprint[:10], axis="curation_status"
    ),
    "list by text": lambda client: client.list("statements", text="h3"),
    "list by text among the first two": lambda client: client.list("statements", text="h3", examine=2),
    "list by text among the last two": lambda client: client.list(
        "statements", text="h3", examine=2, descending=True
    ),
    "list scoped": lambda client: client.list("themes", where={"status": "pending"}, scope="technical"),
    "list by columns": lambda client: client.list(
        "domains", where={"host": ["a", None]}, columns=["host", "title"]
    ),
    "list sorted": lambda client: client.list(
        "statements", sort="-file_hash", columns=("file_hash",), limit=2
    ),
    "list sorted, the rest": lambda client: client.list(
        "statements", sort="-file_hash", after=client.list("statements", sort="-file_hash", limit=3).next
    ),
    "list of dates": lambda client: client.list(
        "parcels", where={"day": datetime(2026, 1, 31, tzinfo=UTC).date()}, columns=["weight", "day", "seal"]
    ),
    "list by a decimal": lambda client: client.list("parcels", where={"weight": Decimal("1.25")}),
    "list of uuids": lambda client: client.list("parcels"),
    "list behind a uuid": lambda client: client.list("parcels", after=str(PARCEL)),
    "get": lambda client: client.get("statements", "u1"),
    "get a number": lambda client: client.get("domains", 1),
    "get a number as text": lambda client: client.get("domains", "1"),
    "get a uuid": lambda client: client.get("parcels", PARCEL),
    "get a uuid as text": lambda client: client.get("parcels", str(PARCEL)),
    "get scoped": lambda client: client.get("themes", 1),
    "verdicts": lambda client: client.verdicts("content", "c1"),
    "verdicts on a version": lambda client: [client.verdicts("content", "c1", n) for n in (0, 1)],
    "no verdicts": lambda client: client.verdicts("parcels", str(PARCEL)),
    "explain": lambda client: client.explain("domains", 1),
    "explain a uuid": lambda client: client.explain("parcels", str(PARCEL)),
    "first of follow": lambda client: list(islice(client.follow("statements", "u1"), 1)),
    "history": lambda client: client.ledger.history("statements", "u1"),
    "history of a uuid": lambda client: client.ledger.history("parcels", PARCEL),
    "history of one axis": lambda client: client.ledger.history("domains", 2, axis="curation_status"),
    "tail": lambda client: client.ledger.tail(),
    "tail behind": lambda client: client.ledger.tail(client.ledger.tail()[1][0], limit=3),
    "tail before": lambda client: client.ledger.tail(before=client.ledger.tail()[-2][0], limit=3),
    "tail of one": lambda client: client.ledger.tail(kind="themes", limit=2),
    "verify": lambda client: client.ledger.verify(),
    "verify one": lambda client: client.ledger.verify("statements", "u1"),
    "seals": lambda client: client.ledger.seals(),
    "prove": lambda client: without_instant(client.ledger.prove("parcels", PARCEL)),
    "as of": lambda client: client.ledger.as_of("statements", "u1", LATE),
    "counts as of": lambda client: sorted(client.ledger.counts_as_of(LATE, "statements"), key=str),
    "export": lambda client: [without_instant(line) for line in client.ledger.export()],
    "stages": lambda client: client.stages.list(),
    "schedules": lambda client: client.schedules.list(),
    "keys": lambda client: [replace(one, last_used_at=None) for one in client.keys.list()],
    "preview": lambda client: client.operations.preview(
        BulkCommand("statements", "why", act="move", axis="status", to="parsing", filter=RecordFilter())
    ),
    "preview of ids": lambda client: client.operations.preview(
        BulkCommand("domains", "why", act="move", axis="curation_status", to="Selected", ids=[1, 7])
    ),
    "operations": lambda client: client.operations.newest(),
    "figures": lambda client: "interlock_records" in client.metrics(),
}
REFUSALS: dict[str, tuple[Callable[[Client], Any], type[InterlockError]]] = {
    "hashes of nobody": (lambda client: client.ledger.hashes("statements", "nobody"), UnknownRecord),
    "seals of nobody": (lambda client: client.ledger.entry_seals("statements", "nobody"), UnknownRecord),
    "change from what was never known": (lambda client: client.change("statements", "0" * 12), BadInput),
    "change without an axis": (lambda client: client.change("domains", "0" * 12), BadInput),
    "no such kind": (lambda client: client.list("nothing"), UnknownKind),
    "no such kind to check": (lambda client: client.check("nothing"), UnknownKind),
    "no id at all": (lambda client: client.get("statements", ""), BadInput),
    "no such record": (lambda client: client.get("statements", "nobody"), UnknownRecord),
    "no id of this kind": (lambda client: client.get("domains", "x"), UnknownRecord),
    "no uuid": (lambda client: client.explain("parcels", "x"), UnknownRecord),
    "no history": (lambda client: client.ledger.history("statements", "nobody"), UnknownRecord),
    "nobody to follow": (
        lambda client: list(islice(client.follow("statements", "nobody"), 1)),
        UnknownRecord,
    ),
    "nobody's verdicts": (lambda client: client.verdicts("content", "c9"), UnknownRecord),
    "verdicts in no scope": (lambda client: client.verdicts("content", "c1", scope="north"), BadInput),
    "nothing to erase": (lambda client: client.erase("content", "c9", reason="asked to"), UnknownRecord),
    "not by a curator": (
        lambda client: client.erase("content", "c1", reason="asked to", role="curator"),
        NotPermitted,
    ),
    "facts that nothing holds": (
        lambda client: client.operations.create(
            BulkCommand("domains", "why", axis="curation_status", to="Maybe", ids=[1], facts={"title": 7})
        ),
        BadInput,
    ),
    "nothing to verify": (lambda client: client.ledger.verify("statements", "nobody"), UnknownRecord),
    "nothing to prove": (lambda client: client.ledger.prove("statements", "nobody"), UnknownRecord),
    "no such scope": (lambda client: client.list("themes", scope="north"), BadInput),
    "no such column": (lambda client: client.list("parcels", columns=["colour"]), UnknownKind),
    "a private column in a list": (lambda client: client.list("parcels", sort="secret"), UnknownKind),
    "sorted twice": (lambda client: client.list("parcels", sort="day", descending=True), BadInput),
    "no place in the list": (lambda client: client.list("parcels", sort="day", after="x"), BadInput),
    "pairs of one axis": (
        lambda client: client.pairs("domains", "curation_status", "curation_status"),
        BadInput,
    ),
    "no such window": (lambda client: client.activity("soon"), BadInput),
    "no such state": (lambda client: client.list("statements", where={"status": "lost"}), InterlockError),
    "no such axis": (lambda client: client.move("statements", "u0", color="red"), UnknownKind),
    "no such move": (
        lambda client: client.move("statements", "u0", status="normalized", reason="no"),
        InvalidStateTransition,
    ),
    "another version": (
        lambda client: client.move("statements", "u0", status="parsing", version=7),
        ConcurrentModificationError,
    ),
    "nothing to retry": (lambda client: client.retry("statements", "u0", reason="no"), InterlockError),
    "an instant in no zone": (
        lambda client: client.ledger.counts_as_of(datetime(2026, 1, 1)),  # noqa: DTZ001 that is the point
        BadInput,
    ),
    "a column that is private": (lambda client: client.admit("parcels", {"secret": "y"}), BadInput),
    "two axes": (lambda client: client.move("domains", 1, a="x", b="y"), BadInput),
    "too many rows under a key": (
        lambda client: client.admit_many("domains", [{"host": "x"}] * 501, key="k"),
        BadInput,
    ),
    "no such schedule": (lambda client: client.schedules.runs("statements", "nothing"), UnknownKind),
    "no such stage": (lambda client: client.stages.pause("statements", "nothing", reason="no"), UnknownKind),
    "no such operation": (lambda client: client.operations.get("op_nothing"), InterlockError),
    "a key for nobody": (lambda client: client.keys.create("", "viewer"), BadInput),
}


def without_instant(text: str) -> str:
    """When a proof or an export was made is in it."""
    return re.sub(r'"at": ?"[^"]+"', '"at":""', text, count=1)


def test_every_question_has_the_same_answer(both: Both) -> None:
    for name, ask in READS.items():
        assert ask(both.remote) == ask(both.local), name


def test_every_refusal_is_the_same_error_and_changes_nothing(both: Both) -> None:
    before = len(both.app.ledger.tail(limit=500))
    for name, (ask, kind) in REFUSALS.items():
        errors = []
        for client in (both.remote, both.local):
            with pytest.raises(kind) as refused:
                ask(client)
            errors.append(refused.value)
        assert [(type(one), one.code) for one in errors] == [(type(errors[0]), errors[0].code)] * 2, name
    assert len(both.app.ledger.tail(limit=500)) == before
    assert both.app.check().findings == []


@pytest.fixture(params=["local", "remote"])
def client(request: pytest.FixtureRequest, both: Both) -> Client:
    """One after the other: what a client does, it does alone."""
    chosen: Client = getattr(both, request.param)
    return chosen


def test_commands_are_done_by_the_clients_actor_and_entered(client: Client, both: Both) -> None:
    moved = client.move(
        "domains", "1", curation_status="Selected", reason="good", facts={"score": Decimal("0.5")}
    )
    assert (moved.id, moved.outcome, moved.old, moved.new, moved.version) == (
        1,
        "moved",
        "New",
        "Selected",
        1,
    )
    assert [(one.axis, one.new, one.id) for one in moved.driven] == [("processing_status", "Queued", 1)]
    assert both.app.get("domains", 1)["curation_status"] == "Selected"
    entry = both.app.ledger.history("domains", 1, axis="curation_status")[-1]
    assert (entry.actor, entry.reason, entry.facts) == ("ann", "good", {"score": "0.5"})
    assert client.move("domains", 1, curation_status="Selected").outcome == "unchanged"

    retried = client.retry("statements", "u1", reason="again")
    assert (retried.new, both.app.get("statements", "u1")["status"]) == ("queued_for_parse",) * 2
    cancelled = client.cancel("statements", "u1", reason="enough")
    assert (cancelled.new, both.app.get("statements", "u1")["status"]) == ("error", "error")
    assert [one.actor for one in both.app.ledger.history("statements", "u1")[-2:]] == ["ann", "ann"]

    amended = client.amend("parcels", str(PARCEL), facts={"note": "heavy"}, reason="weighed")
    assert (amended.id, amended.version) == (str(PARCEL), 1)
    assert both.app.get("parcels", PARCEL)["note"] == "heavy"
    assert both.app.check().findings == []


def test_a_command_under_a_key_is_done_once(client: Client, both: Both) -> None:
    first, again = (
        client.move("domains", 2, curation_status="Selected", reason="good", key="k") for _ in range(2)
    )
    assert first == again
    assert_history(both.app, "domains", 2, ["New", "Selected"], axis="curation_status")


def test_rows_are_admitted_with_values_of_their_columns_and_one_bad_row_stops_no_other(
    client: Client, both: Both
) -> None:
    good = {"id": UUID(int=7), "weight": Decimal("0.100"), "sent": LATE, "seal": b"\x01", "number": 3}
    answers = client.admit_many("parcels", [good, {"id": UUID(int=8), "number": "three"}], reason="by post")
    assert [(one.id, one.outcome) for one in answers] == [
        (str(UUID(int=7)), "admitted"),
        (str(UUID(int=8)), "refused"),
    ]
    assert isinstance(answers[1].error, BadInput)
    row = both.app.get("parcels", UUID(int=7))
    assert (row["weight"], row["seal"], row["number"]) == (Decimal("0.100"), b"\x01", 3)
    (entry,) = both.app.ledger.history("parcels", UUID(int=7))
    assert (entry.actor, entry.reason, entry.new) == ("ann", "by post", "packed")
    with pytest.raises(UnknownRecord):
        both.app.get("parcels", UUID(int=8))
    assert client.admit("statements", {"id": "u9", "file_hash": "h1"}).outcome == "exists"
    with pytest.raises(BadInput):
        client.admit("parcels", {"nothing": 1})


def test_operations_are_previewed_run_and_undone(client: Client, both: Both) -> None:
    command = BulkCommand(
        "domains",
        "all good",
        axis="curation_status",
        to="Selected",
        filter=RecordFilter({"curation_status": "New"}),
        facts={"score": Decimal("0.5")},
    )
    assert client.operations.preview(command).outcomes["moved"] == 2
    made = client.operations.create(command, key="bulk-1")
    assert client.operations.create(command, key="bulk-1").id == made.id
    assert (made.records, made.status, made.actor) == (2, "planned", "ann")
    seen: list[int] = []
    done = client.operations.run(made.id, progress=lambda one: seen.append(one.done))
    assert (done.status, done.outcomes["moved"], seen[-1]) == ("finished", 2, 2)
    assert [(one.id, one.outcome, one.new) for one in client.operations.items(made.id, limit=1)] == [
        ("1", "moved", "Selected")
    ]
    assert [one.as_dict()["from"] for one in client.operations.items(made.id)] == ["New", "New"]
    assert client.operations.preview_undo(made.id, reason="no").outcomes["moved"] == 2
    undo = client.operations.undo(made.id, reason="no")
    assert client.operations.run(undo.id).outcomes["moved"] == 2
    assert client.operations.get(made.id).undone_by == undo.id
    assert_history(both.app, "domains", 1, ["New", "Selected", "New"], axis="curation_status")
    assert both.app.ledger.history("domains", 1, axis="curation_status")[1].facts["score"] == "0.5"
    assert both.app.check().findings == []


def test_a_record_is_erased_once_per_key(client: Client, both: Both) -> None:
    first, again = (client.erase("content", "c1", reason="asked to", key="k") for _ in range(2))
    assert (first.outcome, first.old, first.version) == ("erased", "DRAFT", 1)
    assert again == first
    last = both.app.ledger.history("content", "c1")[-1]
    assert (last.origin, last.actor, last.role, last.reason) == ("erase", "ann", "admin", "asked to")
    with pytest.raises(UnknownRecord):
        client.get("content", "c1")


def test_a_bulk_move_has_facts_and_counts_what_rules_drove(client: Client, both: Both) -> None:
    command = BulkCommand(
        "domains", "good", axis="curation_status", to="Selected", ids=[1, 2], facts={"title": "T", "by": "x"}
    )
    made = client.operations.create(command)
    assert made.wanted["facts"] == {"title": "T", "by": "x"}
    done = client.operations.run(made.id)
    assert done.driven == [
        {"axis": "processing_status", "scope": None, "from": None, "to": "Queued", "records": 2}
    ]
    assert [both.app.get("domains", id)["title"] for id in (1, 2)] == ["T", "T"]
    moves = both.app.ledger.history("domains", 1, axis="curation_status")
    assert (moves[-1].new, moves[-1].facts) == ("Selected", {"title": "T", "by": "x"})


def test_stages_are_paused_and_resumed(client: Client, both: Both) -> None:
    until = client.stages.pause("statements", "parse", reason="a new layout", length="1h")
    (held,) = both.app.paused()
    assert (held.stage, held.actor, held.reason, held.until) == ("parse", "ann", "a new layout", until)
    assert until is not None
    assert timedelta(minutes=59) < until - both.app.clock.now() <= timedelta(hours=1)
    (paused,) = [one for one in client.stages.list() if one.paused]
    assert (paused.kind, paused.stage, paused.until) == ("statements", "parse", until)
    assert client.stages.resume("statements", "parse") == 1
    assert both.app.paused() == []


def test_keys_are_made_once_shown_once_and_revoked(client: Client, both: Both) -> None:
    made = client.keys.create("nightly", "viewer", expires="90d")
    assert made.key is not None
    assert made.key.startswith("ilk_")
    assert (made.scope, made.created_by, made.state) == ("viewer", "ann", "valid")
    (kept,) = [one for one in client.keys.list() if one.name == "nightly"]
    assert (kept.key, kept.expires_at) == (None, made.expires_at)
    assert client.keys.revoke("nightly").state == "revoked"


def test_history_is_sealed(client: Client, both: Both) -> None:
    (seal,) = client.ledger.seal()
    assert seal == both.app.ledger.seals()[-1]
    assert client.ledger.seal() == []
    covered = client.ledger.entry_seals("statements", "u1")
    assert covered == dict.fromkeys(client.ledger.hashes("statements", "u1"), EntrySeal(seal.number, seal.at))
    client.move("statements", "u0", status="parsing", reason="why")
    assert list(client.ledger.entry_seals("statements", "u0")) == [("status", None, 0)], (
        "v1 is not sealed yet"
    )
    assert client.ledger.verify().seals == 1


def test_a_record_is_followed_as_it_moves(client: Client, both: Both) -> None:
    following = client.follow("domains", 2)
    assert [one.new for one in next(following) if one.axis == "curation_status"] == ["New"]
    both.app.move("domains", 1, actor="eve", curation_status="Selected")
    both.app.move("domains", 2, actor="eve", curation_status="Selected")
    moves = next(entries for entries in following if any(one.new == "Selected" for one in entries))
    assert {one.id for one in moves} == {2}


def test_a_dry_run_needs_the_database_itself(both: Both) -> None:
    rehearsed = both.local.move("statements", "u0", status="parsing", dry_run=True)
    assert (rehearsed.outcome, rehearsed.new) == ("moved", "parsing")
    with pytest.raises(BadInput, match="the database itself"):
        both.remote.move("statements", "u0", status="parsing", dry_run=True)
    assert_history(both.app, "statements", "u0", ["queued_for_parse"])
    assert both.app.get("statements", "u0")["status"] == "queued_for_parse"


def test_a_private_key_is_never_sent(both: Both) -> None:
    with pytest.raises(BadInput, match="not sent to a service"):
        both.remote.ledger.seal("seal-key.pem")


def test_both_clients_keep_the_contract(both: Both) -> None:
    """Static in `mypy`; here for whoever adds a method to one of them only."""
    names = {name for name in dir(Client) if not name.startswith("_")}
    for client in (both.local, both.remote):
        assert names <= set(dir(client))
        for part in ("ledger", "operations", "stages", "schedules", "keys"):
            public = {name for name in dir(getattr(both.local, part)) if not name.startswith("_")}
            assert {name for name in public if callable(getattr(getattr(both.local, part), name))} <= set(
                dir(getattr(client, part))
            )
    assert isinstance(both.app.ledger, Ledger)


def test_what_is_no_address_and_who_does_not_answer_is_refused() -> None:
    with pytest.raises(BadInput, match="not the address of a service"):
        connect("file:///etc/passwd")
    with (
        closing(connect("http://127.0.0.1:9")) as nobody,
        pytest.raises(StoreUnavailable, match="does not answer"),
    ):
        nobody.counts()


def test_an_address_that_is_nearly_right_is_answered_with_what_to_change(both: Both) -> None:
    address = both.remote.address
    with closing(connect(f"{address}/shop")) as below, pytest.raises(NoSuchRoute) as refused:
        below.counts()
    assert refused.value.hint.startswith("Leave /shop out of the address")
    encrypted = connect(address.replace("http:", "https:"))
    with closing(encrypted), pytest.raises(StoreUnavailable, match="does not answer") as unanswered:
        encrypted.counts()
    assert unanswered.value.hint == f"It may speak plain HTTP: try {address}."


def test_without_the_packages_of_the_extra_a_service_is_refused_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("interlock.client.remote", "interlock.client.connection"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(BadInput, match="the package httpx") as refused:
        connect("http://127.0.0.1:9")
    assert "interlock[client]" in refused.value.hint


def test_workflows_and_a_database_make_a_client_that_closes_its_own_app(sqlite_url: str) -> None:
    client = connect(sqlite_url, workflows=[parcels()], actor="eve")
    client.app.migrate()
    made = client.admit("parcels", {"id": PARCEL})
    assert (made.id, client.ledger.history("parcels", made.id)[0].actor) == (str(PARCEL), "eve")
    assert client.address.startswith("sqlite:///")
    client.close()


@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        ({"counts": [{"kind": "a", "axis": "b", "scope": None, "state": "c", "records": 1, "new": 2}]}, None),
        ({"counts": [{"kind": "a"}]}, "a Count that lacks something"),
        ({}, "answered without 'counts'"),
        ([1], "answered without an object"),
        ("{", "does not answer"),
    ],
)
def test_a_newer_service_may_say_more_and_one_that_says_less_is_refused(
    answer: Any, refused: str | None
) -> None:
    async def answering(request: Any) -> Response:
        return Response(answer if isinstance(answer, str) else json.dumps(answer))

    with (
        served(Starlette(routes=[Route("/{path:path}", answering)])) as address,
        closing(connect(address)) as client,
    ):
        if refused is None:
            assert [one.records for one in client.counts()] == [1]
        else:
            with pytest.raises(StoreUnavailable, match=refused):
                client.counts()


def test_an_added_route_is_asked_for_by_the_path_that_it_was_declared_with(both: Both) -> None:
    remote = both.remote
    assert remote.request("GET", "/api/v1/counts") == remote.request("GET", "/counts")


def test_a_redirect_is_not_followed_with_the_key(both: Both) -> None:
    asked: list[str] = []

    async def away(request: Any) -> RedirectResponse:
        asked.append(request.headers["authorization"])
        return RedirectResponse(f"{both.remote.address}/api/v1/counts")

    with (
        served(Starlette(routes=[Route("/{path:path}", away)])) as address,
        closing(connect(address, key="ilk_x")) as client,
        pytest.raises(StoreUnavailable, match="answered 307"),
    ):
        client.counts()
    assert asked == ["Bearer ilk_x"]
