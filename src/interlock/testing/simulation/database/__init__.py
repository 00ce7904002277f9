"""The database of a simulated world: SQLite in memory or PostgreSQL, with faults at planned statements and a log kept by triggers."""
