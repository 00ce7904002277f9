"""From feeds and files to items: RSS, Atom, JSON lines and CSV."""
