"""History: reading, exporting, replaying, sealing, verifying."""
