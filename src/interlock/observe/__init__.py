"""What can be asked of a running system: why is it here, is everything whole, how many are where. Never writes a status."""
