"""Turns printed rows into canonical transactions: pure functions of the rows, the rules and the day."""
