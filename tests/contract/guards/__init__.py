"""What the database itself refuses, and what each database role may do."""
