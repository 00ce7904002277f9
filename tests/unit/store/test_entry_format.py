"""The bytes that are hashed never drift: golden values of the canonical text, the chain and the digest of a detail."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.errors import BadInput
from interlock.store.entry import (
    GENESIS,
    Detail,
    EntryTemplate,
    canonical,
    canonical_facts,
    chain,
    detail_digest,
    entry_text,
    make_detail,
)

AT = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
ROW: dict[str, Any] = {
    "actor": "ann",
    "at": AT,
    "axis": "status",
    "cause": "command.move",
    "detail": None,
    "from_state": "queued",
    "record_id": "u1",
    "kind": "statements",
    "machine": "0123456789abcdef",
    "origin": "move",
    "role": None,
    "scope": "",
    "to_state": "parsing",
    "token": None,
    "version": 1,
}
TEXT = (
    '{"actor":"ann","at":"2026-01-02T03:04:05.000678Z","axis":"status","cause":"command.move","detail":null,"from":"queued","id":"u1",'
    '"kind":"statements","machine":"0123456789abcdef","origin":"move","role":null,"scope":"","to":"parsing","token":null,"version":1}'
)


def test_the_text_of_an_entry() -> None:
    assert entry_text(ROW) == TEXT


def test_an_instant_is_written_in_utc_whatever_zone_it_came_in() -> None:
    assert entry_text({**ROW, "at": AT.astimezone(timezone(timedelta(hours=5, minutes=30)))}) == TEXT


def test_the_hash_of_a_first_entry_and_of_one_behind_it() -> None:
    first = chain(GENESIS, TEXT)
    assert first.hex() == "c46ddaced895f2186df480e716e64251aa026a1c3b9d569e90dfc245ab78284c"
    assert chain(first, TEXT).hex() == "2982d5dc36758240c0ba8b4b3f09507fae66362276f6cb4625181f2ef6c13ad3"
    assert bytes(32) == GENESIS


def test_the_digest_of_a_detail() -> None:
    assert (
        detail_digest(b"s" * 16, "it is time", '{"pages":3}').hex()
        == "e64a23ea9cf205ee936e2c8b932f7cede04f90e7ffde2018de300f4953811a40"
    )
    assert (
        detail_digest(b"s" * 16, None, "{}").hex()
        == "12eb88c188aa9d6a18bb9b3fd6f1850d10cc428a07e0ed14251283a26baa4ba6"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None, 1.5]}, '{"a":[true,null,1.5],"b":1}'),
        (Decimal("10.50"), '"10.50"'),
        (date(2026, 1, 2), '"2026-01-02"'),
        (AT, '"2026-01-02T03:04:05.000678Z"'),
        (UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
        ('ü→\n"\\\x01', '"ü→\\n\\"\\\\\\u0001"'),
        ({1: (2, 3)}, '{"1":[2,3]}'),
        (2**70, "1180591620717411303424"),
    ],
    ids=repr,
)
def test_a_value_has_one_way_of_being_written(value: Any, text: str) -> None:
    assert canonical(value) == text


@pytest.mark.parametrize(
    "value", [float("nan"), float("-inf"), b"x", 1j, {"a": {"b": b"x"}}, "\ud800", {"\udfff": 1}], ids=repr
)
def test_what_json_cannot_hold_exactly_is_refused(value: Any) -> None:
    with pytest.raises(BadInput):
        canonical(value)


def test_a_set_is_written_in_one_order() -> None:
    assert (
        canonical({"tags": {"b", "a", "c"}})
        == canonical({"tags": frozenset({"c", "b", "a"})})
        == '{"tags":["a","b","c"]}'
    )


def test_facts_have_a_limit() -> None:
    assert canonical_facts({}) == "{}"
    assert len(canonical_facts({"a": "x" * 65_000})) == 65_008
    with pytest.raises(BadInput):
        canonical_facts({"a": "x" * 66_000})


def test_every_detail_has_a_salt_of_its_own() -> None:
    assert make_detail(None, "{}") is None
    one, other = make_detail("same", "{}"), make_detail("same", "{}")
    assert one is not None
    assert other is not None
    assert one.salt != other.salt
    assert one.digest != other.digest
    assert one.digest == detail_digest(one.salt, "same", "{}")


hostile = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
some_text = st.none() | hostile


@given(
    id=hostile,
    scope=hostile,
    version=st.integers(0, 2**31),
    token=some_text,
    old=some_text,
    new=some_text,
    actor=hostile,
    role=some_text,
    cause=some_text,
    kind=hostile,
    axis=hostile,
    detailed=st.booleans(),
)
def test_a_batch_writes_the_very_text_that_verification_reads(
    id: str,
    scope: str,
    version: int,
    token: str | None,
    old: str | None,
    new: str | None,
    actor: str,
    role: str | None,
    cause: str | None,
    kind: str,
    axis: str,
    detailed: bool,
) -> None:
    detail = Detail(b"s" * 16, "r", "{}", b"d" * 32) if detailed else None
    template = EntryTemplate(kind, axis, old, new, AT, actor, role, cause, "move", "0123456789abcdef", detail)
    row = {
        **ROW,
        "record_id": id,
        "scope": scope,
        "version": version,
        "token": token,
        "from_state": old,
        "to_state": new,
        "actor": actor,
        "role": role,
        "cause": cause,
        "kind": kind,
        "axis": axis,
        "detail": detail and detail.digest,
    }
    write = template.writer(scope)
    assert write(id, version, token, None) == entry_text(row)
    before, behind = template.halves(scope)
    assert write("", version, None, None) == f'{before}""{behind}{version}}}'
    if not detailed:
        assert write(id, version, token, b"o" * 32) == entry_text({**row, "detail": b"o" * 32})
