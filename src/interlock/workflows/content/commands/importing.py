"""Reads items from JSON Lines and CSV: one item per line, with the fields of its payload beside those of the item."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from interlock.errors import BadInput

from ..types import CONTENT_TYPES

ITEM = ("type", "language", "level", "item_id", "source", "confidence", "replaces")
LISTS = frozenset({"tags", "examples", "options", "languages", "prerequisites"})
NUMBERS = frozenset({"correct_answer"})
SEPARATOR = "|"
"""Between the entries of a list in one cell of a CSV file."""


def read_file(path: Path) -> Iterator[dict[str, Any]]:
    """The items of a file, as they are submitted: `.csv` is CSV with a header, everything else JSON Lines. Raises BadInput naming the first
    line that cannot be read."""
    reader = _read_csv if path.suffix.lower() == ".csv" else _read_json_lines
    try:
        yield from reader(path)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path.name} is not UTF-8: {error}") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error


def _read_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except ValueError as error:
                raise BadInput(f"{path.name}, line {number}: {error}", line=number) from error
            if not isinstance(value, dict):
                raise BadInput(f"{path.name}, line {number}: an item is an object", line=number)
            yield read_item(value, f"{path.name}, line {number}")


def _read_csv(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        for row in rows:
            place = f"{path.name}, line {rows.line_num}"
            if None in row:
                raise BadInput(f"{place}: more cells than the header has", line=rows.line_num)
            yield read_item({name: _cell(name, cell, place) for name, cell in row.items() if cell}, place)


def _cell(name: str, text: str, place: str) -> Any:
    if name in LISTS:
        return [part.strip() for part in text.split(SEPARATOR) if part.strip()]
    if name in NUMBERS or name == "confidence":
        try:
            return int(text) if name in NUMBERS else float(text)
        except ValueError:
            raise BadInput(f"{place}: {name} is {text!r}, not a number") from None
    return text


def read_item(values: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The item of one line: `payload` as it is, or made of all fields that are not the item's own."""
    missing = [name for name in ("type", "language", "level") if not values.get(name)]
    if missing:
        raise BadInput(f"{place}: {', '.join(missing)} is missing")
    if values["type"] not in CONTENT_TYPES:
        raise BadInput(f"{place}: type is {values['type']!r}; known are {', '.join(CONTENT_TYPES)}")
    item = {name: values[name] for name in ITEM if values.get(name) is not None}
    payload = values.get("payload", {name: one for name, one in values.items() if name not in ITEM})
    if not isinstance(payload, dict):
        raise BadInput(f"{place}: a payload is an object")
    unknown = [name for name in values if "payload" in values and name not in (*ITEM, "payload")]
    if unknown:
        raise BadInput(f"{place}: {', '.join(unknown)} belongs into the payload")
    return {**item, "payload": payload}
