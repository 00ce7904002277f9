"""Signing in: with an API key that a browser keeps as a cookie, or by an address that is printed to the owner and works once."""

from __future__ import annotations

import secrets
import threading
from hashlib import sha256
from hmac import new as hmac
from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ...errors import BadInput, NotAuthenticated
from ..http.answers import Json

PATH = "/sign-in"
TOKEN_HEADER = "x-interlock-token"
Once = Annotated[str, Query(min_length=1, max_length=200, description="From the address that was printed.")]


class SignIn:
    """One code, and the sessions that it opened; all of it is gone with the process."""

    def __init__(self) -> None:
        self._code: str | None = secrets.token_urlsafe(32)
        self._sessions: set[bytes] = set()
        self._lock = threading.Lock()

    def address(self, url: str) -> str:
        """The address to open in a browser, once."""
        return f"{url}{PATH}?once={self._code}"

    def open_session(self, code: str) -> str | None:
        """The secret of a new session; None where the code is wrong or was used."""
        with self._lock:
            if self._code is None or not secrets.compare_digest(code.encode(), self._code.encode()):
                return None
            self._code, session = None, secrets.token_urlsafe(32)
            self._sessions.add(sha256(session.encode()).digest())
            return session

    def knows(self, session: str | None) -> bool:
        return session is not None and sha256(session.encode()).digest() in self._sessions


def cookie_of(request: Request) -> str:
    """The name of the session's cookie; browsers keep one jar for all ports of a machine."""
    return f"interlock_session_{(request.scope.get('server') or ('', 0))[1]}"


def key_cookie_of(request: Request) -> str:
    """The name of the cookie that holds the API key of a browser's session."""
    return f"interlock_key_{(request.scope.get('server') or ('', 0))[1]}"


def key_in_cookie(request: Request) -> str | None:
    """The API key that the browser keeps; None where it keeps none."""
    return request.cookies.get(key_cookie_of(request)) or None


def token_of(request: Request) -> str:
    """The token that each act of this browser's session carries beside its cookie; a page of another site cannot read it."""
    secret = key_in_cookie(request)
    if secret is None:
        return ""
    return hmac(secret.encode(), b"interlock console token", "sha256").hexdigest()


def carries_token(request: Request) -> bool:
    """Whether a request brings the token of the session whose cookie it carries."""
    presented = request.headers.get(TOKEN_HEADER, "")
    return secrets.compare_digest(presented.encode(), token_of(request).encode())


def cookie(request: Request, name: str, value: str, *, ends: bool = False) -> str:
    """A cookie that scripts cannot read and that no other site's page sends along; it lasts as long as the browser runs."""
    path = request.scope.get("root_path", "") or "/"
    secure = "; Secure" if request.url.scheme == "https" else ""
    age = "; Max-Age=0" if ends else ""
    return f"{name}={value}; Path={path}; HttpOnly; SameSite=Strict{secure}{age}"


class SigningIn:
    """The route that the printed address leads to."""

    def __init__(self, sign_in: SignIn | None) -> None:
        self.sign_in = sign_in

    def open(self, request: Request, once: Once = "") -> Response:
        """Sign this browser in as the user of this machine, by the address that the service printed; it works once."""
        if not once and wants_page(request):
            return RedirectResponse(f"{request.scope.get('root_path', '')}/", 303)
        if not once:
            raise BadInput("query.once: the address carries no code")
        session = None if self.sign_in is None else self.sign_in.open_session(once)
        if session is None:
            raise NotAuthenticated(
                "this sign-in address was used before, or is none",
                hint="Start the service anew for another one, or make a key: `interlock key create NAME --scope admin`.",
            )
        headers = {"Set-Cookie": cookie(request, cookie_of(request), session)}
        if wants_page(request):
            return RedirectResponse(f"{request.scope.get('root_path', '')}/", 303, headers)
        return Json({"actor": "local", "role": "admin"}, headers=headers)


def wants_page(request: Request) -> bool:
    """Whether a browser asks for a page, rather than a program for JSON."""
    return "text/html" in request.headers.get("accept", "")
