"""An idempotency key for commands that have none of their own: claimed, done and answered in one transaction, so done at most once."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from ...app import App
from ...errors import BadInput, InterlockError, StoreError
from ...store.entry import canonical
from ...workflow import Answer


def keyed(app: App, actor: str, key: str, payload: Any, id: Any, act: Callable[[Any], Answer]) -> Answer:
    """The stored answer, or that of the act; a refusal is an answer too, and is repeated. What is wrong with the request itself is not."""

    def one(tx: Any) -> list[Answer]:
        try:
            return [act(tx)]
        except (StoreError, BadInput):
            raise
        except InterlockError as error:
            return [Answer(id, "refused", error=error)]

    return keyed_answers(app, actor, key, payload, one)[0]


def keyed_answers(
    app: App, actor: str, key: str, payload: Any, act: Callable[[Any], list[Answer]]
) -> list[Answer]:
    """The stored answers, or those of the act, of which each is an answer whatever it says."""
    return app.authority.keyed(actor, key, sha256(canonical(payload).encode()).digest(), act)
