"""Ed25519: the verifier's own arithmetic agrees with a library's, on signatures that hold and on those that do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from interlock.errors import BadInput
from interlock.independent_verifier import L, P, signature_holds
from interlock.store.ledger.seals import signing

KEYS = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in range(1, 9)]


def both(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """What both verifiers say; they must say the same."""
    told = signature_holds(public_key, message, signature)
    assert signing.holds(public_key, message, signature) is told
    return told


@pytest.mark.parametrize("number", range(len(KEYS)))
def test_a_signature_holds_for_its_message_and_key_alone(number: int) -> None:
    key, public = KEYS[number], KEYS[number].public_key().public_bytes_raw()
    signature = key.sign(b"a seal")
    assert both(public, b"a seal", signature)
    assert not both(public, b"another", signature)
    assert not both(KEYS[number - 1].public_key().public_bytes_raw(), b"a seal", signature)


@pytest.mark.parametrize("place", range(0, 64, 5))
def test_a_signature_with_one_bit_changed_does_not_hold(place: int) -> None:
    key = KEYS[0]
    changed = bytearray(key.sign(b"a seal"))
    changed[place] ^= 4
    assert not both(key.public_key().public_bytes_raw(), b"a seal", bytes(changed))


def test_what_is_no_signature_or_no_key_does_not_hold() -> None:
    key = KEYS[0]
    public, signature = key.public_key().public_bytes_raw(), key.sign(b"a seal")
    again = signature[:32] + (int.from_bytes(signature[32:], "little") + L).to_bytes(32, "little")
    for one in (again, signature[:63], b"", bytes(64)):
        assert not both(public, b"a seal", one)
    for one in (P.to_bytes(32, "little"), b"\xff" * 32, bytes(31), (2).to_bytes(32, "little")):
        assert not both(one, b"a seal", signature)


def pem(key: Ed25519PrivateKey | X25519PrivateKey, password: bytes | None = None) -> bytes:
    return key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password) if password else NoEncryption()
    )


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (None, "cannot be read"),
        (b"nonsense", "is not a private key"),
        (pem(KEYS[0], b"secret"), "is not a private key"),
        (pem(X25519PrivateKey.from_private_bytes(bytes(32))), "another kind of key"),
    ],
    ids=["no file", "nonsense", "a password", "another kind"],
)
def test_a_key_that_cannot_be_used_is_refused_with_the_way_to_make_one(
    tmp_path: Path, held: bytes | None, said: str
) -> None:
    file = tmp_path / "key.pem"
    if held is not None:
        file.write_bytes(held)
    with pytest.raises(BadInput, match=said) as caught:
        signing.Signer(file)
    assert "openssl genpkey -algorithm ed25519" in caught.value.hint


def test_without_the_library_signing_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    with pytest.raises(BadInput, match="needs the package cryptography") as caught:
        signing.Signer(tmp_path / "key.pem")
    assert "interlock[signing]" in caught.value.hint
    key = KEYS[0]
    assert signing.holds(key.public_key().public_bytes_raw(), b"a seal", key.sign(b"a seal"))
