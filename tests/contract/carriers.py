"""What carries hints in tests: one way per transport and database; a new transport is one more line in CARRIERS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from interlock import App, Workflow
from interlock.store.work import outcome_counts
from interlock.store.work.rows import WorkRows
from interlock.transport import DatabaseTransport, Topic, Transport
from tests.contract.working import jobs
from tests.kinds import open_app


@dataclass
class Carrier:
    """An app's database and how to open a transport on it."""

    url: str
    opens: Callable[[App], Transport]
    apps: list[App] = field(default_factory=list)
    transports: list[Transport] = field(default_factory=list)

    def app(self, declare: Callable[[Workflow], Any] = lambda workflow: None) -> App:
        """As another process would have it; what is declared beyond its jobs is declared first."""
        workflow = jobs()
        declare(workflow)
        self.apps.append(open_app(self.url, workflow))
        return self.apps[-1]

    def transport(self, app: App | None = None) -> Transport:
        self.transports.append(self.opens(app or self.app()))
        return self.transports[-1]

    def hint(
        self, app: App, transport: Transport, topic: Topic, *, times: int = 1, written: bool = True
    ) -> None:
        """Something was committed, and is hinted at as every actor does: within its transaction, and after it."""
        for _ in range(times):
            with app.database.write() as tx:
                if written:
                    outcome_counts.keep(
                        WorkRows(app.database, app.clock), tx, {("jobs", "work", "", "hinted"): 1}
                    )
                transport.within(tx, topic)
            transport.after(topic)

    def close(self) -> None:
        for transport in self.transports:
            transport.close()
        for app in self.apps:
            app.close()


# By name: the fixture with the database's address, the transport, and whether hints arrive at all.
CARRIERS: dict[str, tuple[str, Callable[[App], Transport], bool]] = {
    "database on sqlite": ("sqlite_url", lambda app: DatabaseTransport(app.database), True),
    "database on postgresql": ("postgres_url", lambda app: DatabaseTransport(app.database), True),
    "database through pgbouncer": ("pgbouncer_url", lambda app: DatabaseTransport(app.database), False),
}


def opened(request: pytest.FixtureRequest, name: str) -> Carrier:
    fixture, opens, _ = CARRIERS[name]
    return Carrier(str(request.getfixturevalue(fixture)), opens)
