"""Every interleaving of the statements of two acts, on real PostgreSQL connections."""
