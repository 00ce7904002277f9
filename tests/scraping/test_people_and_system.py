"""People decide while two coordinators and a runner work on the same records: no decision is lost, and no rule is broken."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from multiprocessing.connection import Connection
from time import monotonic

import pytest

from interlock import App, Move
from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.web.fetching import FetchLimits
from tests.concurrency.crowd import together
from tests.concurrency.workers import answering, on_the_word
from tests.scraping.crew import Crew, Plan

PEOPLE = 2
OPEN = 25
"""Records that one person has in hand at once: what was selected is decided anew while the system works on it."""
ROUND = 1_000
"""Records that people go through before they begin anew as other processes."""
REJECTED = ("New", "Maybe", "Discarded")


def plan_for(url: str) -> Plan:
    return Plan(url, Options(cycle="continuous", check_mail_domains=False), FetchLimits())


@answering
def decide(connection: Connection, plan: Plan, name: str, ids: Sequence[int]) -> Counter[str]:
    """Select each record and change one's mind, once or more, with many records in hand; what was answered, counted."""
    chance, answers = random.Random(name), Counter[str]()
    with closing(plan.app()) as app:
        on_the_word(connection)
        waiting, at_hand = list(ids), list[tuple[int, list[str]]]()
        while waiting or at_hand:
            while waiting and len(at_hand) < OPEN:
                steps = ["Selected", chance.choice(REJECTED)] * chance.choice((1, 1, 2))
                at_hand.append((waiting.pop(), steps + ["Selected"] * chance.choice((0, 1))))
            place = chance.randrange(len(at_hand))
            id, steps = at_hand[place]
            answer = app.move("contacts", id, actor=name, curation_status=steps.pop(0))
            answers[answer.outcome] += 1
            if not steps:
                at_hand.pop(place)
    return answers


def race(url: str, records: int, within: float) -> str:
    """Let people and system work on the same records; a line of figures."""
    plan = plan_for(url)
    began = monotonic()
    with closing(plan.app()) as app, Crew(plan) as crew:
        app.migrate()
        domain = app.admit("domains", {"host": "a.com", "url": "https://a.com/"}).id
        rows = [
            {"domain_id": domain, "contact_key": f"c{number}", "email": f"c{number}@firma.de", "social": []}
            for number in range(records)
        ]
        ids = [one.id for one in app.admit_many("contacts", rows)]
        for name in ("coordinator-1", "coordinator-2", "runner-1"):
            crew.begin(name.partition("-")[0], name)
        answers = Counter[str]()
        for first in range(0, records, ROUND):
            chosen = ids[first : first + ROUND]
            shares = [(plan, f"person-{number}", chosen[number::PEOPLE]) for number in range(PEOPLE)]
            answers += sum(together(decide, shares), Counter[str]())
        crew.until(lambda: not is_working(app), within)
        figures = judge(app, ids, answers)
    return f"{app.database.name}: {records:,} records, {figures}, {monotonic() - began:.0f} s"


def is_working(app: App) -> int:
    counts = app.counts()
    states = ("Queued", "Processing")
    return sum(counts.get(("contacts", "processing_status", None, state), 0) for state in states)


def judge(app: App, ids: Sequence[int], answers: Counter[str]) -> str:
    """Every decision is in the ledger, every rule held at every entry, and each record ended as its last decision says."""
    assert set(answers) == {"moved"}, answers
    decisions, met = 0, Counter[str]()
    for id in ids:
        history = app.ledger.history("contacts", id)
        row = app.get("contacts", id)
        decisions += sum(
            move.actor.startswith("person-") for move in history if move.axis == "curation_status"
        )
        for axis, prefix in (("curation_status", "curation"), ("processing_status", "processing")):
            own = [move for move in history if move.axis == axis]
            assert [move.version for move in own] == list(range(len(own))), (id, own)
            assert all(later.old == earlier.new for earlier, later in pairwise(own)), (id, own)
            assert (own[-1].new, own[-1].version) == (row[axis], row[f"{prefix}_version"])
        met += replay(id, history)
        ended = ("Complete",) if row["curation_status"] == "Selected" else (None, "Complete")
        assert row["processing_status"] in ended, (id, row["curation_status"], row["processing_status"])
    assert decisions == answers["moved"]
    assert app.check().findings == []
    assert met["decided while Processing"] + met["decided while Queued"] > 0
    queued, processing = met["decided while Queued"], met["decided while Processing"]
    return f"{decisions:,} decisions, of these {queued:,} while queued and {processing:,} while processing"


def replay(id: int, history: Sequence[Move]) -> Counter[str]:
    """Both statuses along the ledger: work is queued or begun only while the record is selected."""
    curation, processing, met = "New", None, Counter[str]()
    for move in history:
        if move.axis == "curation_status":
            curation = str(move.new)
            if move.version:
                met[f"decided while {processing}"] += 1
        else:
            processing = move.new
            assert move.new not in ("Queued", "Processing") or curation == "Selected", (id, history)
    return met


def test_no_decision_is_lost_while_two_coordinators_work(database_url: str) -> None:
    race(database_url, 200, within=100)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_no_decision_is_lost_in_ten_thousand_races(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = race(database_url, 10_000, within=1800)
    with capsys.disabled():
        print(f"\n{figures}")  # noqa: T201 a soak is read by people
