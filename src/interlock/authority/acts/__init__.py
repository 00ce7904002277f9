"""What people and programs ask for beside a plain move: admit, amend, retry, cancel, remove. Each is built on the mover."""
