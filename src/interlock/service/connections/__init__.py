"""Who is at the other end of a connection, and what the service does beside requests."""
