"""An HTTP endpoint on loopback that answers chat completions as a test decides, right or wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def completion(content: Any) -> bytes:
    """A chat completion with this text; anything but text is written as JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()


def error(code: str, message: str = "no", kind: str = "error") -> bytes:
    """The body of an error."""
    return json.dumps({"error": {"code": code, "type": kind, "message": message}}).encode()


@dataclass
class Reply:
    """One answer: `promised` bytes are announced, `body` is sent; a silent one sends nothing until the server closes."""

    status: int = 200
    body: bytes = b""
    promised: int | None = None
    is_silent: bool = False
    headers: dict[str, str] = field(default_factory=dict)
    """Further headers; `Date` takes the place of the server's own."""


@dataclass
class EndpointServer:
    """Answers each request by `reply`, and keeps the requests."""

    reply: Callable[[dict[str, Any]], Reply] = field(default=lambda request: Reply(body=completion("[]")))
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def __enter__(self) -> EndpointServer:
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append({"path": self.path, **request})
                server.headers.append(dict(self.headers.items()))
                reply = server.reply(request)
                if reply.is_silent:
                    server.closing.wait(60)
                    return
                self.send_response_only(reply.status)
                for name, value in {"Date": self.date_time_string(), **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(reply.promised or len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            def log_message(self, *_: Any) -> None:
                """Keep quiet."""

        return Handler
