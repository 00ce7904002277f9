"""What a declaration knows about columns: their Python types, instants, what a move does to the engine's own, and mirrors."""
