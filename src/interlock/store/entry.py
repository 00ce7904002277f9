"""The ledger's entries as bytes: canonical JSON, the hash chain, and the salted hash of personal detail. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import Any
from uuid import UUID

from ..errors import BadInput
from ..ids import random_bytes
from ..workflow.columns.instant import instant_text

GENESIS = bytes(32)
FACTS_LIMIT = 64 * 1024

_PLAIN_TYPES = frozenset({str, int, float, bool, type(None)})
_dump = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class Detail:
    """Free text and facts of a move: kept beside the chain, so that they can be erased; only the digest is inside.

    What was said of several records at once is `shared`: it is no single record's own, and is not erased with one of them.
    """

    salt: bytes
    reason: str | None
    facts: str
    digest: bytes
    shared: bool = False


def plain(value: Any) -> Any:
    """A fact as JSON can hold it, exactly: money and instants become text, never floats."""
    if type(value) in _PLAIN_TYPES or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Decimal | UUID):
        return str(value)
    if isinstance(value, datetime):
        return instant_text(value) if value.tzinfo else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(
            (plain(item) for item in value), key=_dump
        )  # a set has an order of its own in every process
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise BadInput(
        f"a fact of type {type(value).__name__} cannot be kept in the ledger",
        hint="Facts are text, numbers, booleans, instants, decimals, and lists or mappings of them.",
    )


def canonical(value: Any) -> str:
    """The one way this value is written: sorted keys, no spaces, no NaN."""
    try:
        text = _dump(plain(value))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"a fact cannot be written as JSON: {error}") from error
    if not is_text(text):
        raise BadInput("a fact holds half of a surrogate pair, which is no text")
    return text


def is_text(value: str) -> bool:
    """Half of a surrogate pair is a str in Python, and text nowhere else."""
    return value.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in value)


def canonical_facts(facts: Mapping[str, Any]) -> str:
    """The facts of a move as text; refuses what is too large for a ledger."""
    text = canonical(facts) if facts else "{}"
    if len(text) > FACTS_LIMIT:
        raise BadInput(
            f"the facts take {len(text):,} characters; the ledger takes {FACTS_LIMIT:,}",
            hint="Keep large results in a table or file of your own, and put a reference into the facts.",
        )
    return text


def detail_digest(salt: bytes, reason: str | None, facts: str) -> bytes:
    return sha256(salt + _dump([facts, reason]).encode()).digest()


def make_detail(reason: str | None, facts: str) -> Detail | None:
    """The detail of a move, freshly salted; None where there is nothing to keep."""
    if reason is None and facts == "{}":
        return None
    salt = random_bytes(16)
    return Detail(salt, reason, facts, detail_digest(salt, reason, facts))


def make_details(facts: Sequence[str], reason: str | None = None) -> list[Detail | None]:
    """A detail for each of these texts, salted from one reading of the system's source; None where there is nothing to keep."""
    salts = random_bytes(16 * len(facts))
    found: list[Detail | None] = []
    for number, text in enumerate(facts):
        salt = salts[16 * number : 16 * number + 16]
        empty = reason is None and text == "{}"
        found.append(
            None
            if empty
            else Detail(
                salt, reason, text, sha256(salt + f"[{quoted(text)},{maybe(reason)}]".encode()).digest()
            )
        )
    return found


def salted_facts(facts: Sequence[str]) -> tuple[bytes, list[bytes]]:
    """Fresh salts for these texts, 16 bytes each in one, and the digest of each as the detail of a move that has no reason."""
    salts = random_bytes(16 * len(facts))
    starts = range(0, len(salts), 16)
    return salts, [
        sha256(salts[start : start + 16] + f"[{quoted(text)},null]".encode()).digest()
        for start, text in zip(starts, facts, strict=True)
    ]


def maybe(text: str | None) -> str:
    """A text, or null, as JSON."""
    return "null" if text is None else quoted(text)


def chain(previous: bytes, body: str) -> bytes:
    """The hash of an entry: its own canonical text, bound to the entry before it."""
    return sha256(previous + body.encode()).digest()


@dataclass(frozen=True, slots=True)
class EntryTemplate:
    """What the entries of one batch have in common."""

    kind: str
    axis: str
    old: str | None
    new: str | None
    at: datetime
    actor: str
    role: str | None
    cause: str | None
    origin: str
    machine: str
    detail: Detail | None = None

    def halves(self, scope: str) -> tuple[str, str]:
        """The canonical text before the quoted record id, and between it and the version: for a database that hashes by itself."""
        before, between, behind = self.pieces()
        return before, f'{between}{quoted(scope)}{behind}null,"version":'

    def pieces(self) -> tuple[str, str, str]:
        """The canonical text before the record id, between it and the scope, and from there to the token."""
        digest = "null" if self.detail is None else f'"{self.detail.digest.hex()}"'
        before = (
            f'{{"actor":{quoted(self.actor)},"at":"{instant_text(self.at)}","axis":{quoted(self.axis)},"cause":{maybe(self.cause)},'
            f'"detail":{digest},"from":{maybe(self.old)},"id":'
        )
        between = (
            f',"kind":{quoted(self.kind)},"machine":{quoted(self.machine)},"origin":{quoted(self.origin)},"role":{maybe(self.role)},'
            '"scope":'
        )
        return before, between, f',"to":{maybe(self.new)},"token":'

    def writer(self, scope: str) -> Callable[[str, int, str | None, bytes | None], str]:
        """A function (record id, version, token, digest of the row's own detail) → canonical text; only these vary within a batch."""
        head, middle, tail = self.pieces()
        before, _, behind = head.rpartition('"detail":null') if self.detail is None else (head, "", "")
        between = f"{middle}{quoted(scope)}{tail}"

        def write(record_id: str, version: int, token: str | None, digest: bytes | None) -> str:
            start = head if digest is None else f'{before}"detail":"{digest.hex()}"{behind}'
            return f'{start}{quoted(record_id)}{between}{maybe(token)},"version":{version}}}'

        return write


def chain_rows(
    template: EntryTemplate,
    scope: str,
    heads: Sequence[bytes | None],
    names: Sequence[str],
    versions: Sequence[int],
) -> list[bytes]:
    """The hashes of the next entries of many records that differ in nothing but these: no tokens, and no details of their own."""
    head, middle, tail = template.pieces()
    between = f'{middle}{quoted(scope)}{tail}null,"version":'
    return [
        sha256((previous or GENESIS) + f"{head}{quoted(name)}{between}{version}}}".encode()).digest()
        for previous, name, version in zip(heads, names, versions, strict=True)
    ]


def entry_text(row: Mapping[str, Any]) -> str:
    """The canonical text of an entry as read back from the ledger; verifiers hash this."""
    return _dump(
        {
            "actor": row["actor"],
            "at": instant_text(row["at"]),
            "axis": row["axis"],
            "cause": row["cause"],
            "detail": None if row["detail"] is None else bytes(row["detail"]).hex(),
            "from": row["from_state"],
            "id": row["record_id"],
            "kind": row["kind"],
            "machine": row["machine"],
            "origin": row["origin"],
            "role": row["role"],
            "scope": row["scope"],
            "to": row["to_state"],
            "token": row["token"],
            "version": row["version"],
        }
    )
