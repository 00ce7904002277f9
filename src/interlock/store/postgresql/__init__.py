"""PostgreSQL: server-side arrays, one statement per batch, guards that look at whole statements."""
