"""Reads feeds and files into items; one bad entry never hides the others."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from calendar import timegm
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from interlock.errors import BadInput

from .item import BadItem, Item, read_item

MOST_BYTES: Final = 50_000_000
_REFERENCE: Final = re.compile(rb"&#(?:[xX]([0-9a-fA-F]{1,20})|([0-9]{1,20}));")
FORMATS: Final = ("feed", "jsonl", "csv")


@dataclass
class Reading:
    """The items of a feed or a file, and what could not be read, with its line or number."""

    items: list[Item] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def read_items(content: bytes, name: str = "") -> Reading:
    """Return the items of a feed, of JSON lines or of CSV; the format follows from the name's ending, else from the first character."""
    if not content.strip(b"\xef\xbb\xbf \t\r\n"):
        return Reading(problems=["nothing is in it"])
    return {"feed": read_feed, "jsonl": read_json_lines, "csv": read_csv}[guess_format(content, name)](
        content
    )


def guess_format(content: bytes, name: str = "") -> str:
    """Return which of `FORMATS` this is."""
    ending = name.lower().rpartition(".")[2]
    if ending in ("jsonl", "ndjson", "json"):
        return "jsonl"
    if ending == "csv":
        return "csv"
    if ending in ("xml", "rss", "atom"):
        return "feed"
    start = content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return {b"<": "feed", b"{": "jsonl", b"[": "jsonl"}.get(start, "csv")


def read_feed(content: bytes) -> Reading:
    """Return the entries of an RSS or Atom feed; needs the extra `themes`."""
    try:
        import feedparser
    except ModuleNotFoundError as error:
        raise BadInput(
            "feeds are read by the package feedparser", hint="pip install 'interlock[themes]'"
        ) from error
    reading = Reading()
    try:
        parsed = feedparser.parse(
            io.BytesIO(_REFERENCE.sub(_known_character, content)),
            sanitize_html=False,
            resolve_relative_uris=False,
        )
    except Exception as error:  # noqa: BLE001 whatever somebody's feed makes the parser raise ends nothing but this feed
        reading.problems.append(f"no feed: {type(error).__name__}")
        return reading
    if not parsed.entries and (parsed.bozo or not parsed.version):
        reason = parsed.get("bozo_exception")
        reading.problems.append(f"no feed: {type(reason).__name__ if reason else 'no entry'}")
        return reading
    _collect(reading, ((number, _entry(one)) for number, one in enumerate(parsed.entries, 1)), "entry")
    return reading


def _known_character(reference: re.Match[bytes]) -> bytes:
    """Return the reference to a character, or to the replacement character where there is none: half of a pair, or beyond the last one."""
    number = int(reference[1], 16) if reference[1] else int(reference[2])
    is_character = 0 < number <= sys.maxunicode and not 0xD800 <= number <= 0xDFFF
    return reference[0] if is_character else b"&#xFFFD;"


def _entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    contents = entry.get("content") or []
    content = max((str(one.get("value") or "") for one in contents), key=len, default="")
    return {
        "external_id": entry.get("id") or entry.get("link"),
        "title": entry.get("title"),
        "content": content or entry.get("summary"),
        "url": entry.get("link"),
        "author": entry.get("author"),
        "published_at": _instant(entry),
    }


def _instant(entry: Mapping[str, Any]) -> datetime | None:
    """Return when an entry was published, else changed; None where neither is an instant, as in `0000-00-00`: the entry is good without."""
    there = set(entry)  # asked for one that is missing, feedparser warns and answers with the other
    for name in ("published_parsed", "updated_parsed"):
        try:
            if name in there and (at := entry[name]) is not None:
                return datetime.fromtimestamp(timegm(at), UTC)
        except (ValueError, OverflowError, OSError):
            continue
    return None


def read_json_lines(content: bytes) -> Reading:
    """Return one item for each line, or for each element of one array."""
    reading = Reading()
    text = content.decode("utf-8-sig", "replace")
    if text.lstrip().startswith("["):
        try:
            elements = json.loads(text)
        except (ValueError, RecursionError) as error:
            reading.problems.append(f"no JSON: {error}")
            return reading
        _collect(reading, enumerate(elements, 1), "element")
        return reading
    _collect(reading, _lines(text, reading), "line")
    return reading


def _lines(text: str, reading: Reading) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            reading.problems.append(f"line {number}: no JSON: {error}")


def read_csv(content: bytes) -> Reading:
    """Return one item for each row; the first row has the names of the columns."""
    reading = Reading()
    csv.field_size_limit(max(csv.field_size_limit(), MOST_BYTES))  # of the whole process: never lowered
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig", "replace"), newline=""))
    try:
        names = [name.strip().lower() for name in rows.fieldnames or []]
        if not {"external_id", "url", "title", "content"} & set(names):
            reading.problems.append("no column is called external_id, url, title or content")
            return reading
        rows.fieldnames = names
        _collect(reading, ((rows.line_num, row) for row in rows), "line")
    except csv.Error as error:
        reading.problems.append(f"line {rows.line_num}: {error}; nothing behind it was read")
    return reading


def _collect(reading: Reading, entries: Iterable[tuple[int, Any]], noun: str) -> None:
    """Add the items of these entries, and a problem for each that is none."""
    for number, data in entries:
        try:
            if not isinstance(data, Mapping):
                raise BadItem(f"an object is needed, not {type(data).__name__}")
            reading.items.append(read_item(data))
        except BadItem as problem:
            reading.problems.append(f"{noun} {number}: {problem}")
