"""The simulator."""
