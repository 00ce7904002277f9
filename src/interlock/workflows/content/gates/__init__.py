"""The gates before VALIDATED: what each checks, and what it compares a candidate with."""
