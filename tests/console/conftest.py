"""The four small workflows behind the console, asked as a browser asks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lxml import html

from interlock import App
from interlock.service.application import build
from tests.service.asking import Asker
from tests.service.conftest import WIDE, Ask, app, ask, known_in_process

__all__ = ["app", "ask", "known_in_process"]

PAGE = {"Accept": "text/html"}
Look = Callable[..., html.HtmlElement]


@pytest.fixture
def browser(app: App, ask: Ask) -> Asker:
    """The user who runs the service, in a browser."""
    return ask(build(app, limits=WIDE), prefix="")


@pytest.fixture
def look(browser: Asker) -> Look:
    """Opens a page and returns it, parsed."""

    def open_(path: str, status: int = 200) -> html.HtmlElement:
        answer = browser.get(path, headers=PAGE)
        assert answer.status_code == status, answer.text[:2000]
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        return html.fromstring(answer.text)

    return open_


def text(element: html.HtmlElement) -> str:
    """What people read, with single spaces."""
    return " ".join(element.text_content().split())
