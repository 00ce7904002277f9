"""What a page of the console is: an address, a title, who may see it, and a function that returns a template and its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..workflow.extension import PageContext

Rendered = tuple[str | Path, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Screen:
    """A page that every console has.

    `render` returns the name of a template in `console/templates` and the values that it shows. `group` is its heading in the rail; a
    screen without one is reached by links. `letter` opens it after the key `g`.
    """

    path: str
    title: str
    render: Callable[[PageContext], Rendered]
    least: str = "viewer"
    group: str = ""
    letter: str = ""
