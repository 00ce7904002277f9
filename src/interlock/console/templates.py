"""Turns a template and its values into a page: escaped by default, with the console's words and marks at hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from . import words

TEXT = re.compile(">[^<]+")
"""What stands between two tags; values never have a bracket of their own there, for they are escaped."""


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The one environment; a name that a template misspells is an error, never an empty place."""
    made = Environment(
        loader=PackageLoader("interlock.console", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(
        number=words.number,
        span=words.span,
        clock=words.clock,
        moment=words.moment,
        day=words.day,
        iso=words.iso,
        word=words.state_word,
        short=words.short,
        headline=words.headline,
        marked=marked,
    )
    made.globals.update(
        path=words.path,
        query=words.query,
        plural=words.plural,
        since=words.since,
        command=words.command,
        sprite=Markup(files(__package__).joinpath("static", "marks.svg").read_text(encoding="utf-8")),
    )
    return made


def marked(text: str) -> Markup:
    """A text whose parts between backticks are set as code."""
    parts = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 and place < len(parts) - 1 else part
        for place, part in enumerate(parts)
    )


@lru_cache(maxsize=64)
def own_template(file: Path) -> Template:
    """A template that an extension brings, compiled once; it may extend `layout.html` and import `parts.html`."""
    return environment().from_string(file.read_text(encoding="utf-8"))


def render(template: str | Path, values: Mapping[str, Any]) -> str:
    """The page as text. Nothing that people named turns the direction in which it is read; attributes keep every sign."""
    found = own_template(template) if isinstance(template, Path) else environment().get_template(template)
    page = found.render(values)
    return TEXT.sub(lambda part: words.unturned(part[0]), page) if words.TURNING.search(page) else page
