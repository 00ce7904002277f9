"""Seals: a Merkle tree over what has settled, its root kept and signed."""
