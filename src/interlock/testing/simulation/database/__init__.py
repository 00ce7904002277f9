"""What a simulated world stands on: a real database, SQLite in memory or PostgreSQL, with faults at planned statements and a log by triggers."""
