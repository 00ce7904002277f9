"""What people ask of a running system: why, how many, where, how old."""
