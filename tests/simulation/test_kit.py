"""The public test kit: history asserted in one line, and Hypothesis asked for only by those who use it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from interlock.clock import FrozenClock
from interlock.errors import BadInput, UnknownState
from interlock.testing import Sandbox, assert_history
from tests.contract.working import jobs as plain_with_work
from tests.kinds import UPLOAD, domains, open_app, plain

WITHOUT_HYPOTHESIS = """
import sys
sys.modules["hypothesis"] = None
import interlock.testing
assert callable(interlock.testing.state_machine) and callable(interlock.testing.assert_history)
"""


def test_the_kit_can_be_imported_without_hypothesis() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_HYPOTHESIS], check=True)


def test_a_history_is_told_state_by_state(database_url: str) -> None:
    app = open_app(database_url, plain(UPLOAD), clock=FrozenClock())
    app.admit("things", {"id": "one"})
    app.move("things", "one", actor="ann", status="parsing")
    app.amend("things", "one", facts={"note": "x"}, actor="ann", reason="a slip")
    app.move("things", "one", actor="ann", status="parsed")
    assert_history(app, "things", "one", ["queued_for_parse", "parsing", "parsed"])
    with pytest.raises(
        AssertionError,
        match="went queued_for_parse → parsing → parsed on status, not queued_for_parse → parsed",
    ):
        assert_history(app, "things", "one", ["queued_for_parse", "parsed"])
    app.close()


def test_each_axis_has_a_history_of_its_own(database_url: str) -> None:
    app = open_app(database_url, domains(), clock=FrozenClock())
    app.admit("domains", {"id": 1})
    app.move("domains", 1, actor="ann", curation_status="Selected")
    assert_history(app, "domains", 1, ["New", "Selected"])
    assert_history(app, "domains", 1, [None, "Queued"], axis="processing_status")
    app.close()


def test_mistakes_in_a_test_of_a_team_are_refused_with_what_to_write() -> None:
    box = Sandbox([plain_with_work()])
    box.place("jobs", "a", status="running")
    with pytest.raises(BadInput, match="is Done, Failed or Again, not True") as refused:
        box.report("jobs", "a", True)  # type: ignore[arg-type]
    assert "Done()" in refused.value.hint
    with pytest.raises(BadInput, match="no workflow has a stage 'wrok'") as refused:
        box.waiting("wrok")
    assert refused.value.hint == "There is jobs.work."
    with pytest.raises(UnknownState, match="no state 'runing'") as mistyped:
        box.place("jobs", "b", status="runing")
    assert mistyped.value.hint == "Did you mean 'running'?"
    with pytest.raises(BadInput, match="names no state of jobs") as refused:
        box.place("jobs", "b")
    assert 'place("jobs", \'b\', status="…")' in refused.value.hint
    with pytest.raises(BadInput, match="the states of a history are a list, not 'running'") as refused:
        assert_history(box, "jobs", "a", "running")
    assert refused.value.hint == "Write ['running']."
    assert [move.new for move in box.ledger.history("jobs", "a")] == ["waiting", "running"]
    box.close()
