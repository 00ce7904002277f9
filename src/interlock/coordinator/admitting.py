"""Records that stages found become records: admitted in batches, each answered, bad ones recorded and left behind."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..authority.working import typed
from ..errors import UnknownKind
from ..store import intake, tallies, verdicts
from ..store.intake import Arrival
from ..workflow import Answer

if TYPE_CHECKING:
    from .coordinator import Coordinator

BATCH = 1_000


class Admitter:
    """The intake's other end."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator

    def step(self) -> int:
        with self.on.database.write() as tx:
            arrivals = intake.waiting(self.on.work, tx, BATCH)
            by_kind: dict[str, list[Arrival]] = {}
            for one in arrivals:
                by_kind.setdefault(one.kind, []).append(one)
            count: Counter[tallies.Key] = Counter()
            for kind, some in by_kind.items():
                for one, answer in zip(some, self._admit(tx, kind, some), strict=True):
                    count[(kind, "", "", answer.outcome)] += 1
                    if answer.error is not None:
                        verdicts.record(tx, [verdicts.Refusal(
                            one.source_kind, one.source_id, "", "", "report", one.token, "refused", answer.error.code,
                            f"a record it found was not admitted: {answer.error.message}"[:4000], kind, "coordinator",
                            self.on.clock.now())])
            if arrivals:
                intake.remove(self.on.work, tx, [one.position for one in arrivals])
                tallies.keep(self.on.work, tx, count)
        return len(arrivals)

    def _admit(self, tx: object, kind: str, some: list[Arrival]) -> list[Answer]:
        workflow = self.on.workflows.get(kind)
        if workflow is None:
            error = UnknownKind(f"this app has no workflow {kind!r}", kind=kind)
            return [Answer(None, "refused", error=error) for _ in some]
        sources = {f"{one.source_kind} {one.source_id}" for one in some}
        reason = f"found by {next(iter(sources))}" if len(sources) == 1 else None
        rows = [{name: typed(workflow.records, name, value) for name, value in one.record.items()} for one in some]
        return self.on.authority.admit_many(workflow, rows, actor="coordinator", reason=reason, tx=tx)
