"""What only browsers ask for: the pages of the console with their files, and signing in."""
