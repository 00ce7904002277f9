"""Proof of history outside the database: seals and where they are kept, archives, backups, the past."""
