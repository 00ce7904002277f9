"""The workflows that come with Interlock; the engine never imports them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from interlock import Workflow

    bundled: list[Workflow]
    """What `interlock up` runs where no app is named."""

NOUNS: Final = {
    "content": "Governed content: submit drafts, promote and review them, approve, reject, deprecate, erase.",
    "scraping": "Web sites: add and curate them, visit what was selected, export contacts.",
    "statements": "Bank and card statements: import files, look at uploads and transactions, export.",
    "themes": "Market themes of articles: sources and pipelines, items, extraction, the top themes.",
}
"""The nouns that the bundled workflows add to the command line, each with its help; here, so that help imports none of them."""
EXAMPLES: Final = {
    "content": "interlock content review",
    "scraping": "interlock scraping list domains",
    "statements": "interlock statements list",
    "themes": "interlock themes top",
}
"""A command of each noun."""


SCRAPING_PACKAGES = frozenset(
    {"email_validator", "httpcore", "httpx", "idna", "lxml", "phonenumbers", "protego"}
)


@cache
def _bundled() -> list[Workflow]:
    from .content.workflow import declare as declare_content
    from .statements.workflow import declare as declare_statements
    from .themes.workflow import declare as declare_themes

    return [declare_statements(banks=team_banks()), declare_content(), *_scraping(), declare_themes()]


def _scraping() -> list[Workflow]:
    """The four kinds of scraping; none where the packages that it visits sites with are not installed."""
    try:
        from .scraping.workflow import declare as declare_scraping
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in SCRAPING_PACKAGES:
            raise
        return []
    return declare_scraping(continuous=True)


def team_banks() -> str | None:
    """Where a team's own banks are, by its settings."""
    from interlock.extension import setting

    return setting("banks")


def __getattr__(name: str) -> list[Workflow]:
    """`bundled` is made when somebody asks for it: only then is it read which banks a team has."""
    if name == "bundled":
        return _bundled()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
