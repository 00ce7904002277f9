"""The statements that move and admit records on SQLite, where the ledger entry makes the move."""
