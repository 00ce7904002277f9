"""The HTTP API under /api/v1: what an app answers, for programs; it decides nothing that the app does not decide."""
