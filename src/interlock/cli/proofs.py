"""Who seals, proves and looks into the past: this process on the database itself, or a service that is asked to; both in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from ..errors import BadInput, StoreUnavailable
from ..observe import past
from ..observe.proof import read_seals, text_of
from ..store.seal import Seal
from ..store.verify import Report
from ..store.verify_seals import compared
from .record import stored_id
from .remote import PAGE, VERIFY_SECONDS, Remote, record, timed
from .session import Session

Row = dict[str, Any]
END = '{"end":'


class Here:
    """The app's own ledger."""

    def __init__(self, running: Session) -> None:
        self.running, self.app = running, running.app

    def sealing(self, key: str | None) -> Iterator[Row]:
        return (made.row() for made in self.app.ledger.sealing(key or self.running.settings.seal_key))

    def seals(self, after: int) -> list[Row]:
        return [one.row() for one in self.app.ledger.seals(after)]

    def export(self, kind: str | None, after_seal: int, *, detail: bool) -> Iterator[str]:
        workflow = None if kind is None else self.app.workflow(kind)
        return self.app.ledger.export(kind=workflow, after_seal=after_seal, detail=detail)

    def proof(self, kind: str, id: str, *, detail: bool) -> str:
        return text_of(self.app.ledger.prove(kind, self._stored(kind, id), detail=detail))

    def stood(self, kind: str, id: str, at: datetime, axis: str | None, scope: str | None) -> list[Row]:
        return past.stood(self.app.ledger.as_of(kind, self._stored(kind, id), at, axis=axis, scope=scope))

    def counted(self, at: datetime, kind: str | None, axis: str | None, scope: str | None) -> list[Row]:
        return past.counted(self.app.ledger.counts_as_of(at, kind, axis=axis, scope=scope))

    def _stored(self, kind: str, id: str) -> str:
        return stored_id(self.running, kind, self.running.record_id(kind, id))


class There:
    """The ledger of a service."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote

    def sealing(self, key: str | None) -> Iterator[Row]:
        if key is not None:
            raise BadInput(
                "a private key is not sent to a service: --key needs the database itself",
                hint="Leave out --key: a service signs with its own, seal_key in its interlock.toml or INTERLOCK_SEAL_KEY.",
            )
        return iter(self.remote.ask("/ledger/seals", method="POST", seconds=VERIFY_SECONDS)["seals"])

    def seals(self, after: int) -> list[Row]:
        found: list[Row] = []
        start: int | None = after
        while start is not None:
            page = self.remote.ask("/ledger/seals", [("after", start), ("limit", PAGE)])
            found += page["seals"]
            start = page["next"]
        return found

    def verify(self, kind: str | None, id: str | None, kept: str | None) -> Report:
        """Verified over there; seals that were kept are held against the service's here, and are not shown to it."""
        trusted = () if kept is None else read_seals(kept)
        report = self.remote.check(kind, id)
        if trusted:
            every = [Seal.from_row(one) for one in self.seals(0)]
            report.seals = len(every)
            report.findings += compared(every, trusted)
        return report

    def export(self, kind: str | None, after_seal: int, *, detail: bool) -> Iterator[str]:
        """Line by line; an export ends with a line that says so."""
        rest, line = b"", ""
        for piece in self.remote.pieces(
            "/ledger/export", [("kind", kind), ("after_seal", after_seal), ("detail", said(detail))]
        ):
            *whole, rest = (rest + piece).split(b"\n")
            for one in whole:
                line = one.decode()
                yield line
        if rest or not line.startswith(END):
            raise StoreUnavailable(
                f"the export of {self.remote.url} broke off before its end", hint="Ask again: it begins anew."
            )

    def proof(self, kind: str, id: str, *, detail: bool) -> str:
        return self.remote.text(
            f"{record(kind, id)}/proof", [("detail", said(detail))], seconds=VERIFY_SECONDS
        )

    def stood(self, kind: str, id: str, at: datetime, axis: str | None, scope: str | None) -> list[Row]:
        return [timed(one, "since") for one in self._past(at, kind, id, axis, scope)["where"]]

    def counted(self, at: datetime, kind: str | None, axis: str | None, scope: str | None) -> list[Row]:
        found: list[Row] = self._past(at, kind, None, axis, scope)["counts"]
        return found

    def _past(
        self, at: datetime, kind: str | None, id: str | None, axis: str | None, scope: str | None
    ) -> Any:
        query = [("at", at.isoformat()), ("kind", kind), ("id", id), ("axis", axis), ("scope", scope)]
        return self.remote.ask("/ledger/as-of", query, seconds=VERIFY_SECONDS)


def said(yes: bool) -> str:
    return "true" if yes else "false"


def proofs_of(running: Session) -> Here | There:
    remote = running.remote
    return Here(running) if remote is None else There(remote)
