"""What nobody reported: leases that ran out, deadlines, rows that run without work, rows that wait unseen. No leader, no memory needed."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ..authority.working import Transit
from ..store import counters, runners, tallies
from ..store.attempts import Issue, tokens
from ..store.waiting import Candidate
from .decide import Report
from .dispatch import next_version
from .posts import Post
from .speech import log

if TYPE_CHECKING:
    from .coordinator import Coordinator

BATCH = 500
SLICE = 10_000
FORGET_RUNNERS = timedelta(hours=1)


class Sweeper:
    """Each repair is one short transaction, and is counted."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator
        self._patrols: dict[tuple[str, str], Any] = {}

    def step(self) -> int:
        count = self.expire() + self.enforce_deadlines() + self.requeue() + self.reslot()
        for post in self.on.posts.values():
            for scope in post.scopes:
                count += self.patrol(post, scope)
        count += self.on.standing.step()
        self._tidy()
        return count

    def expire(self) -> int:
        """Runners that were not heard of: whoever ends the attempt counts it."""
        with self.on.database.write() as tx:
            found = self.on.work.expired(tx, self.on.posts, BATCH)
            if found:
                log.warning("%d leases ran out: %s", len(found), ", ".join(sorted({one.claimed_by or "?" for one in found})))
            self.on.applier.end(tx, [(one, Report("expired", "LEASE_EXPIRED", f"runner {one.claimed_by} was not heard of any more"))
                                     for one in found], reported=False)
            if found:
                self.on.transport.within(tx, "work")
        if found:
            self.on.transport.after("work")
        return len(found)

    def enforce_deadlines(self) -> int:
        """Claimed longer ago than the stage allows; where the stage can look whether it was done after all, a runner is asked first."""
        count = 0
        for post in self.on.posts.values():
            if post.stage.deadline is None:
                continue
            with self.on.database.write() as tx:
                late = self.on.work.overdue(tx, post.name, post.stage.deadline, BATCH)
                asked = 0
                if post.stage.rechecker is not None:
                    asked, late = self.on.rechecks.unanswered(tx, late)
                message = f"{post.stage.name} took longer than {post.stage.deadline}"
                if asked:
                    self.on.transport.within(tx, "work", [post.name])
                count += self.on.applier.end(tx, [(one, Report("overdue", "DEADLINE", message)) for one in late], reported=False)
            if asked:
                self.on.transport.after("work", [post.name])
        return count

    def requeue(self) -> int:
        """Failed, and due to wait for the same stage again; the tries stay counted."""
        count = 0
        for post in self.on.posts.values():
            if post.stage.failed is None or post.stage.failed in post.stage.waiting or not post.stage.retry:
                continue
            for scope in post.scopes:
                with self.on.database.write() as tx:
                    count += self._requeue(tx, post, scope)
        return count

    def _requeue(self, tx: Connection, post: Post, scope: str) -> int:
        now = self.on.clock.now()
        alike: dict[Any, list[Candidate]] = {}
        for one in post.queue.requeued(tx, scope, BATCH):
            alike.setdefault((one.tries, *one.error), []).append(one)
        moved = 0
        for (tries, code, message), rows in alike.items():
            kept = {"tries": tries, "error_code": code, "error_message": message}  # the next try is told what went wrong in the last
            transit = Transit(post.workflow, post.axis, post.stage.declared_waiting, "retry.due", scope, columns=kept)
            answers = self.on.move(tx, transit, [one.seen for one in rows], None, now)
            moved += sum(answer.outcome == "moved" for answer in answers.values())
        return moved

    def reslot(self) -> int:
        """Attempts that waited for their next try without a slot get one again, once they are due."""
        count = 0
        for post in self.on.posts.values():
            if post.stage.limit is None and post.stage.per_key is None:
                continue
            with self.on.database.write() as tx:
                count += self.on.limits.reslot(tx, post)
        return count

    def patrol(self, post: Post, scope: str) -> int:
        """A slice of the records by id: those that run without a work row, and those that wait although nothing keeps them."""
        key = (post.name, scope)
        with self.on.database.read() as tx:
            running, waiting, end = post.queue.astray(tx, scope, self._patrols.get(key), SLICE)
        self._patrols[key] = end
        if not running and not waiting:
            return 0
        now = self.on.clock.now()
        with self.on.database.write() as tx:
            repaired = self._reissue(tx, post, scope, running)
            post.queue.rest(tx, scope, waiting, now)
            tallies.keep(self.on.work, tx, Counter({(post.workflow.name, post.stage.name, scope, "repaired"): repaired + len(waiting)}))
            if repaired:
                self.on.transport.within(tx, "work")
        if repaired:
            self.on.transport.after("work")
        log.warning("%s: %d records ran without work, %d waited unseen", post.name, repaired, len(waiting))
        return repaired + len(waiting)

    def _reissue(self, tx: Connection, post: Post, scope: str, running: list[Candidate]) -> int:
        """Work rows first; then a new attempt by the version of the plain read: a lock taken after it could hide a work row."""
        if not running:
            return 0
        keyed = post.stage.per_key is not None  # its slot comes later, with the others that wait for one
        issues = [Issue(str(one.seen.key), one.attempt + 1, token, limit_key=one.limit_key or "" if keyed else None,
                        version=next_version(one.seen))
                  for one, token in zip(running, tokens(len(running)), strict=True)]
        issued = self.on.work.issue(tx, post.workflow.name, post.axis.name, scope, post.name, issues)
        rows = [one.seen for one in running if str(one.seen.key) in issued]
        transit = Transit(post.workflow, post.axis, post.stage.running, "work.lost", scope, "reissue", counted=("attempt",))
        answers = self.on.move(tx, transit, rows, None, self.on.clock.now())
        moved = {str(key) for key, answer in answers.items() if answer.outcome == "moved"}
        if lost := [name for name in issued if name not in moved]:
            self.on.work.remove_of(tx, post.workflow.name, post.axis.name, scope, lost)
        return len(moved)

    def _tidy(self) -> None:
        """Counters and tallies are folded, runners long gone are forgotten."""
        with self.on.database.write() as tx:
            counters.fold(self.on.database, tx)
            tallies.fold(self.on.work, tx)
            runners.forget_dead(self.on.work, tx, FORGET_RUNNERS)
