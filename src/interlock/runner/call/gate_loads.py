"""What gates read before they judge: a `load` for each work, a `load_many` once for the works that a runner began together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

from ...errors import StoreBusy, StoreUnavailable
from ...store.connect import Database
from ...workflow import Work
from ...workflow.stage import Gate

Key = tuple[Any, str | None]


class GateLoads:
    """The reads for the gates of one group of works, each in a short transaction of its own; called in the threads of executors.

    The first work whose gate needs a `load_many` has it called for the whole group, and the others take their values from it. A value is
    taken once: a gate that is asked again gets a fresh one, read for its work alone."""

    def __init__(self, database: Database, works: Sequence[Work]) -> None:
        self._database, self._works = database, list(works)
        self._values: dict[Callable[..., Any], dict[Key, Any]] = {}
        self._lock = threading.Lock()

    def read(self, gate: Gate, work: Work) -> Any:
        """Return what the gate's load read for this work; raises what the load raises."""
        if gate.group_loader is not None and len(self._works) > 1:
            with self._lock:
                values = self._values.get(gate.group_loader)
                if values is None:
                    values = self._values[gate.group_loader] = self._read_group(gate.group_loader)
                key = _key_of(work)
                if key in values:
                    return values.pop(key)
        with self._database.read() as tx:
            return read_alone(tx, gate, work)

    def _read_group(self, loader: Callable[..., Any]) -> dict[Key, Any]:
        """The value of each work; empty where loading failed or gave another number of values, so that each is loaded alone."""
        try:
            with self._database.read() as tx:
                values = list(loader(tx, list(self._works)))
        except (StoreUnavailable, StoreBusy):
            raise
        except Exception:  # noqa: BLE001 which work it is about shows when each is loaded alone
            return {}
        if len(values) != len(self._works):
            return {}
        return {_key_of(work): value for work, value in zip(self._works, values, strict=True)}


def read_alone(tx: Connection, gate: Gate, work: Work) -> Any:
    """Call a gate's `load`, or its `load_many` for one work."""
    if gate.group_loader is None:
        assert gate.loader is not None
        return gate.loader(tx, work)
    values = list(gate.group_loader(tx, [work]))
    if len(values) != 1:
        raise TypeError(f"load_many of gate {gate.name!r} returned {len(values)} values for 1 work")
    return values[0]


def _key_of(work: Work) -> Key:
    return work.id, work.scope
