"""Brings a database to what the code needs, and compares it with that: tables, indexes, guards, roles."""
