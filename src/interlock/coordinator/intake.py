"""Children become records: admitted in batches once their report was applied, each answered; bad ones are recorded and left behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from sqlalchemy import Connection

from ..errors import BadInput, InterlockError, StoreError, UnknownKind
from ..store.connect import settling
from ..store.faults import LostRace, is_driver_error, is_lost_race, translate
from ..store.records import verdicts
from ..store.work import children as intake
from ..store.work import outcome_counts
from ..store.work.children import Arrivals
from ..workflow import Answer, Workflow
from ..workflow.columns.python_types import python_type_of
from .move_log import log

if TYPE_CHECKING:
    from .coordinator import Coordinator

BATCH = 2_000
CHUNKS = 1_000


class Arrival(NamedTuple):
    """One record that is to be admitted, or why it cannot be one."""

    record: dict[str, Any] | str
    source: Arrivals


class Admitter:
    """Admits the records that stages returned in `Done(admits=…)`, in batches."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator
        self._readers: dict[str, dict[str, Callable[[Any], Any]]] = {}

    def step(self) -> int:
        """One batch of children whose reports were applied; how many records were answered or dropped."""
        with self.on.database.write() as tx:
            due = intake.due(self.on.work, tx, CHUNKS)
            dropped = [one for one in due if not one.is_applied]
            chosen: list[int] = []
            size = 0
            for one in due:
                if one.is_applied and (size < BATCH or not chosen):
                    chosen.append(one.position)
                    size += one.size
            if not chosen and not dropped:
                return 0
            count = self._admit_chunks(tx, intake.read(self.on.work, tx, chosen)) if chosen else 0
            intake.remove(self.on.work, tx, [*chosen, *(one.position for one in dropped)])
            return count + self._dropped(sum(one.size for one in dropped))

    def _dropped(self, records: int) -> int:
        if records:
            log.warning(
                "%d records were not admitted: the report that brought them was refused or came too late",
                records,
            )
        return records

    def _admit_chunks(self, tx: Connection, chunks: list[Arrivals]) -> int:
        alike: dict[tuple[str, str | None, str | None], list[Arrival]] = {}
        for chunk in chunks:
            some = alike.setdefault((chunk.kind, chunk.actor, chunk.reason), [])
            some += [Arrival(record, chunk) for record in chunk.records]
        count: Counter[outcome_counts.Key] = Counter()
        refused: list[verdicts.Refusal] = []
        for (kind, actor, reason), some in alike.items():
            for one, answer in zip(some, self._admit(tx, kind, actor, reason, some), strict=True):
                count[kind, "", "", answer.outcome] += 1
                if answer.error is not None:
                    refused.append(self._refusal(one.source, kind, answer.error))
        verdicts.record(tx, refused)
        outcome_counts.keep(self.on.work, tx, count)
        return sum(count.values())

    def _refusal(self, source: Arrivals, kind: str, error: InterlockError) -> verdicts.Refusal:
        return verdicts.Refusal(
            source.source_kind,
            source.source_id,
            "",
            "",
            "report",
            source.token,
            "refused",
            error.code,
            f"a record it found was not admitted: {error.message}"[:4000],
            kind,
            "coordinator",
            self.on.clock.now(),
        )

    def _admit(
        self, tx: Connection, kind: str, actor: str | None, reason: str | None, some: list[Arrival]
    ) -> list[Answer]:
        workflow = self.on.workflows.get(kind)
        if workflow is None:
            unknown = UnknownKind(f"this app has no workflow {kind!r}", kind=kind)
            return [Answer(None, "refused", error=unknown) for _ in some]
        answers: dict[int, Answer] = {}
        rows: dict[int, dict[str, Any]] = {}
        for number, one in enumerate(some):
            if isinstance(one.record, str):
                answers[number] = Answer(None, "refused", error=BadInput(one.record))
            elif why := self._unfit(workflow, one.record):
                answers[number] = Answer(None, "refused", error=BadInput(why))
            else:
                rows[number] = one.record
        sources = {f"{one.source.source_kind} {one.source.source_id}" for one in some}
        because = (
            reason if reason is not None else f"found by {next(iter(sources))}" if len(sources) == 1 else None
        )
        answers |= self._isolated(tx, workflow, rows, actor or "coordinator", because)
        return [answers[number] for number in range(len(some))]

    def _isolated(
        self,
        tx: Connection,
        workflow: Workflow,
        rows: Mapping[int, dict[str, Any]],
        actor: str,
        reason: str | None,
    ) -> dict[int, Answer]:
        """Admit these; whatever one of them makes the admission raise refuses that one, however it was raised."""
        if not rows:
            return {}

        def admit() -> list[Answer]:
            return self.on.authority.admit_many(workflow, rows.values(), actor=actor, reason=reason, tx=tx)

        try:
            with tx.begin_nested():
                answers = settling(tx, admit)() if self.on.isolates_failures else admit()
                return dict(zip(rows, answers, strict=True))
        except Exception as error:
            fault = _fault(error)
            if fault is None:
                raise
            if len(rows) == 1:
                log.warning(
                    "%s: a record that was found cannot be admitted: %s", workflow.name, fault.message
                )
                return {number: Answer(None, "refused", error=fault) for number in rows}
        numbers = list(rows)
        half = len(numbers) // 2
        parts = ({number: rows[number] for number in part} for part in (numbers[:half], numbers[half:]))
        first, second = (self._isolated(tx, workflow, part, actor, reason) for part in parts)
        return first | second

    def _unfit(self, workflow: Workflow, record: dict[str, Any]) -> str | None:
        """Why a record cannot be one; values that travelled as text become their columns' own types in place."""
        if workflow.name not in self._readers:
            self._readers[workflow.name] = _readers(workflow)
        for name, read in self._readers[workflow.name].items():
            value = record.get(name)
            if value is not None:
                try:
                    record[name] = read(value)
                except (ValueError, ArithmeticError, TypeError, AttributeError):
                    return f"{name!r} cannot be {value!r:.200}"
        return None


def _readers(workflow: Workflow) -> dict[str, Callable[[Any], Any]]:
    """How a JSON value becomes a column's, for the columns that take text or what travels as text."""
    found = {}
    for column in workflow.records.columns:
        kind = python_type_of(column.type)
        if kind in _FROM_JSON and column.name not in workflow.axes:
            found[column.name] = _FROM_JSON[kind]
    return found


def _text(value: Any) -> Any:
    """A value for a column of text: numbers are the database's to judge, lists and mappings are no text."""
    if isinstance(value, list | dict):
        raise TypeError("a list or mapping is no text")
    return value


def _decimal(value: Any) -> Any:
    return Decimal(value) if isinstance(value, str) else _text(value)


_FROM_JSON: dict[type[Any], Callable[[Any], Any]] = {
    str: _text,
    datetime: datetime.fromisoformat,
    date: date.fromisoformat,
    Decimal: _decimal,
    UUID: UUID,
}


def _fault(error: Exception) -> InterlockError | None:
    """What an admission raised, as a refusal; None where the database is away or a race was lost, which is no fault of the row."""
    if isinstance(error, StoreError | LostRace) or is_lost_race(error):
        return None
    if is_driver_error(error):
        told = translate(error)
        return None if isinstance(told, StoreError) else told
    if isinstance(error, InterlockError):
        return error
    return BadInput(f"{type(error).__name__}: {error}"[:500].encode("utf-8", "backslashreplace").decode())
