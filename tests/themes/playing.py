"""Two pipelines, two runners, resets and reassignments, played by Hypothesis: whatever happens in one pipeline leaves the other alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlalchemy import func, select, text

from interlock import Done, Failed
from interlock.clock import FrozenClock
from interlock.errors import InterlockError
from interlock.runner.executors.tasks import Finished, Task
from interlock.testing.playground import PlayGround
from interlock.workflows.themes.compat import compat_fields
from interlock.workflows.themes.extraction.mentions import Mention
from interlock.workflows.themes.invariants import MOST_ATTEMPTS, QUERIES
from interlock.workflows.themes.options import Options
from interlock.workflows.themes.sources import add_source, reassign
from interlock.workflows.themes.tables import (
    PIPELINES,
    STATUSES,
    content_items,
    pipeline_state,
    theme_mentions,
)
from interlock.workflows.themes.workflow import EXTRACTION, declare

WORKFLOW = declare(Options(fetch=False))
MENTIONS = [Mention("AI chips", "ai_chip", ("NVDA",), "bullish", 0.9, "x")]
OUTCOMES: dict[str, Callable[[], Any]] = {
    "themes": lambda: Done(list(MENTIONS)),
    "no themes": lambda: Done([], empty=True, empty_results=2),
    "first empty": lambda: Failed("empty_result", "no themes", empty_results=1),
    "garbage": lambda: Failed("llm_response_parse_error", "no list"),
    "down": lambda: Failed("llm_provider_unavailable", "nobody answers"),
    "rejected": lambda: Failed("provider_rejected", "no", final=True),
    "no quota": lambda: Failed("provider_quota_exhausted", "none left", final=True, pause="1h"),
}
NUMBER = st.integers(0, 50)
PIPELINE = st.sampled_from(PIPELINES)


class HeldWork:
    """An executor whose work ends when, and as, the play says."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.tasks: dict[str, Task] = {}
        self.finished: list[Finished] = []

    def free(self, stage: Any) -> int:
        return max(0, self.capacity - len(self.tasks))

    def submit(self, task: Task) -> None:
        self.tasks[task.token] = task

    def collect(self, wait: float) -> list[Finished]:
        finished, self.finished = self.finished, []
        return finished

    def queued(self) -> int:
        return 0

    def running(self) -> list[Task]:
        return list(self.tasks.values())

    def cancel(self, token: str) -> None:
        if token in self.tasks:
            self.tasks[token].work.cancelled = True

    def close(self, grace: float) -> list[Task]:
        return list(self.tasks.values())

    def wake(self) -> None:
        """Nobody waits here."""

    def end(self, token: str, outcome: Any) -> None:
        self.finished.append(Finished(self.tasks.pop(token), outcome))


def run_here(run: Callable[[], None]) -> None:
    run()


