"""Bulk operations: preview, run, rights, undo."""
