"""Records as lists: filters, sorting, own columns, patterns."""
