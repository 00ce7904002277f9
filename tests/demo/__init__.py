"""The demo is itself a test."""
