"""The HTTP service, asked as clients ask it."""
