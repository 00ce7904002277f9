"""Rules between axes, scopes, and mirrors of scoped states."""
