"""A Merkle tree that is grown leaf by leaf in flat memory, and the path that proves one leaf of it. Pure.

A leaf is SHA-256(0x00 ‖ text), a node SHA-256(0x01 ‖ left ‖ right); where a row has an odd end, that node is promoted as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

BLOCK = 1024  # leaves that are folded at once; a power of two, so that a full block is a whole subtree
Step = tuple[Literal["left", "right"], bytes]
Path = list[Step]


def leaf(text: str) -> bytes:
    return sha256(b"\x00" + text.encode()).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def next_row(row: Sequence[bytes]) -> list[bytes]:
    """The row above: neighbours joined, an odd last one promoted."""
    pairs = iter(row)
    above = [sha256(b"\x01" + left + right).digest() for left, right in zip(pairs, pairs, strict=False)]
    return [*above, row[-1]] if len(row) % 2 else above


def fold(leaves: Sequence[bytes]) -> bytes:
    """The root over these leaves; over none it is the hash of nothing."""
    row = list(leaves) or [sha256(b"").digest()]
    while len(row) > 1:
        row = next_row(row)
    return row[0]


def path(leaves: Sequence[bytes], index: int) -> Path:
    """The neighbours that lead from one leaf to the root."""
    row, steps = list(leaves), []
    while len(row) > 1:
        beside = index ^ 1
        if beside < len(row):
            steps.append(("left" if beside < index else "right", row[beside]))
        row, index = next_row(row), index // 2
    return steps  # type: ignore[return-value]


def climb(start: bytes, steps: Iterable[Step]) -> bytes:
    """The root that a leaf and its path lead to."""
    for side, beside in steps:
        start = node(beside, start) if side == "left" else node(start, beside)
    return start


@dataclass(slots=True)
class Peak:
    """A finished subtree, and the leaves in it that are to be proven."""

    size: int
    hash: bytes
    wanted: list[int]


@dataclass(slots=True)
class Tree:
    """Grows at the right; keeps one block of leaves and one peak for each size of subtree."""

    wanted: set[int] = field(default_factory=set)
    count: int = 0
    paths: dict[int, Path] = field(default_factory=dict)
    block: list[bytes] = field(default_factory=list)
    peaks: list[Peak] = field(default_factory=list)

    @property
    def size(self) -> int:
        return self.count + len(self.block)

    def extend(self, leaves: Sequence[bytes]) -> None:
        """The next leaves; the path of one whose number was put into `wanted` before is kept."""
        self.block += leaves
        while len(self.block) >= BLOCK:
            full, self.block = self.block[:BLOCK], self.block[BLOCK:]
            self._raise(full)

    def root(self) -> bytes:
        """The root over all leaves so far; nothing may be added after it was asked."""
        if self.block:
            full, self.block = self.block, []
            self._raise(full)
        if not self.peaks:
            return fold(())
        while len(self.peaks) > 1:
            self._join()
        return self.peaks[0].hash

    def _raise(self, leaves: list[bytes]) -> None:
        """A block becomes a peak, and peaks of one size become the next one."""
        here = sorted(index for index in self.wanted if self.count <= index < self.count + len(leaves))
        self.paths |= {index: path(leaves, index - self.count) for index in here}
        self.count += len(leaves)
        self.peaks.append(Peak(len(leaves), fold(leaves), here))
        while len(self.peaks) > 1 and self.peaks[-1].size == self.peaks[-2].size:
            self._join()

    def _join(self) -> None:
        right, left = self.peaks.pop(), self.peaks.pop()
        for index in left.wanted:
            self.paths[index].append(("right", right.hash))
        for index in right.wanted:
            self.paths[index].append(("left", left.hash))
        self.peaks.append(
            Peak(left.size + right.size, node(left.hash, right.hash), left.wanted + right.wanted)
        )
