"""Ed25519 signatures of seals: the private key stays in a file outside the database, read only while a seal is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ....errors import BadInput
from ....independent_verifier import signature_holds

_MAKE = "Make one with: openssl genpkey -algorithm ed25519 -out seal-key.pem"


class Signer:
    """A private key that signs hashes."""

    def __init__(self, file: str | Path) -> None:
        self._key = _private_key(Path(file))
        self.public_key: bytes = self._key.public_key().public_bytes_raw()

    def sign(self, hash: bytes) -> bytes:
        return bytes(self._key.sign(hash))


def _private_key(file: Path) -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError as error:
        raise BadInput(
            "signing seals needs the package cryptography", hint="pip install 'interlock[signing]'"
        ) from error
    try:
        key = load_pem_private_key(file.read_bytes(), password=None)
    except OSError as error:
        raise BadInput(f"the key {file} cannot be read: {error.strerror}", hint=_MAKE) from error
    except (TypeError, ValueError) as error:  # a TypeError says that it wants a password
        raise BadInput(f"{file} is not a private key in PEM without a password", hint=_MAKE) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadInput(f"{file} holds another kind of key than Ed25519", hint=_MAKE)
    return key


def holds(public_key: bytes, hash: bytes, signature: bytes) -> bool:
    """Whether the signature is this key's; without `cryptography`, by the second verifier's own arithmetic."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return signature_holds(public_key, hash, signature)
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, hash)
    except (InvalidSignature, ValueError):
        return False
    return True
