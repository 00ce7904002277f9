"""Isolated stages: functions that run in processes of their own, which the runner does not trust."""
