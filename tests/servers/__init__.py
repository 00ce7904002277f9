"""Real servers, started for tests and measurements and stopped with them."""
