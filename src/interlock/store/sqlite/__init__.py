"""SQLite: one writer at a time, row triggers, the ledger entry itself makes the move."""
