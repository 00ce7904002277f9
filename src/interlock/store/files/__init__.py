"""Files: uploads by the hash of their bytes, in a folder or behind an fsspec URL, and backups."""
