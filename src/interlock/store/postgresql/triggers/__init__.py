"""The triggers of PostgreSQL: guards of records and work, ledger entries, adoption."""
