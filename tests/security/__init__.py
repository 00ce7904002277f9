"""SQL typed past Interlock: what the database refuses, what a check locates, and what it lets pass and why."""
