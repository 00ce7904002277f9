"""What waits and who serves it: queues, their order, pauses, rates, timers, schedules, runners and coordinators."""
