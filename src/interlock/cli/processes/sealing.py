"""`--seal-every` and `--seal-to`: a process that seals the ledger on a schedule and keeps the seals outside the database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import click

from ...app import App
from ...errors import BadDeclaration, BadInput
from ...observe.proofs.seal_targets import target_of
from ...observe.proofs.sealing import EVERY, SealKeeper
from ...settings import Settings
from ...store.ledger.seals.signing import Signer
from ...workflow.durations import span
from ..grammar import SPAN

_EVERY = click.option(
    "--seal-every",
    type=SPAN,
    metavar="SPAN",
    help="Seal the ledger when the newest seal is so old: 10m, 1h. [env: INTERLOCK_SEAL_EVERY]",
)
_TO = click.option(
    "--seal-to",
    multiple=True,
    metavar="TARGET",
    help="Keep seals there too: a file, http(s)://…, or log; --seal-every is then 1h by default. [env: INTERLOCK_SEAL_TO]",
)


def seal_options(function: Any) -> Any:
    return _EVERY(_TO(function))


def seal_keeper(app: App, settings: Settings, every: str | None, to: tuple[str, ...]) -> SealKeeper | None:
    """What the flags and settings ask for; None where nobody asks for seals. A key that cannot be used is refused now."""
    every = every or settings.seal_every
    targets = to or ((settings.seal_to,) if settings.seal_to else ())
    if every is None and not targets:
        return None
    if settings.seal_key is not None:
        Signer(settings.seal_key)
    return SealKeeper(
        app.ledger,
        [target_of(one) for one in targets],
        every=EVERY if every is None else _span(every),
        key=settings.seal_key,
    )


def _span(every: str) -> timedelta:
    """A flag was checked when it was typed; a setting is checked here."""
    try:
        return span(every)
    except BadDeclaration as error:
        raise BadInput(
            f"seal_every is {every!r}, which is not a span of time",
            hint='Write seal_every = "10m" in interlock.toml, or INTERLOCK_SEAL_EVERY=10m.',
        ) from error
