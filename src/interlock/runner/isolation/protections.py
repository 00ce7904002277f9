"""What a system enforces on isolated processes, as values: measured where it is enforced, sent to the runner, printed by the doctor."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Literal

Files = Literal["mounts and Landlock", "mounts", "Landlock", ""]


@dataclass(frozen=True)
class Protections:
    """Whether each protection holds for one isolated process."""

    network: bool = False
    """It has an empty network of its own."""
    sockets: bool = False
    """The kernel refuses it new sockets, also those in the file system."""
    processes: bool = False
    """Its processes are numbered apart: it cannot name others, and all of them end with it."""
    signals: bool = False
    """It cannot signal the runner or other work."""
    memory: bool = False
    """It cannot read the environment or memory of the runner's processes."""
    files: Files = ""
    """What keeps it from writing outside its temporary folder and the folders that its stage declares."""
    calls: bool = False
    """The kernel refuses it mounts, namespaces, tracing and other privileged calls."""

    def missing(self) -> list[str]:
        """What this system does not enforce, in words."""
        names = {
            "network": "an empty network",
            "sockets": "a filter for sockets",
            "processes": "process numbers of its own",
            "signals": "a bar against signals",
            "memory": "a bar against reading the runner's memory",
            "files": "read-only files",
            "calls": "a filter for privileged calls",
        }
        return [names[one.name] for one in fields(self) if not getattr(self, one.name)]

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, payload: bytes) -> Protections:
        """Read what a process sent before it took any work; raises `ValueError` or `TypeError` for anything else."""
        return cls(**json.loads(payload))