class TwoPipelines(RuleBasedStateMachine):
    """Plays the themes workflow on one database."""

    ground: ClassVar[PlayGround] = PlayGround(None)

    @initialize()
    def begin(self) -> None:
        self.app = self.ground.open_app(WORKFLOW)
        self.app.migrate()
        clock = self.app.clock
        self.time: FrozenClock = getattr(clock, "inner", clock)
        self.coordinator = self.app.coordinator(start=run_here)
        self.executors = [HeldWork(3), HeldWork(2)]
        self.runners = [
            self.app.runner(
                executor,
                name=name,
                capacity=executor.capacity,
                ticks=lambda: self.app.clock.now().timestamp(),
            )
            for name, executor in zip(("one", "two"), self.executors, strict=True)
        ]
        self.sources = [
            add_source(self.app, name=str(number), source_type="news", pipelines=list(fed))["id"]
            for number, fed in enumerate((PIPELINES, PIPELINES[:1]))
        ]
        self.items: list[int] = []
        for number in range(4):
            self.arrive(number % 2)
        self.work(0)

    def rows(self, pipeline: str) -> dict[int, dict[str, Any]]:
        """The state rows of a pipeline, by item."""
        query = select(pipeline_state).where(pipeline_state.c.pipeline == pipeline)
        with self.app.database.read() as tx:
            return {row["content_item_id"]: dict(row) for row in tx.execute(query).mappings()}

    def mentioned(self, pipeline: str) -> dict[int, int]:
        """How many mentions each item has in a pipeline."""
        item = theme_mentions.c.content_item_id
        query = select(item, func.count()).where(theme_mentions.c.pipeline == pipeline).group_by(item)
        with self.app.database.read() as tx:
            return {int(row[0]): int(row[1]) for row in tx.execute(query)}

    def seen(self, pipeline: str) -> Any:
        return self.rows(pipeline), self.mentioned(pipeline)

    @rule(source=st.integers(0, 1))
    def another_item(self, source: int) -> None:
        self.arrive(source)

    def arrive(self, source: int) -> None:
        row = {
            "source_id": self.sources[source],
            "source_type": "news",
            "external_id": f"e{len(self.items)}",
            "title": "T",
            "content": "C",
        }
        self.items.append(self.app.admit("themes", row, actor="ann").id)

    @rule(number=st.integers(0, 1))
    def work(self, number: int) -> None:
        """What waits is dispatched, and one runner takes what it can."""
        for runner in self.runners:
            runner.renew()
        self.coordinator.step()
        self.runners[number].step()

    @rule(number=NUMBER, how=st.sampled_from(sorted(OUTCOMES)))
    def end(self, number: int, how: str) -> None:
        """One attempt ends: its pipeline's row goes where the outcome says, or stays if the attempt is no longer the current one."""
        held = [(at, token) for at, one in enumerate(self.executors) for token in one.tasks]
        if (
            not held
        ):  # no precondition: delays of retries are random, and what is drawn may not depend on them
            return
        at, token = held[number % len(held)]
        work = self.executors[at].tasks[token].work
        mine, other = str(work.scope), next(one for one in PIPELINES if one != work.scope)
        before, others, is_current = self.seen(mine), self.seen(other), self.is_current(token)
        self.executors[at].end(token, OUTCOMES[how]())
        self.runners[at].gather(0.0)
        self.runners[at].report()
        self.coordinator.applier.step()
        assert self.seen(other) == others
        rows, mentions = self.seen(mine)
        assert {id: row for id, row in rows.items() if id != work.id} == {
            id: row for id, row in before[0].items() if id != work.id
        }
        if not is_current:
            assert (rows, mentions) == before
            return
        row = rows[work.id]
        assert row["version"] == before[0][work.id]["version"] + 1
        if how in ("themes", "no themes"):
            assert (row["status"], mentions.get(work.id, 0)) == (
                "processed",
                len(OUTCOMES[how]().result or ()),
            )
        elif how in ("rejected", "no quota") or row["attempt_count"] >= MOST_ATTEMPTS:
            assert row["status"] == "failed_terminal"
        else:
            assert row["status"] == "failed_retryable"

    def is_current(self, token: str) -> bool:
        query = text("SELECT count(*) FROM interlock_work WHERE token = :token AND claimed_by IS NOT NULL")
        with self.app.database.read() as tx:
            return bool(tx.execute(query, {"token": token}).scalar())

    @rule(number=NUMBER, pipeline=PIPELINE)
    def reset(self, number: int, pipeline: str) -> None:
        item, other = self.items[number % len(self.items)], next(one for one in PIPELINES if one != pipeline)
        before, others = self.rows(pipeline), self.seen(other)
        answer = self.app.move_many(
            "themes", [item], scope=pipeline, status="pending", actor="olga", role="operator", reason="again"
        )[0]
        status = before[item]["status"] if item in before else None
        expected = {None: "unknown", "pending": "unchanged"}.get(
            status, "moved" if status in ("processed", "failed_terminal") else "refused"
        )
        assert answer.outcome == expected, (status, answer)
        assert self.seen(other) == others
        if answer.outcome == "moved":
            row = self.rows(pipeline)[item]
            assert (row["attempt_count"], row["processed_at"], row["empty_results"]) == (0, None, None)

    @rule(number=NUMBER, pipeline=PIPELINE, to=st.sampled_from(STATUSES))
    def shortcut(self, number: int, pipeline: str, to: str) -> None:
        """A move that the contract does not have is refused, whoever asks."""
        item, rows = self.items[number % len(self.items)], self.rows(pipeline)
        status = rows[item]["status"] if item in rows else None
        if status in (None, to) or EXTRACTION.allows(status, to):
            return
        both = [self.seen(one) for one in PIPELINES]
        try:
            self.app.move(
                "themes", item, scope=pipeline, status=to, actor="eve", role="admin", reason="in a hurry"
            )
        except InterlockError:
            assert [self.seen(one) for one in PIPELINES] == both
        else:
            raise AssertionError(f"{status} → {to} was made")

    @rule(source=st.integers(0, 1), fed=st.sets(PIPELINE))
    def reassign(self, source: int, fed: set[str]) -> None:
        before = {one: self.rows(one) for one in PIPELINES}
        answer = reassign(
            self.app,
            self.sources[source],
            pipelines=sorted(fed),
            actor="olga",
            role="operator",
            reason="another view",
        )
        ended, added = 0, 0
        for pipeline in PIPELINES:
            rows = self.rows(pipeline)
            added += len(rows) - len(before[pipeline])
            for item, old in before[pipeline].items():
                if rows[item] == old:
                    continue
                assert (old["status"], rows[item]["status"]) == ("in_progress", "failed_retryable")
                assert rows[item]["error_code"] == "source_pipeline_removed"
                assert pipeline not in fed
                ended += 1
        assert (answer["rows_added"], answer["rows_ended"]) == (added, ended)

    @rule(seconds=st.sampled_from([5, 40, 300, 4000]))
    def wait(self, seconds: int) -> None:
        self.time.advance(timedelta(seconds=seconds))
        for runner in self.runners:
            runner.renew()
        self.coordinator.step()

    @invariant()
    def contract_holds(self) -> None:
        if not hasattr(self, "app"):
            return
        with self.app.database.read() as tx:
            broken = {id: [row[0] for row in tx.execute(query())] for id, query in QUERIES.items()}
            items = tx.execute(select(content_items)).mappings().all()
        assert not any(broken.values()), broken
        states = {one: self.rows(one) for one in PIPELINES}
        for item in items:
            rows = {one: states[one][item["id"]] for one in PIPELINES if item["id"] in states[one]}
            if rows:
                expected = compat_fields(rows)
                assert {name: item[name] for name in expected} == expected, item["id"]

    def teardown(self) -> None:
        if hasattr(self, "app"):
            assert self.app.check().findings == []
            self.app.close()
