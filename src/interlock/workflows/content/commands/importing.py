"""Reads items from JSON Lines and CSV: one item per line, with the fields of its payload beside those of the item."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from interlock.errors import BadInput

from ..submission import is_confidence
from ..types import CONTENT_TYPES, ContentType

TEXTS = ("type", "language", "level", "item_id", "source", "replaces")
ITEM = (*TEXTS, "confidence")
REQUIRED = ("type", "language", "level")
SEPARATOR = "|"
"""Between the entries of a list in one cell of a CSV file."""
Types = Mapping[str, ContentType]


class Line(NamedTuple):
    """One line of a file: where it is, and the item that it has, or what is wrong with it."""

    place: str
    item: dict[str, Any] | BadInput


def read_file(path: Path, types: Types = CONTENT_TYPES) -> Iterator[dict[str, Any]]:
    """The items of a file, as they are submitted. Raises BadInput naming the first line that cannot be read."""
    for line in read_lines(path, types):
        if isinstance(line.item, BadInput):
            raise line.item
        yield line.item


def read_lines(path: Path, types: Types = CONTENT_TYPES) -> Iterator[Line]:
    """The lines of a file: `.csv` is CSV with a header, everything else JSON Lines. One that cannot be read stops no other; raises BadInput
    for a file of which none can be."""
    reader = _read_csv if path.suffix.lower() == ".csv" else _read_json_lines
    try:
        yield from reader(path, types)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error


def _read_json_lines(path: Path, types: Types) -> Iterator[Line]:
    with path.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            if raw.strip():
                place = f"{path.name}, line {number}"
                yield Line(place, _item_of(raw.strip(), place))


def _item_of(raw: bytes, place: str) -> dict[str, Any] | BadInput:
    try:
        value = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        return BadInput(f"{place}: it is not UTF-8")
    except RecursionError:
        return BadInput(f"{place}: it is nested too deep")
    except ValueError as error:
        return BadInput(f"{place}: {error}")
    return read_item(value, place) if isinstance(value, dict) else BadInput(f"{place}: an item is an object")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _read_csv(path: Path, types: Types) -> Iterator[Line]:
    """Bytes that are not UTF-8 become characters that no text has, so that only their line is refused."""
    shapes = shapes_of(types)
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        rows = csv.reader(file)
        header = _header_of(rows, path.name)
        while (cells := _next_row(rows)) is not None:
            place = f"{path.name}, line {rows.line_num}"
            if cells != []:
                yield Line(place, _item_in(cells, header, shapes, place))


def shapes_of(types: Types) -> dict[str, str]:
    """How the cell of each field is read."""
    shapes: dict[str, str] = {field.name: field.shape for kind in types.values() for field in kind.fields}
    return {**shapes, "prerequisites": "list", "confidence": "confidence"}


def read_assignments(texts: Iterable[str], types: Types) -> dict[str, Any]:
    """Fields and their values as a person types them, each FIELD=VALUE and written as in a cell; null where there is no value."""
    shapes, values = shapes_of(types), dict[str, Any]()
    for text in texts:
        name, sign, cell = text.partition("=")
        if not name or not sign:
            raise BadInput(f"{text!r:.80} is no FIELD=VALUE", hint="Write it like word=hound.")
        try:
            values[name] = _value_of(cell, shapes.get(name, "text")) if cell else None
        except ValueError:
            raise BadInput(f"{name} is {cell[:60]!r}, not a number") from None
    return values


def _header_of(rows: Any, name: str) -> list[str]:
    """The names in the first line; raises where one is missing that every item needs, or is there twice."""
    first = _next_row(rows)
    if first is None:
        return []
    if isinstance(first, csv.Error):
        raise BadInput(f"{name}, line 1: {first}")
    header = [cell.strip() for cell in first]
    if missing := [one for one in REQUIRED if one not in header]:
        raise BadInput(f"{name}, line 1: the header has no {', '.join(missing)}")
    if twice := sorted({one for one in header if header.count(one) > 1}):
        raise BadInput(f"{name}, line 1: the header has {', '.join(twice)} twice")
    return header


def _next_row(rows: Any) -> list[str] | csv.Error | None:
    """The next row, what is wrong with it, or None at the end."""
    try:
        row: list[str] | None = next(rows, None)
    except csv.Error as error:
        return error
    return row


def _item_in(
    cells: list[str] | csv.Error, header: list[str], shapes: Mapping[str, str], place: str
) -> dict[str, Any] | BadInput:
    if isinstance(cells, csv.Error):
        return BadInput(f"{place}: {cells}")
    if len(cells) > len(header):
        return BadInput(f"{place}: more cells than the header has")
    values: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=False):
        if not cell:
            continue
        try:
            cell.encode()
            values[name] = _value_of(cell, shapes.get(name, "text"))
        except UnicodeEncodeError:
            return BadInput(f"{place}: {name} is not UTF-8")
        except ValueError:
            return BadInput(f"{place}: {name} is {cell[:60]!r}, not a number")
    return read_item(values, place)


def _value_of(cell: str, shape: str) -> Any:
    if shape == "list":
        return [part.strip() for part in cell.split(SEPARATOR) if part.strip()]
    if shape == "number":
        return int(cell)
    return float(cell) if shape == "confidence" else cell


def name_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """The item with an id: its own, or one made of all that its line says, so that a file that is submitted again makes nothing twice."""
    whole = json.dumps(item, sort_keys=True, separators=(",", ":"))
    return {**item, "item_id": item.get("item_id") or f"C_{sha256(whole.encode()).hexdigest()[:24]}"}


def read_item(values: Mapping[str, Any], place: str) -> dict[str, Any] | BadInput:
    """The item of one line: `payload` as it is, or made of all fields that are not the item's own; or what is wrong with it."""
    missing = [name for name in REQUIRED if not values.get(name)]
    if missing:
        return BadInput(f"{place}: {', '.join(missing)} is missing")
    item = {name: values[name] for name in ITEM if values.get(name) is not None}
    if wrong := [name for name in TEXTS if not isinstance(item.get(name, ""), str)]:
        return BadInput(f"{place}: {', '.join(wrong)} is not a text")
    if not is_confidence(item.get("confidence")):
        return BadInput(f"{place}: confidence is {item['confidence']!r}, not a number from 0 to 1")
    payload = values.get("payload", {name: one for name, one in values.items() if name not in ITEM})
    if not isinstance(payload, dict):
        return BadInput(f"{place}: a payload is an object")
    unknown = [name for name in values if "payload" in values and name not in (*ITEM, "payload")]
    if unknown:
        return BadInput(f"{place}: {', '.join(unknown)} belongs into the payload")
    return {**item, "payload": payload}
