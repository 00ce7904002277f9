"""One behavioural suite over both databases: what is said here holds on SQLite and on PostgreSQL."""
