"""A form with one file, read as it arrives: the file goes to the file store piece by piece, and no further than the limit."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

from ...errors import BadInput
from .guard import PATIENCE
from .limits import Limits, too_large

BATCH = 1 << 20
LONGEST_FIELD = 1_000
MOST_PARTS = 50
AROUND = 1 << 20
"""What a form may have around its file: other fields, boundaries, headers."""


class MalformedForm(Exception):
    """The body is no form, or ends before it is whole."""


class Target(Protocol):
    """Where a file goes: `app.files.receive()`, or a buffer."""

    def write(self, chunk: bytes, /) -> Any: ...


class Form:
    """What has arrived so far. The parser calls the methods `on_…` while it is fed; they must not wait."""

    def __init__(self, file: Target, limit: int, fields: Collection[str]) -> None:
        self.file, self.limit, self.wanted = file, limit, fields
        self.fields: dict[str, str] = {}
        self.file_name: str | None = None
        self.complete = False
        self.pending: list[bytes] = []
        self._received = self._parts = 0
        self._name, self._header, self._value, self._disposition = "", b"", b"", b""
        self._is_file = False
        self._data = bytearray()

    def callbacks(self) -> Any:
        return {name: getattr(self, name) for name in dir(self) if name.startswith("on_")}

    def on_part_begin(self) -> None:
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise MalformedForm(f"a form may have {MOST_PARTS} parts")
        self._name, self._disposition, self._is_file = "", b"", False
        self._header, self._value, self._data = b"", b"", bytearray()

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def on_header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = self._value
        self._header, self._value = b"", b""

    def on_headers_finished(self) -> None:
        _, options = parse_options_header(self._disposition)
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        self._is_file = b"filename" in options and self._name == "file"
        if self._is_file:
            if self.file_name is not None:
                raise MalformedForm("the form has more than one file")
            self.file_name = options[b"filename"].decode("utf-8", "replace")

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self._received += end - start
            if self._received > self.limit:
                raise too_large(self.limit)
            self.pending.append(data[start:end])
        elif self._name in self.wanted:
            self._data += data[start:end]
            if len(self._data) > LONGEST_FIELD:
                raise MalformedForm(f"{self._name} is longer than {LONGEST_FIELD} bytes")

    def on_part_end(self) -> None:
        if not self._is_file and self._name in self.wanted:
            if self._name in self.fields:
                raise MalformedForm(f"{self._name} is given more than once")
            self.fields[self._name] = bytes(self._data).decode("utf-8", "replace")

    def on_end(self) -> None:
        self.complete = True


async def read_form(request: Request, file: Target, limits: Limits, fields: Collection[str]) -> Form:
    """Read a form with one part `file`, which is written to `file`, and these text fields.

    Raises MalformedForm, RequestTooLarge, or BadInput where the client goes away; the file is the caller's to keep or discard.
    """
    request.scope[PATIENCE] = limits.upload_seconds
    media, options = parse_options_header(request.headers.get("content-type"))
    if media != b"multipart/form-data" or not options.get(b"boundary"):
        raise MalformedForm("the body is no multipart form")
    announced = request.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced) > limits.upload + AROUND:
        raise too_large(limits.upload)
    form = Form(file, limits.upload, fields)
    try:
        await fed(request, form, MultipartParser(options[b"boundary"], form.callbacks()), limits)
    except FormParserError as error:
        raise MalformedForm("the form cannot be read") from error
    except ClientDisconnect as error:  # for the log only: nobody is there to read the answer
        raise BadInput("the client went away before the form was whole") from error
    if not form.complete:
        raise MalformedForm("the form ends too early")
    return form


async def fed(request: Request, form: Form, parser: MultipartParser, limits: Limits) -> None:
    size = waiting = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > limits.upload + AROUND:
            raise too_large(limits.upload)
        if chunk:
            parser.write(chunk)
            waiting += len(chunk)
        if waiting >= BATCH:
            await flush_pending(form)
            waiting = 0
    await flush_pending(form)


async def flush_pending(form: Form) -> None:
    """Hand what has come to the file; hashing and writing wait for the disk, so not on the event loop."""
    if form.pending:
        pieces, form.pending = form.pending, []
        await run_in_threadpool(form.file.write, b"".join(pieces))
