"""Articles that are fetched by the clock, and whose pipelines are mirrored on the article, as a team's own module would declare them."""

from __future__ import annotations

from datetime import datetime

from interlock import App, Workflow, cron
from tests.contract.rules.test_mirrors import mirrored


def declare() -> list[Workflow]:
    themes = mirrored()

    @themes.every(cron("0 6 * * *"))
    def fetch_feeds(app: App, tick: datetime) -> None:
        app.admit("themes", {"id": int(tick.timestamp()), "feed": "f"}, actor="fetch_feeds")

    return [themes]


workflows = declare()
