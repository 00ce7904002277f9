"""A team's own functions inside of moves, and checks before them."""
