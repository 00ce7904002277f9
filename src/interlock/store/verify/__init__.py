"""Verification of history: chains, rows, work, seals and instants, and the replay of the ledger against the tables."""
