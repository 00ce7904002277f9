"""A workflow before and after its machine lost a state, as a team's module would have it in two versions of its code."""

from __future__ import annotations

from interlock import Machine
from tests.kinds import plain

before = [
    plain(Machine("order", initial="placed", moves={"placed": ["review"], "review": ["sent"]}), "orders")
]
after = [
    plain(Machine("order", initial="placed", moves={"placed": ["checking"], "checking": ["sent"]}), "orders")
]
