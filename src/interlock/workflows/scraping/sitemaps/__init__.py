"""Reads sitemaps of every kind, and says which pages are worth a visit."""
