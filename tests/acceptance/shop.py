"""What the commands are pointed at: workflows as a team's own module would declare them."""

from __future__ import annotations

from interlock import App, Machine
from tests.kinds import four_kinds, plain

workflows = four_kinds()
alone = plain(Machine("light", initial="red", moves={"red": ["green"], "green": ["red"]}), "lights")
doubtful = [
    plain(
        Machine(
            "doubtful",
            initial="open",
            states=["open", "closed", "forgotten"],
            moves={"open": ["closed"], "forgotten": ["closed"]},
        ),
        "doubts",
    )
]
nonsense = {"neither": "app nor workflows"}


def make_app(database: str) -> App:
    """An app of all of them, whose database is ready."""
    app = App(workflows, database=database)
    app.migrate()
    return app
