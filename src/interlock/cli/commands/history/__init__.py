"""Commands about history: read, verified, sealed, proven."""
