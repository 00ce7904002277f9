"""The HTTP API under /api/v1, for programs; every decision is the app's."""
