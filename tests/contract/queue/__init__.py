"""What waits and when it is begun: dispatch, limits, rates, pauses, timers, schedules."""
