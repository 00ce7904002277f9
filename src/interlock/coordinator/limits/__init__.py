"""How much may be begun: slots for limits, turns between queues, rates for each key."""
