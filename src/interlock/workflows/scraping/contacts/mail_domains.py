"""Whether the host of an e-mail address takes mail, asked of the DNS alone: no mail server is ever contacted."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..web.addresses import Network, as_address, is_public
from ..web.resolving import NoAnswer, NoSuchName, Resolver

Status = Literal["accepts", "refuses", "missing", "unknown"]
SECONDS = 5.0
"""How long one question may take."""
FRESH_SECONDS = 3_600.0
MOST_HOSTS, MOST_MAIL_HOSTS = 10_000, 5


@dataclass(frozen=True)
class MailDomain:
    """What the DNS says of a host: `accepts` mail, `refuses` it, is `missing`, or `unknown` where nobody answered."""

    status: Status
    mail_hosts: tuple[str, ...] = ()
    problem: str = ""

    def as_dict(self) -> dict[str, object]:
        facts: dict[str, object] = {"status": self.status, "mail_hosts": list(self.mail_hosts)}
        return {**facts, "problem": self.problem} if self.problem else facts


UNKNOWN = MailDomain("unknown")


class MailDomains:
    """Checks hosts within one event loop, each once an hour; what nobody answered is asked again the next time."""

    def __init__(self, resolver: Resolver, allowed: Sequence[Network] = (), seconds: float = SECONDS) -> None:
        self._resolver, self._allowed, self._seconds = resolver, tuple(allowed), seconds
        self._known: OrderedDict[str, tuple[float, MailDomain]] = OrderedDict()

    async def check(self, host: str) -> MailDomain:
        """What is known of a host; never raises for what a name or a nameserver does."""
        now = asyncio.get_running_loop().time()
        known = self._known.get(host)
        if known is not None and now - known[0] <= FRESH_SECONDS:
            return known[1]
        try:
            async with asyncio.timeout(self._seconds * 3):
                checked = await self._ask(host)
        except (NoAnswer, TimeoutError) as error:
            return MailDomain("unknown", problem=str(error)[:100] or "no nameserver answered in time")
        self._known[host] = (now, checked)
        while len(self._known) > MOST_HOSTS:
            self._known.popitem(last=False)
        return checked

    async def _ask(self, host: str) -> MailDomain:
        try:
            named = await self._resolver.records(host, "MX", self._seconds)
        except NoSuchName:
            return MailDomain("missing", problem="the domain does not exist")
        if named == ["."]:
            return MailDomain("refuses", problem="the domain states that it takes no mail")
        hosts = [one.rstrip(".").lower() for one in named if one != "."] or [host]
        answers = []
        for one in hosts[:MOST_MAIL_HOSTS]:
            reached = await self._is_public(one)
            if reached:
                return MailDomain("accepts", tuple(hosts[:MOST_MAIL_HOSTS]))
            answers.append(reached)
        if None in answers:
            raise NoAnswer("no nameserver answered for its mail servers")
        problem = (
            "its mail servers have no public address" if named else "it has no mail server and no address"
        )
        return MailDomain("refuses", tuple(hosts[:MOST_MAIL_HOSTS]) if named else (), problem)

    async def _is_public(self, host: str) -> bool | None:
        """Whether a mail server has an address, and only such as may be contacted; None where nobody answered."""
        try:
            addresses = [
                as_address(text)
                for kind in ("A", "AAAA")
                for text in await self._resolver.records(host, kind, self._seconds)
            ]
        except NoSuchName:
            return False
        except NoAnswer:
            return None
        return bool(addresses) and all(is_public(one, self._allowed) for one in addresses)
