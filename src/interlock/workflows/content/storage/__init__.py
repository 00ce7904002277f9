"""Where the payload of an item is kept in each state, the views on it, and what must hold between them."""
