"""What an app declares, as plain values: machines, stages, schedules."""
