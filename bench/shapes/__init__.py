"""The shapes of real workflows, each measured in turns with the plain reference workload."""
