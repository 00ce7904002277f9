"""Files modelled on what named institutions send, each with the rows that it states."""
