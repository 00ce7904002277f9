"""Delimited tables: one reader, and one mapping of columns per bank."""
