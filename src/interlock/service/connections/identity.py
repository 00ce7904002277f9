"""Who asks: the holder of an API key, whom the user's own `identify` names, or without a key the user who runs the service."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from ...app import App
from ...errors import NotAuthenticated, NotAuthorized
from ...store.records import api_keys as keys
from ..browser.sign_in import SignIn, carries_token, cookie_of, key_in_cookie
from ..http.hosts import host_name
from ..http.limits import Buckets, Limits
from .peers import is_own_user

Identify = Callable[[Request], Any]
REMEMBERED_FOR = 1.0
"""For so many seconds a key that was looked up is not looked up again, so a revoked one ends within that time."""
REMEMBERED = 1_000
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
FORWARDED = frozenset(
    {"forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip"}
)
"""Headers of proxies, besides all that begin with `x-forwarded-`."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The actor and role that go into the ledger, and the scope that opens routes."""

    actor: str
    role: str
    scope: str


LOCAL = Identity("local", "admin", "admin")


class Callers:
    """Identifies callers, and counts their requests."""

    def __init__(
        self,
        app: App,
        identify: Identify | None,
        limits: Limits,
        *,
        sign_in: SignIn | None = None,
        require_key: bool = False,
    ) -> None:
        self.app, self.identify, self.buckets = app, identify, Buckets(limits)
        self.sign_in, self.require_key = sign_in, require_key
        self._known: dict[bytes, tuple[float, Identity]] = {}
        self._digests: frozenset[bytes] = frozenset()
        self._digests_until = 0.0
        self._words = {
            edge.role
            for workflow in app.workflows.values()
            for axis in workflow.axes.values()
            for _, edge in axis.machine.pairs()
            if edge.role
        }

    async def of(self, request: Request) -> Identity:
        """The caller's identity; raises where there is none, and where the caller exceeds its rate."""
        now = asyncio.get_running_loop().time()
        address = request.client.host if request.client else "nobody"
        if self.identify is not None:
            self.buckets.take(f"address {address}", now)
            return await self._named(request, self.identify)
        if (presented := secret_of(request)) is not None:
            return await self._holder(keys.digest(presented), address, now)
        if (kept := key_in_cookie(request)) is not None:
            who = await self._holder(keys.digest(kept), address, now)
            refuse_without_token(request)
            return who
        if await self._is_own_user(request):
            self.buckets.take("own user", now)
            return LOCAL
        self.buckets.take(f"failures {address}", now)
        raise NotAuthenticated(
            "the request carries no key, and does not come from the user who runs the service"
        )

    async def of_key(self, request: Request, secret: str) -> Identity:
        """The holder of a key that a form brought; refuses one that does not hold."""
        if self.identify is not None:
            raise NotAuthenticated("this service is signed in to through the application that serves it")
        now = asyncio.get_running_loop().time()
        address = request.client.host if request.client else "nobody"
        return await self._holder(keys.digest(secret), address, now)

    def forget(self) -> None:
        """Empty the cache of keys, after one was made or revoked."""
        self._known.clear()
        self._digests_until = 0.0

    async def _named(self, request: Request, identify: Identify) -> Identity:
        """Whoever the app around us says it is; a role that is no scope of ours counts by what machines let it do."""
        answer = (
            await identify(request)
            if inspect.iscoroutinefunction(identify)
            else await run_in_threadpool(identify, request)
        )
        if inspect.isawaitable(answer):
            answer = await answer
        if answer is None:
            raise NotAuthenticated(
                "the application does not know who asks", hint="Log in to the application that serves this."
            )
        actor, role = answer
        return Identity(str(actor), str(role), self.scope_of(str(role)))

    def scope_of(self, role: str) -> str:
        if role in keys.SCOPES:
            return role
        return "curator" if role in self._words else "viewer"

    async def _is_own_user(self, request: Request) -> bool:
        """Whether the request comes from a process of the user who runs the service, on this machine and through no proxy."""
        if self.require_key or request.client is None:
            return False
        if request.client.host in self.app.local_clients:
            return True
        if not is_local(request):
            return False
        if self.sign_in is not None and self.sign_in.knows(request.cookies.get(cookie_of(request))):
            return True
        server = request.scope.get("server")
        if server is None or server[1] is None:
            return False
        return await run_in_threadpool(
            is_own_user, (request.client.host, request.client.port), (server[0], server[1])
        )

    async def _holder(self, presented: bytes, address: str, now: float) -> Identity:
        """The holder of a key, counted by the key's name.

        Keys that nobody made are counted by the address they come from, apart from everything else: whoever guesses uses up that count
        only, and key holders behind the same proxy come in.
        """
        until, who = self._known.get(presented, (0.0, LOCAL))
        if now >= until:
            if not await self._was_made(presented, now):
                self.buckets.take(f"failures {address}", now)
            who = await run_in_threadpool(self._looked_up, presented)
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[presented] = (now + REMEMBERED_FOR, who)
        self.buckets.take(f"key {who.actor}", now)
        return who

    async def _was_made(self, presented: bytes, now: float) -> bool:
        """Whether a key with this digest existed when the digests were last read, at most a second ago."""
        if now >= self._digests_until:
            self._digests_until = now + REMEMBERED_FOR
            self._digests = await run_in_threadpool(self._read_digests)
        return presented in self._digests

    def _read_digests(self) -> frozenset[bytes]:
        with self.app.database.read() as tx:
            return keys.digests(tx)

    def _looked_up(self, presented: bytes) -> Identity:
        now = self.app.clock.now()
        with self.app.database.read() as tx:
            found = keys.known_by(tx, presented)
        if found is None or not found.holds(now):
            raise NotAuthenticated(f"the key is {'unknown' if found is None else found.state(now)}")
        if keys.use_is_due(found, now):
            with self.app.database.write() as tx:
                keys.note_use(tx, found.name, now)
        return Identity(found.name, found.scope, found.scope)


def secret_of(request: Request) -> str | None:
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if not scheme:
        return None
    if scheme.lower() != "bearer" or not secret.strip():
        raise NotAuthenticated("the header Authorization is not `Bearer ilk_…`")
    return secret.strip()


def refuse_without_token(request: Request) -> None:
    """A browser sends its cookie by itself; an act must also carry the token that only a page of ours can read."""
    if request.method not in ("GET", "HEAD") and not carries_token(request):
        raise NotAuthorized(
            "the request does not carry the token of this session",
            hint="Load the page anew; programs send the key in the header Authorization.",
        )


def is_local(request: Request) -> bool:
    """From this machine, by a name of this machine, and through no proxy: a page of another site or a proxy's client is somebody else."""
    if request.client is None or any(
        name in FORWARDED or name.startswith("x-forwarded-") for name in request.headers
    ):
        return False
    return host_name(request.headers) in LOCAL_HOSTS and is_loopback(request.client.host)


def is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
