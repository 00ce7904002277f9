"""One call of a stage function: gates before it, its facts and children, retries, its log."""
