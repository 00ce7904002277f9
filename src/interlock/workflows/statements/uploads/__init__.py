"""What is kept of an upload and how it is received, stored, logged, shown and acted on."""
