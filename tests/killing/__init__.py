"""Coordinators, runners and PostgreSQL are killed, frozen and cut off as real processes; nothing may be lost, doubled or stuck."""
