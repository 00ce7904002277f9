"""From a claim to its end: reports, retries, sweeps, and what stages get and give."""
