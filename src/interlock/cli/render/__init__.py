"""Answers as tables, lines and trees for a terminal, and as JSON or CSV for programs."""
