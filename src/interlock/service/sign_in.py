"""Signing in where the system does not say whose a connection is: an address that is printed to the owner and works once."""

from __future__ import annotations

import secrets
import threading
from hashlib import sha256
from typing import Annotated

from fastapi import Query
from starlette.requests import Request

from ..errors import NotAuthenticated
from .answers import Json

PATH = "/sign-in"
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


class SigningIn:
    """The route that the printed address leads to."""

    def __init__(self, sign_in: SignIn | None) -> None:
        self.sign_in = sign_in

    def open(self, request: Request, once: Once) -> Json:
        """Sign this browser in as the user of this machine, by the address that the service printed; it works once."""
        session = None if self.sign_in is None else self.sign_in.open_session(once)
        if session is None:
            raise NotAuthenticated(
                "this sign-in address was used before, or is none",
                hint="Start the service anew for another one, or make a key: `interlock key create NAME --scope admin`.",
            )
        cookie = f"{cookie_of(request)}={session}; Path=/; HttpOnly; SameSite=Strict"
        return Json({"actor": "local", "role": "admin"}, headers={"Set-Cookie": cookie})
