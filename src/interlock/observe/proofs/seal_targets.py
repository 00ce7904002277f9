"""Where seals are kept outside the database: a file that is appended to, an address that is sent each one, or the log of this process."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any, Protocol
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ...errors import BadInput, StoreUnavailable
from ...store.files.private_files import private
from ...store.ledger.seals.seal import Seal
from .proof import read_seals

log = logging.getLogger("interlock.seals")

SECONDS = 10
FORMS = "A target is a file, http://… or https://…, or log."


class SealTarget(Protocol):
    """One place outside the database."""

    name: str

    def kept(self) -> Sequence[Seal] | None:
        """The seals that are kept there; None for a target that cannot be read back."""
        ...

    def send(self, seals: Sequence[Seal]) -> None:
        """Append these seals in their order; raise StoreUnavailable when that fails."""
        ...


class SealFile:
    """A file with one seal a line, only ever appended to, so that it may lie where nothing else is allowed."""

    def __init__(self, file: Path) -> None:
        self.file, self.name = file, str(file)

    def kept(self) -> list[Seal]:
        return read_seals(self.file) if self.file.exists() else []

    def send(self, seals: Sequence[Seal]) -> None:
        lines = "".join(json.dumps(one.row()) + "\n" for one in seals).encode()
        try:
            with open(self.file, "ab", opener=private) as file:
                file.write(b"\n" + lines if self._is_cut() else lines)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StoreUnavailable(f"seals cannot be kept in {self.file}: {error.strerror}") from error

    def _is_cut(self) -> bool:
        """Whether the last line is not whole: a crash, or a full disk."""
        with self.file.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            if not size:
                return False
            file.seek(size - 1)
            return file.read(1) != b"\n"


class _StaysThere(HTTPRedirectHandler):
    """Refuses redirects, which would turn the POST into a GET."""

    def redirect_request(self, *_: Any) -> None:
        return None


class SealAddress:
    """An address that is sent each seal as JSON, by POST; any answer of the two hundreds means that it was kept."""

    def __init__(self, url: str) -> None:
        self.url, self.name = url, f"{urlsplit(url).scheme}://{urlsplit(url).netloc.rpartition('@')[2]}"
        self._open = build_opener(_StaysThere).open

    def kept(self) -> None:
        return None

    def send(self, seals: Sequence[Seal]) -> None:
        for one in seals:
            headers = {"Content-Type": "application/json", "Idempotency-Key": one.hash.hex()}
            request = Request(self.url, json.dumps({"seal": one.row()}).encode(), headers, method="POST")
            try:
                with self._open(request, timeout=SECONDS):
                    pass
            except (URLError, HTTPException, OSError) as error:
                raise StoreUnavailable(
                    f"seal {one.number} was not accepted by {self.name}: {error}"
                ) from error


class SealLog:
    """Lines in the log of this process, which somebody else collects; a signed seal is a signed line."""

    name = "log"

    def __init__(self) -> None:
        log.setLevel(logging.INFO)  # whoever asks for these lines sees them, however little else is logged

    def kept(self) -> None:
        return None

    def send(self, seals: Sequence[Seal]) -> None:
        for one in seals:
            row = one.row()
            log.info("seal %s", json.dumps(row), extra={"seal": row})


def target_of(text: str) -> SealTarget:
    """The target that a flag or setting names."""
    if text == "log":
        return SealLog()
    scheme, separator, rest = text.partition("://")
    if not separator:
        if not text or not Path(text).absolute().parent.is_dir():
            raise BadInput(f"{text!r} cannot be a file: there is no such folder", hint=FORMS)
        return SealFile(Path(text))
    if scheme not in ("http", "https") or not rest:
        raise BadInput(f"seals cannot be sent to {scheme}://", hint=FORMS)
    return SealAddress(text)
