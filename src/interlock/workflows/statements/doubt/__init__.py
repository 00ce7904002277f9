"""Whether a file proves its rows, how else it could be read, and what a person decides about it."""
