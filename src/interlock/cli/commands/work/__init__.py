"""Commands about work: stages, schedules and runners."""
