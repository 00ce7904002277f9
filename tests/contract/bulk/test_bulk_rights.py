"""With a coordinator's rights operations are run and undone; the scope that was frozen is beyond them."""

from __future__ import annotations

from contextlib import closing

import pytest
from sqlalchemy import text

from interlock import Machine
from interlock.errors import InterlockError
from tests.kinds import open_app, plain

LIGHT = Machine("light", initial="red", moves={"red": ["green"], "green": ["red"]})


def test_a_coordinator_runs_and_undoes_operations_but_cannot_change_their_scope(coordinator_url: str) -> None:
    with closing(open_app(coordinator_url, plain(LIGHT))) as app:
        app.admit_many("things", [{"id": f"r{number}"} for number in range(5)])
        id = app.operations.create(
            "things", to="green", where={}, actor="ann", reason="so", ramp=2, key="k"
        ).id
        app.operations.run(id)
        assert app.operations.resume(id).status == "finished"
        undo = app.operations.undo(id, actor="ann", reason="no")
        assert app.operations.pause(undo.id).status == "paused"
        assert app.operations.resume(undo.id).status == "finished"
        for change in (
            "UPDATE interlock_operation_item SET record_id = 'r9'",
            "UPDATE interlock_operation SET reason = 'another'",
            "UPDATE interlock_operation_item SET version = 7",
            "DELETE FROM interlock_operation",
        ):
            with pytest.raises(InterlockError, match="permission denied"), app.database.write() as tx:
                tx.execute(text(change))
