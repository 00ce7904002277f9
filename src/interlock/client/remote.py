"""The client of an app behind a service: asks its HTTP API, and answers in the values of the contract."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import IO, Any, Literal

from ..clock import Clock, SystemClock
from ..errors import BadInput, StoreUnavailable
from ..machine import State
from ..observe.activity import Activity, EdgeFlow, MovesThen, NeedCount, RetryingState, StateAge, StuckStage
from ..observe.explain import Condition, Explanation, Place, Possibility, RefusedAct
from ..observe.ledger import aware
from ..observe.records.listing import ListedRecord, Page
from ..observe.records.patterns import Pattern, ScopeState
from ..observe.verdicts import GateVerdict
from ..observe.working import DueRetry, ErrorHours, HeldAttempt, RefusedEvent, Working
from ..store.finding import Repair
from ..store.queue.coordinators import RegisteredCoordinator
from ..store.queue.runners import Registered
from ..store.verify.verify import Finding
from ..workflow import Answer
from .adoptions import RemoteAdoptions
from .api_words import (
    ANSWER_SECONDS,
    LONG_SECONDS,
    PAGE,
    admission_of,
    answer_of,
    cursor_of,
    id_behind,
    move_of,
    places,
    record_path,
    same_id,
    segment,
    timed,
    typed_pairs,
    value_of,
)
from .connection import Connection, Query
from .contract import (
    Answers,
    Moves,
    Verdicts,
)
from .convert import refuse_many
from .keys import RemoteKeys
from .ledger import RemoteLedger
from .operations import RemoteOperations
from .plain import plain
from .stages import RemoteSchedules, RemoteStages
from .values import (
    Attention,
    CheckReport,
    Count,
    ErrorGroup,
    Health,
    Id,
    MachineChange,
    MachineVersion,
    PairCount,
    Record,
    RecordFilter,
    Row,
)

FOLLOW_TRIES, FOLLOW_SECONDS = 30, 1.0
Json = dict[str, Any]


class RemoteClient:
    """One service; every act is that of whoever its API key belongs to."""

    def __init__(self, url: str, key: str | None = None, *, clock: Clock | None = None) -> None:
        self.connection, self.clock = Connection(url, key), clock or SystemClock()
        self.ledger = RemoteLedger(self.connection)
        self.operations = RemoteOperations(self.connection, self.clock)
        self.stages = RemoteStages(self.connection)
        self.schedules = RemoteSchedules(self.connection)
        self.adoptions = RemoteAdoptions(self.connection, self.clock)
        self.keys = RemoteKeys(self.connection)

    @property
    def address(self) -> str:
        return self.connection.url

    def close(self) -> None:
        self.connection.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query = (),
        body: Any = None,
        key: str | None = None,
        version: int | None = None,
        seconds: float = ANSWER_SECONDS,
    ) -> Any:
        """What a route answers that a workflow has added, as JSON; `path` is what follows /api/v1, or begins with it. `version`: only at
        this version of the record."""
        return self.connection.request(
            method, path, query=query, body=body, key=key, version=version, seconds=seconds
        )

    def download(self, path: str, *, query: Query = ()) -> Iterator[bytes]:
        """A long answer of such a route, piece by piece as it comes; one that breaks off raises."""
        return self.connection.pieces(path, query=query)

    def upload(self, path: str, name: str, file: IO[bytes], **form: str) -> Any:
        """What such a route answers to a form with this file and these fields; the file is read as it is sent."""
        return self.connection.upload(path, name, file, form)

    def health(self) -> Health:
        answer = self.connection.ask("GET", "/health")
        return Health(answer["version"], answer["database"])

    def machines(self, kind: str | None = None) -> list[Json]:
        path = "/machines" if kind is None else f"/{segment(kind)}/machines"
        machines: list[Json] = self.connection.ask("GET", path)["machines"]
        return machines

    def diagram(
        self,
        kind: str,
        axis: str,
        *,
        form: Literal["mermaid", "svg"] = "mermaid",
        counts: bool = False,
        scope: str | None = None,
    ) -> str:
        query = [("format", form), ("counts", "true" if counts else None), ("scope", scope)]
        return self.connection.text(f"/{segment(kind)}/machines/{segment(axis)}/diagram", query=query)

    def versions(self, kind: str) -> list[MachineVersion]:
        rows = self.connection.ask("GET", f"/{segment(kind)}/versions")["versions"]
        return [value_of(MachineVersion, {**one, "states": tuple(one["states"])}, "since") for one in rows]

    def change(
        self, kind: str, before: str, *, axis: str | None = None, after: str | None = None
    ) -> MachineChange:
        query = [("before", before), ("axis", axis), ("after", after)]
        answer = self.connection.ask("GET", f"/{segment(kind)}/change", query=query)
        stranded = [value_of(Count, one) for one in answer["stranded"]]
        return value_of(MachineChange, {**answer, "stranded": stranded})

    def counts(self, kind: str | None = None) -> list[Count]:
        path = "/counts" if kind is None else f"/{segment(kind)}/counts"
        return [value_of(Count, one) for one in self.connection.ask("GET", path)["counts"]]

    def pairs(self, kind: str, axis: str, by: str) -> list[PairCount]:
        query = [("axis", axis), ("by", by)]
        rows = self.connection.ask("GET", f"/{segment(kind)}/pairs", query=query)["pairs"]
        return [value_of(PairCount, one) for one in rows]

    def errors(self, kind: str | None = None, *, limit: int = 100) -> list[ErrorGroup]:
        path = "/errors" if kind is None else f"/{segment(kind)}/errors"
        groups = self.connection.ask("GET", path, query=[("limit", limit)])["errors"]
        return [value_of(ErrorGroup, one, "first", "last") for one in groups]

    def attention(self) -> list[Attention]:
        return [value_of(Attention, one) for one in self.connection.ask("GET", "/attention")["attention"]]

    def activity(self, window: str = "1h", *, at: datetime | None = None) -> Activity:
        query = [("window", window), ("at", None if at is None else aware(at).isoformat())]
        answer = self.connection.ask("GET", "/activity", query=query)
        return Activity(
            timed(answer, "at")["at"],
            answer["window"],
            [value_of(EdgeFlow, one) for one in answer["flows"]],
            [value_of(StateAge, one) for one in answer["ages"]],
            [value_of(StuckStage, one) for one in answer["stuck"]],
            [value_of(MovesThen, one, "at") for one in answer["moves"]],
            answer.get("is_whole", True),
            [value_of(RetryingState, one) for one in answer.get("retrying", ())],
            [value_of(NeedCount, one) for one in answer.get("needs", ())],
            [value_of(MovesThen, one, "at") for one in answer.get("minutes", ())],
        )

    def patterns(self, kind: str, axis: str | None = None, *, limit: int = 100) -> list[Pattern]:
        answer = self.connection.ask(
            "GET", f"/{segment(kind)}/patterns", query=[("axis", axis), ("limit", limit)]
        )
        return [
            Pattern(
                one["kind"], one["axis"], [value_of(ScopeState, at) for at in one["places"]], one["records"]
            )
            for one in answer["patterns"]
        ]

    def working(self, limit: int = 20) -> Working:
        answer = self.connection.ask("GET", "/working", query=[("limit", limit)])
        return Working(
            [value_of(HeldAttempt, one, "claimed_at", "beat_at", "lease_until") for one in answer["held"]],
            [value_of(DueRetry, one, "first") for one in answer["retries"]],
            [value_of(RefusedEvent, one, "at") for one in answer["refused"]],
            answer.get("due", []),
            [value_of(ErrorHours, one) for one in answer.get("errors", ())],
        )

    def check(self, kind: str | None = None, *, replay: bool = False) -> CheckReport:
        query = [("kind", kind), ("replay", "true" if replay else None)]
        answer = self.connection.ask("GET", "/check", query=query, seconds=LONG_SECONDS)
        findings = [value_of(Finding, one) for one in answer["findings"]]
        repairs = [value_of(Repair, one) for one in answer.get("repairs", ())]
        return CheckReport(
            answer["entries"], answer["chains"], findings, answer["notes"], answer["invariants"], repairs
        )

    def runners(self) -> list[Registered]:
        rows = self.connection.ask("GET", "/runners")["runners"]
        return [
            value_of(
                Registered, {**one, "stages": tuple(one["stages"])}, "started_at", "beat_at", "lease_until"
            )
            for one in rows
        ]

    def coordinators(self) -> list[RegisteredCoordinator]:
        rows = self.connection.ask("GET", "/runners")["coordinators"]
        return [value_of(RegisteredCoordinator, one, "started_at", "beat_at", "lease_until") for one in rows]

    def metrics(self) -> str:
        return self.connection.text("/metrics")

    def list(
        self,
        kind: str,
        *,
        where: Mapping[str, Any] | None = None,
        axis: str | None = None,
        scope: str | None = None,
        error: str | None = None,
        older: str | None = None,
        younger: str | None = None,
        text: str | None = None,
        limit: int = 50,
        after: Id = None,
        descending: bool = False,
        columns: Sequence[str] = (),
        sort: str | None = None,
        examine: int | None = None,
    ) -> Page:
        if sort is not None and descending:
            raise BadInput("a list is sorted by sort, or by descending ids, not by both")
        wanted = RecordFilter(where or {}, axis, scope, error, older, younger, text)
        narrowed: list[tuple[str, Any]] = [("where", one) for one in typed_pairs(wanted)]
        narrowed += [
            (name, getattr(wanted, name)) for name in ("axis", "scope", "error", "older", "younger", "text")
        ]
        narrowed += [("columns", name) for name in columns]
        narrowed += [("sort", sort), ("examine", examine)]
        records: list[ListedRecord] = []
        cursor = None if after is None else cursor_of(after) if sort is None else after
        while len(records) < limit:
            size = min(limit - len(records), PAGE)
            query = [*narrowed, ("limit", size), ("cursor", cursor), ("order", "-id" if descending else None)]
            page = self.connection.ask("GET", f"/{segment(kind)}/records", query=query)
            records += [
                ListedRecord(one["id"], places(one["where"]), one.get("columns", {}))
                for one in page["records"]
            ]
            cursor = page["next"]
            if cursor is None or examine is not None:
                break
        if sort is not None:
            return Page(records, cursor)
        if examine is not None:
            return Page(records, None if cursor is None else id_behind(cursor))
        return Page(records, records[-1].id if cursor is not None else None)

    def get(self, kind: str, id: Id) -> Record:
        answer = self.connection.ask("GET", record_path(kind, id))
        return Record(answer["kind"], answer["id"], answer["record"], places(answer["where"]))

    def explain(self, kind: str, id: Id) -> Explanation:
        answer = self.connection.ask("GET", f"{record_path(kind, id)}/why")
        return Explanation(
            answer["kind"],
            answer["id"],
            [value_of(Place, one, "since") for one in answer["where"]],
            answer["why"],
            [value_of(Condition, one) for one in answer["waits_for"]],
            [value_of(Possibility, one) for one in answer["next"]],
            [value_of(RefusedAct, one, "at") for one in answer.get("refusals", [])],
        )

    def verdicts(
        self, kind: str, id: Id, version: int | None = None, *, scope: str | None = None
    ) -> Verdicts:
        query = [("version", version), ("scope", scope)]
        answer = self.connection.request("GET", f"{record_path(kind, id)}/verdicts", query=query)
        return [GateVerdict(**timed(one, "at")) for one in answer["verdicts"]]

    def follow(self, kind: str, id: Id) -> Iterator[Moves]:
        """The history is read while the stream is already open, so that nothing is missed; a stream that breaks off is opened again."""
        cursor: str | None = None
        failed = 0
        while True:
            try:
                with self.connection.events("/live", query=[("kind", kind)], last=cursor) as events:
                    for event in events:
                        failed = 0
                        if event.event == "ready" and cursor is None:
                            yield self.ledger.history(kind, id)
                        elif event.event == "move" and same_id(json.loads(event.data)["id"], id):
                            yield [move_of(json.loads(event.data))]
                        cursor = event.id or cursor
            except StoreUnavailable:
                failed += 1
                if cursor is None or failed > FOLLOW_TRIES:  # it was never there, or has been away for long
                    raise
            self.clock.sleep(FOLLOW_SECONDS)

    def admit(self, kind: str, row: Row, *, reason: str | None = None, key: str | None = None) -> Answer:
        (answer,) = self.admit_many(kind, [row], reason=reason, key=key)
        if answer.error is not None:
            raise answer.error
        return answer

    def admit_many(
        self, kind: str, rows: Iterable[Row], *, reason: str | None = None, key: str | None = None
    ) -> Answers:
        every = [plain(row) for row in rows]
        refuse_many(every, key)
        answers: Answers = []
        for start in range(0, len(every), PAGE):
            body = {"rows": every[start : start + PAGE], "reason": reason}
            answer = self.connection.ask("POST", f"/{segment(kind)}/records", body=body, key=key)
            answers += [admission_of(one) for one in answer["answers"]]
        return answers

    def move(
        self,
        kind: str,
        id: Id,
        *,
        role: str | None = None,
        reason: str | None = None,
        version: int | None = None,
        scope: str | None = None,
        facts: Row | None = None,
        key: str | None = None,
        override: bool = False,
        dry_run: bool = False,
        **axis: State,
    ) -> Answer:
        if len(axis) != 1:
            raise BadInput(f"a move names exactly one axis, not {', '.join(axis) or 'none'}")
        ((name, to),) = axis.items()
        body = {
            "axis": name,
            "to": to,
            "reason": reason,
            "version": version,
            "scope": scope,
            "role": role,
            "facts": plain(facts or {}),
            "override": override,
        }
        return self._done(f"{record_path(kind, id)}/moves", body, dry_run, key)

    def retry(
        self,
        kind: str,
        id: Id,
        *,
        reason: str,
        role: str | None = None,
        scope: str | None = None,
        dry_run: bool = False,
    ) -> Answer:
        body = {"reason": reason, "scope": scope, "role": role}
        return self._done(f"{record_path(kind, id)}/retry", body, dry_run)

    def cancel(
        self,
        kind: str,
        id: Id,
        *,
        reason: str,
        role: str | None = None,
        scope: str | None = None,
        axis: str | None = None,
        dry_run: bool = False,
    ) -> Answer:
        body = {"reason": reason, "scope": scope, "role": role, "axis": axis}
        return self._done(f"{record_path(kind, id)}/cancel", body, dry_run)

    def amend(
        self,
        kind: str,
        id: Id,
        *,
        facts: Row,
        reason: str,
        role: str | None = None,
        version: int | None = None,
        axis: str | None = None,
    ) -> Answer:
        body = {"facts": plain(facts), "reason": reason, "role": role, "version": version, "axis": axis}
        return self._done(f"{record_path(kind, id)}/amend", body, False)

    def erase(self, kind: str, id: Id, *, reason: str, role: str = "admin", key: str | None = None) -> Answer:
        body = {"reason": reason, "role": role}
        answer = self.connection.request("POST", f"{record_path(kind, id)}/erase", body=body, key=key)
        return Answer(answer["id"], answer["outcome"], answer["old_status"], None, answer["version"])

    def _done(self, path: str, body: Json, dry_run: bool, key: str | None = None) -> Answer:
        if dry_run:
            raise BadInput(
                "a service cannot rehearse: a dry run needs the database itself",
                hint="Leave it out; or run it where the database is reached, without --url.",
            )
        return answer_of(self.connection.ask("POST", path, body=body, key=key))
