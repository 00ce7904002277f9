"""Who asks: the holder of an API key, whom the user's own `identify` names, or, where no key was ever made, the user of this machine."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from ..app import App
from ..errors import NotAuthenticated
from ..store import keys
from .limits import Buckets, Limits

Identify = Callable[[Request], Any]
REMEMBERED_FOR = 1.0
"""For so many seconds a key that was looked up is not looked up again, so a revoked one ends within that time."""
REMEMBERED = 1_000
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


@dataclass(frozen=True, slots=True)
class Identity:
    """The actor and role that go into the ledger, and the scope that opens routes."""

    actor: str
    role: str
    scope: str


LOCAL = Identity("local", "admin", "admin")


class Callers:
    """Knows who asks, and counts how often."""

    def __init__(self, app: App, identify: Identify | None, limits: Limits) -> None:
        self.app, self.identify, self.buckets = app, identify, Buckets(limits)
        self._known: dict[bytes, tuple[float, Identity]] = {}
        self._keyless_until = 0.0
        self._words = {
            edge.role
            for workflow in app.workflows.values()
            for axis in workflow.axes.values()
            for _, edge in axis.machine.pairs()
            if edge.role
        }

    async def of(self, request: Request) -> Identity:
        """Who asks; refuses whoever does not say, and whoever asks too often."""
        now = asyncio.get_running_loop().time()
        address = request.client.host if request.client else "nobody"
        if self.identify is not None:
            self.buckets.take(f"address {address}", now)
            return await self._named(request, self.identify)
        if (presented := secret_of(request)) is None:
            self.buckets.take(f"address {address}", now)
            return await self._local(request, now)
        return await self._holder(keys.digest(presented), address, now)

    def forget(self) -> None:
        """Look everybody up anew: a key was made or revoked here."""
        self._known.clear()
        self._keyless_until = 0.0

    async def _named(self, request: Request, identify: Identify) -> Identity:
        """Whoever the app around us says it is; a role that is no scope of ours counts by what machines let it do."""
        said = (
            await identify(request)
            if inspect.iscoroutinefunction(identify)
            else await run_in_threadpool(identify, request)
        )
        if inspect.isawaitable(said):
            said = await said
        if said is None:
            raise NotAuthenticated(
                "the application does not know who asks", hint="Log in to the application that serves this."
            )
        actor, role = said
        return Identity(str(actor), str(role), self.scope_of(str(role)))

    def scope_of(self, role: str) -> str:
        if role in keys.SCOPES:
            return role
        return "curator" if role in self._words else "viewer"

    async def _local(self, request: Request, now: float) -> Identity:
        if now >= self._keyless_until:
            if await run_in_threadpool(self._any_key):
                raise NotAuthenticated("the request carries no key")
            self._keyless_until = now + REMEMBERED_FOR
        if not is_local(request) and not (request.client and request.client.host in self.app.local_clients):
            raise NotAuthenticated("without a key the service answers its own machine only")
        return LOCAL

    def _any_key(self) -> bool:
        with self.app.database.read() as tx:
            return keys.any_was_made(tx)

    async def _holder(self, presented: bytes, address: str, now: float) -> Identity:
        """A key that is known is counted by its name; one that is not yet, by the address, so that guessing is counted too."""
        until, who = self._known.get(presented, (0.0, LOCAL))
        if now >= until:
            self.buckets.take(f"address {address}", now)
            who = await run_in_threadpool(self._looked_up, presented)
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[presented] = (now + REMEMBERED_FOR, who)
        self.buckets.take(f"key {who.actor}", now)
        return who

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


def is_local(request: Request) -> bool:
    """From this machine, by a name of this machine, and through no proxy: a page of another site or a proxy's client is somebody else."""
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    host = request.headers.get("host", "")
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name.lower() in LOCAL_HOSTS and is_loopback(request.client.host)


def is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
