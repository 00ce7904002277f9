"""One item as it comes in, whatever it came from: bounded texts, an aware instant, an identity within its source type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256
from typing import Any, Final

from ..extraction.text import shorten

LONGEST_ID: Final = 500
LONGEST_TITLE: Final = 1_000
LONGEST_CONTENT: Final = 500_000
LONGEST_URL: Final = 2_000
LONGEST_AUTHOR: Final = 300


class BadItem(ValueError):
    """An item without an identity, or with a value that cannot be read; the message names it."""


@dataclass(frozen=True)
class Item:
    """An article, a post or a message."""

    external_id: str
    title: str = ""
    content: str = ""
    url: str | None = None
    author: str | None = None
    published_at: datetime | None = None

    def row(self, source_id: int, source_type: str) -> dict[str, Any]:
        """Return the columns of a content item of this source."""
        return {"source_id": source_id, "source_type": source_type, **asdict(self)}


def read_item(data: Mapping[str, Any]) -> Item:
    """Return the item of a mapping with the names of the API. Without `external_id`, the URL identifies it, else its text."""
    title, content = _text(data, "title", LONGEST_TITLE), _text(data, "content", LONGEST_CONTENT)
    url = _text(data, "url", LONGEST_URL) or None
    identity = _text(data, "external_id", 10 * LONGEST_ID) or url or ""
    if not identity and not title and not content:
        raise BadItem("an item needs an external_id, a url, a title or a content")
    return Item(
        bounded_id(identity) if identity else _hashed(title + "\n" + content),
        title,
        content,
        url,
        _text(data, "author", LONGEST_AUTHOR) or None,
        read_instant(data.get("published_at")),
    )


def bounded_id(identity: str) -> str:
    """Return the identity, or its hash where it is longer than the column."""
    if len(identity) <= LONGEST_ID:
        return identity
    return _hashed(identity)


def _hashed(text: str) -> str:
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def read_instant(value: object) -> datetime | None:
    """Return an aware UTC instant out of ISO 8601, the date of a mail, or seconds since 1970; without a zone it is UTC."""
    if value is None or value == "":
        return None
    try:
        if isinstance(value, datetime):
            moment = value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value, UTC)
        else:
            moment = _read_text_instant(str(value).strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, OSError, TypeError) as error:
        raise BadItem(f"published_at: {shorten(str(value), 60)!r} is no instant") from error


def _read_text_instant(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return parsedate_to_datetime(text)


def _text(data: Mapping[str, Any], name: str, most: int) -> str:
    value = data.get(name)
    if value is None:
        return ""
    if not isinstance(value, str | int):
        raise BadItem(f"{name}: a text is needed, not {type(value).__name__}")
    text = str(value).replace("\x00", "").encode("utf-8", "replace").decode("utf-8").strip()
    return text[:most]
