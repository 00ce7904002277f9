"""Commands for whoever keeps an installation: its database, backups, keys, figures, and what it lacks."""
