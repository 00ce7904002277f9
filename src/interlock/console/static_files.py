"""Stylesheets, scripts and the sprite: read once, addressed by the hash of them all, so that browsers keep them for ever."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
}


class StaticFile(NamedTuple):
    """A file as it is sent."""

    content: bytes
    media_type: str
    etag: str


@lru_cache(maxsize=1)
def static_files() -> dict[str, StaticFile]:
    """Every file of `console/static` by its name."""
    found = {}
    for one in sorted(files(__package__).joinpath("static").iterdir(), key=lambda file: file.name):
        ending = one.name.rpartition(".")[2]
        if ending in TYPES:
            content = one.read_bytes()
            found[one.name] = StaticFile(content, TYPES[ending], f'"{sha256(content).hexdigest()[:32]}"')
    return found


@lru_cache(maxsize=1)
def static_version() -> str:
    """The segment of the address that changes when any of the files does."""
    digest = sha256()
    for name, one in static_files().items():
        digest.update(name.encode() + b"\0" + one.content + b"\0")
    return digest.hexdigest()[:16]
