"""What people decide and what the system does are independent: each line of the lifecycle, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import text

from interlock import Done, Failed
from interlock.errors import InterlockError, RuleRefused
from interlock.testing import Sandbox
from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.workflow import declare

OPTIONS = Options(cycle="continuous", rate="1000/s")
NEVER_RETRIED = Options(cycle="continuous", rate="1000/s", retries=0)


@pytest.fixture
def box(database_url: str, request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    options = OPTIONS if "automatic" in request.node.name else NEVER_RETRIED
    with closing(Sandbox(declare(options), database=database_url)) as made:
        made.migrate()
        yield made


def admit(box: Sandbox, host: str = "a.com") -> Any:
    return box.admit("domains", {"host": host, "url": f"https://{host}/"}).id


def curate(box: Sandbox, id: Any, to: str) -> Any:
    return box.move("domains", id, actor="ann", curation_status=to)


def statuses(box: Sandbox, id: Any) -> tuple[str, str | None]:
    row = box.get("domains", id)
    return row["curation_status"], row["processing_status"]


def moves(box: Sandbox, id: Any, axis: str) -> list[tuple[str | None, str | None]]:
    return [
        (move.old, move.new)
        for move in box.ledger.history("domains", id)
        if move.axis == axis and move.version
    ]


def begun(box: Sandbox, host: str = "a.com") -> Any:
    """A selected domain that a runner has begun to visit."""
    id = admit(box, host)
    curate(box, id, "Selected")
    assert box.runs is not None
    box.runs.renew()  # a coordinator dispatches only to runners that it knows
    box.coordinates.step()
    assert statuses(box, id) == ("Selected", "Processing")
    return id


def test_a_new_record_is_neither_decided_nor_worked_on(box: Sandbox) -> None:
    id = admit(box)
    assert statuses(box, id) == ("New", None)
    box.coordinates.step()
    assert statuses(box, id) == ("New", None)


def test_selecting_queues_in_the_same_move(box: Sandbox) -> None:
    id = admit(box)
    answer = curate(box, id, "Selected")
    assert [(move.axis, move.new) for move in answer.driven] == [("processing_status", "Queued")]
    assert statuses(box, id) == ("Selected", "Queued")
    assert box.get("domains", id)["queued_at"] is not None


@pytest.mark.parametrize("to", ["New", "Maybe", "Discarded"])
def test_leaving_selected_takes_it_out_of_the_queue_and_it_is_never_run(box: Sandbox, to: str) -> None:
    id = admit(box)
    curate(box, id, "Selected")
    curate(box, id, to)
    assert statuses(box, id) == (to, None)
    box.coordinates.step()
    assert statuses(box, id) == (to, None)
    assert moves(box, id, "processing_status") == [(None, "Queued"), ("Queued", None)]


@pytest.mark.parametrize("to", ["New", "Maybe", "Discarded"])
def test_discarding_while_it_is_processed_lets_the_work_finish_and_never_queues_again(
    box: Sandbox, to: str
) -> None:
    id = begun(box)
    curate(box, id, to)
    assert statuses(box, id) == (to, "Processing")
    box.report("domains", id, Done(title="kept"))
    box.coordinates.step()
    assert statuses(box, id) == (to, "Complete")
    assert box.get("domains", id)["title"] == "kept"
    box.coordinates.step()
    assert statuses(box, id) == (to, "Complete")


@pytest.mark.parametrize("to", ["New", "Maybe", "Discarded"])
def test_deciding_anew_about_what_is_complete_leaves_it_complete_until_it_is_selected_again(
    box: Sandbox, to: str
) -> None:
    id = begun(box)
    box.report("domains", id, Done(title="kept"))
    box.coordinates.step()
    assert statuses(box, id) == ("Selected", "Complete")
    before = moves(box, id, "processing_status")
    curate(box, id, to)
    box.coordinates.step()
    assert statuses(box, id) == (to, "Complete")
    assert moves(box, id, "processing_status") == before
    curate(box, id, "Selected")
    assert statuses(box, id) == ("Selected", "Queued")
    assert moves(box, id, "processing_status") == [*before, ("Complete", "Queued")]
    assert moves(box, id, "curation_status")[-2:] == [("Selected", to), (to, "Selected")]


def test_selecting_again_while_it_is_processed_does_not_double_the_work(box: Sandbox) -> None:
    id = begun(box)
    curate(box, id, "Maybe")
    answer = curate(box, id, "Selected")
    assert (answer.outcome, statuses(box, id)) == ("moved", ("Selected", "Processing"))
    box.report("domains", id, Done())
    box.coordinates.step()
    box.coordinates.step()
    assert moves(box, id, "processing_status") == [
        (None, "Queued"),
        ("Queued", "Processing"),
        ("Processing", "Complete"),
    ]


def test_a_failure_leaves_the_decision_alone_and_selecting_anew_queues_it(box: Sandbox) -> None:
    id = begun(box)
    box.report("domains", id, Failed("NOT_FOUND", "no such page", final=True))
    box.coordinates.step()
    assert statuses(box, id) == ("Selected", "Failed")
    assert box.get("domains", id)["processing_error"] == "no such page"
    assert curate(box, id, "Selected").outcome == "unchanged"
    assert statuses(box, id) == ("Selected", "Failed")
    curate(box, id, "Maybe")
    curate(box, id, "Selected")
    assert statuses(box, id) == ("Selected", "Queued")
    assert box.get("domains", id)["processing_error"] is None


def test_a_person_retries_a_failed_record_without_curating_it_again(box: Sandbox) -> None:
    id = begun(box)
    box.report("domains", id, Failed("TIMEOUT", "slow"))
    box.coordinates.step()
    assert statuses(box, id) == ("Selected", "Failed")
    box.retry("domains", id, actor="ann", reason="it is up again")
    assert statuses(box, id) == ("Selected", "Queued")
    assert box.get("domains", id)["processing_error"] is None


def test_an_automatic_retry_goes_through_failed_and_keeps_the_error(box: Sandbox) -> None:
    id = begun(box)
    box.report("domains", id, Failed("TIMEOUT", "slow"))
    box.coordinates.step()
    assert statuses(box, id) == ("Selected", "Failed")
    box.advance("6m")
    box.coordinates.sweep()
    row = box.get("domains", id)
    assert (row["processing_status"], row["processing_error"]) in (("Queued", "slow"), ("Processing", "slow"))


def test_a_selected_record_without_a_processing_status_is_queued_by_the_sweep(box: Sandbox) -> None:
    id = admit(box)
    curate(box, id, "Selected")
    curate(box, id, "Maybe")
    answers = box.admit_many(
        "domains",
        [{"host": f"h{n}.com", "url": f"https://h{n}.com/", "curation_status": "Selected"} for n in range(3)],
    )
    box.coordinates.sweep()
    assert {statuses(box, one.id)[1] for one in answers} <= {"Queued", "Processing"}
    assert statuses(box, id) == ("Maybe", None)


def test_curating_is_possible_while_a_report_waits_and_no_coordinator_runs(box: Sandbox) -> None:
    id = begun(box)
    assert box.runs is not None
    with patch.object(box.coordinates.applier, "step", lambda: 0):
        box.report("domains", id, Done(title="there"))
    assert curate(box, id, "Discarded").outcome == "moved"
    assert statuses(box, id) == ("Discarded", "Processing")
    box.coordinates.step()
    assert statuses(box, id) == ("Discarded", "Complete")


def test_nobody_moves_the_processing_status_by_hand(box: Sandbox) -> None:
    id = admit(box)
    for to in ("Queued", "Processing", "Complete"):
        with pytest.raises(InterlockError) as caught:
            box.move("domains", id, actor="ann", processing_status=to)
        assert caught.value.code in ("ILK-219", "ILK-204")
    assert statuses(box, id) == ("New", None)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE domains SET processing_status = 'Queued' WHERE id = 1",
        "UPDATE domains SET curation_status = 'Queued' WHERE id = 1",
    ],
)
def test_sql_moves_neither_status_past_its_rules(box: Sandbox, sql: str) -> None:
    id = admit(box)
    with pytest.raises(Exception, match="may not go"), box.database.write() as tx:
        tx.execute(text(sql))
    assert statuses(box, id) == ("New", None)


def test_every_decision_leads_to_every_other(box: Sandbox) -> None:
    states = ["New", "Selected", "Maybe", "Discarded"]
    id = admit(box)
    for old in states:
        for new in states:
            if old != new:
                current = statuses(box, id)[0]
                if current != old:
                    curate(box, id, old)
                assert curate(box, id, new).outcome == "moved"
    assert box.check().findings == []


def test_reprocessing_what_is_not_selected_is_refused_by_the_rule(box: Sandbox) -> None:
    id = begun(box)
    box.report("domains", id, Done())
    box.coordinates.step()
    curate(box, id, "Maybe")
    with pytest.raises(RuleRefused):
        box.move(
            "domains",
            id,
            actor="ann",
            role="operator",
            reason="again",
            override=True,
            processing_status="Queued",
        )
    assert statuses(box, id) == ("Maybe", "Complete")
