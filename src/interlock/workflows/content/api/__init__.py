"""The HTTP API of the content workflow."""
