"""Visits web sites safely and politely: addresses, connections, robots, responses."""
