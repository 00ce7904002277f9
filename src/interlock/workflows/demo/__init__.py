"""The demo: the bundled workflows with moving traffic, everything on this machine. `interlock up --demo` runs it."""

from __future__ import annotations

import atexit
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interlock import App, Workflow

    from .sites import Outside
    from .traffic import Traffic

    workflows: list[Workflow]
    """What `interlock up --demo` runs."""


@cache
def outside() -> Outside:
    """The server that plays everybody outside. It has its port at once; it answers from `start_traffic` on, for isolated work is forked
    from a process without threads."""
    from .sites import Outside

    made = Outside()
    atexit.register(made.close)
    return made


@cache
def _workflows() -> list[Workflow]:
    return declare(outside().port)


def declare(port: int) -> list[Workflow]:
    """The workflows of the demo; whoever is outside answers at this port of this machine."""
    from ipaddress import ip_network

    from ..content.workflow import declare as declare_content
    from ..scraping.options import CONTINUOUS
    from ..scraping.options import Options as ScrapingOptions
    from ..scraping.workflow import declare as declare_scraping
    from ..statements.workflow import declare as declare_statements
    from ..themes.options import Options as ThemesOptions
    from ..themes.workflow import declare as declare_themes

    scraping = ScrapingOptions(
        allow_private=(ip_network("127.0.0.0/8"),),
        cycle=CONTINUOUS,
        rate="10/s",
        gateway=("127.0.0.1", port),
        check_mail_domains=False,
    )
    themes = ThemesOptions(provider=f"http://127.0.0.1:{port}/v1", model="demo")
    return [declare_statements(), declare_content(), *declare_scraping(scraping), declare_themes(themes)]


def start_traffic(app: App) -> Traffic:
    """Begin to act on an app that has the demo's workflows; `stop` of what it returns ends it."""
    from .silent import keep_out_of_the_log
    from .traffic import Traffic

    keep_out_of_the_log()
    outside().start()
    traffic = Traffic(app)
    traffic.start()
    return traffic


def __getattr__(name: str) -> list[Workflow]:
    """`workflows` is made when somebody asks for it: only then is there a server."""
    if name == "workflows":
        return _workflows()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
