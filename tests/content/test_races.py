"""Many workers on the same content: each item is promoted once and is in one table at every instant; reject and approve never both win."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from random import Random

import pytest
from sqlalchemy import text

from interlock import Answer, App
from interlock.errors import ConcurrentModificationError, InterlockError, StoreBusy
from interlock.testing import Sandbox
from interlock.workflows.content.acts import approve, promote, reject, submit_many
from interlock.workflows.content.commands.source import Local
from interlock.workflows.content.workflow import declare
from tests.content.items import OPERATOR
from tests.content.sample_items import sample_item

MADE_AT_ONCE = 200

APART = text(
    "SELECT count(*) FROM content_spine s WHERE "
    "(CASE WHEN EXISTS (SELECT 1 FROM drafts d WHERE d.item_id = s.item_id) THEN 1 ELSE 0 END) "
    "<> (CASE WHEN s.state = 'DRAFT' THEN 1 ELSE 0 END) OR "
    "(CASE WHEN EXISTS (SELECT 1 FROM candidates c WHERE c.item_id = s.item_id) THEN 1 ELSE 0 END) "
    "<> (CASE WHEN s.state = 'CANDIDATE' THEN 1 ELSE 0 END)"
)
"""Items that are not in exactly the table of their state; one statement sees one instant."""


def opened(url: str) -> App:
    return App([declare()], database=url)


def together(*acts: Callable[[], None]) -> None:
    """Run all of them at once, each in a thread; a fault of any is raised."""
    faults: list[BaseException] = []
    start = threading.Barrier(len(acts))

    def run(act: Callable[[], None]) -> None:
        start.wait(30)
        try:
            act()
        except BaseException as fault:  # noqa: BLE001 raised below, in the thread that asked
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def insist(act: Callable[[], Answer]) -> Answer:
    """Do it, as often as the database is too busy to begin: many writers on one SQLite file wait for their turn in no order."""
    while True:
        try:
            return act()
        except StoreBusy:
            continue


def promote_everything(url: str, items: int, workers: int) -> None:
    """Let all workers promote the same drafts, each in an order of its own, while somebody looks at every instant."""
    with closing(opened(url)) as app:
        app.migrate()
        ids = [f"i{number:04}" for number in range(items)]
        rows = [
            {
                "item_id": id,
                "item_type": "meaning",
                "language": "EN",
                "level": "A1",
                "payload": {"word": id, "definition": f"what {id} means to somebody"},
            }
            for id in ids
        ]
        submit_many(app, rows, actor="ann")
        won: Counter[str] = Counter()
        lost: Counter[str] = Counter()
        answers: set[str] = set()
        done, seen = threading.Event(), list[int]()

        def look() -> None:
            with closing(opened(url)) as watching:
                while not done.is_set():
                    with watching.database.read() as tx:
                        seen.append(int(tx.execute(APART).scalar_one()))

        def work(number: int) -> None:
            with closing(opened(url)) as mine:
                for id in Random(number).sample(ids, len(ids)):
                    try:
                        answer = insist(lambda id=id: promote(mine, id, actor=f"w{number}", version=0))  # type: ignore[misc]
                        assert answer.outcome == "moved"
                        won[id] += 1
                    except ConcurrentModificationError as error:
                        lost[id] += 1
                        answers.add(error.message)

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            together(*(lambda number=number: work(number) for number in range(workers)))  # type: ignore[misc]
        finally:
            done.set()
            watcher.join()
        assert won == Counter(ids)
        assert sum(lost.values()) == items * (workers - 1)
        assert all("CANDIDATE" in one for one in answers), answers
        assert seen
        assert set(seen) == {0}
        for id in ids[:5]:
            assert [move.new for move in app.ledger.history("content", id, axis="state")] == [
                "DRAFT",
                "CANDIDATE",
            ]
        assert app.counts()["content", "state", None, "CANDIDATE"] == items
        assert app.check().findings == []


def validate_pairs(url: str, numbers: Sequence[int], *, twins: bool) -> None:
    """Bring an item of each number to VALIDATED, or two of the same content: twins pass the gates only in one batch."""
    with closing(Sandbox([declare()], database=url)) as box:
        box.time.advance(datetime.now(UTC) - box.time.now())
        items = [
            {**sample_item(number), "item_id": f"{side}{number}"}
            for number in numbers
            for side in ("ab" if twins else "a")
        ]
        source = Local(box, "ann")
        new = [row["item_id"] for row in source.submit(items)]
        assert [row["outcome"] for row in source.validate(new)] == ["moved"] * len(items)
        box.drain()
        with box.database.read() as tx:
            waiting = set(tx.execute(text("SELECT item_id FROM validated")).scalars())
        assert waiting.issuperset(new)


def race(app: App, others: Sequence[App], numbers: Sequence[int], *, twins: bool, both_approve: bool) -> None:
    """Let two people decide at once about each of these: about one item, or about the same content under two ids."""
    outcomes: Counter[tuple[bool, bool]] = Counter()
    refusals: set[str] = set()
    for number in numbers:
        one, other = f"a{number}", f"b{number}" if twins else f"a{number}"
        won = [False, False]

        def approving(at: int, id: str, won: list[bool] = won) -> None:
            try:
                insist(lambda: approve(others[at], id, **OPERATOR))
                won[at] = True
            except InterlockError as error:
                refusals.add(error.code)

        def rejecting(id: str, won: list[bool] = won) -> None:
            try:
                insist(lambda: reject(others[1], id, **OPERATOR, reason="nobody needs that word"))
                won[1] = True
            except InterlockError as error:
                refusals.add(error.code)

        together(
            lambda one=one: approving(0, one),  # type: ignore[misc]
            (lambda other=other: approving(1, other))
            if both_approve
            else (lambda other=other: rejecting(other)),  # type: ignore[misc]
        )
        rows = [app.get("content", id) for id in (one, other)]
        assert (rows[0]["state"] == "APPROVED") is won[0]
        assert (rows[1]["state"] == "APPROVED" if both_approve else rows[1]["standing"] == "rejected") is won[
            1
        ]
        outcomes[won[0], won[1]] += 1
    assert outcomes.total() == len(numbers)
    assert outcomes[True, True] == 0
    assert outcomes[False, False] == 0, "somebody wins"
    assert refusals <= {"ILK-205", "ILK-208", "ILK-204", "ILK-213"}, refusals


def race_on(url: str, rounds: int, *, twins: bool, both_approve: bool = False) -> None:
    """Race again and again; the items of some rounds are made together, which costs a fraction of making each."""
    with closing(opened(url)) as app:
        app.migrate()
        with closing(opened(url)) as one, closing(opened(url)) as other:
            for start in range(0, rounds, MADE_AT_ONCE):
                numbers = range(start, min(start + MADE_AT_ONCE, rounds))
                validate_pairs(url, numbers, twins=twins)
                race(app, [one, other], numbers, twins=twins, both_approve=both_approve)
        assert app.check().findings == []


RACES = [
    {"twins": False},
    {"twins": True},
    {"twins": True, "both_approve": True},
]


def test_workers_that_promote_the_same_items_promote_each_once(content_url: str) -> None:
    promote_everything(content_url, items=20, workers=6)


@pytest.mark.parametrize("how", RACES)
def test_of_reject_and_approve_and_of_twins_never_both_win(content_url: str, how: dict[str, bool]) -> None:
    race_on(content_url, 6, **how)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_thirty_two_workers_promote_a_thousand_items_once_each(content_url: str) -> None:
    promote_everything(content_url, items=1_000, workers=32)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("how", RACES)
def test_of_reject_and_approve_and_of_twins_never_both_win_a_thousand_times(
    content_url: str, how: dict[str, bool]
) -> None:
    race_on(content_url, 1_000, **how)
