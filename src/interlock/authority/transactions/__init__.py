"""The one transaction runner, and what belongs to it: isolating bad rows, joining a caller's transaction, storing answers under a key."""
