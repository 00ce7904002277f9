"""The HTTP API of the themes workflow."""
