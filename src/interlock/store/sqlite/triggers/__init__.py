"""The triggers of SQLite: guards of records and of the ledger."""
