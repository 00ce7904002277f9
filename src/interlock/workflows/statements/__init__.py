"""Bank and card statements in, canonical transactions out."""
