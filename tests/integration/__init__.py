"""Interlock between other programs, as it is deployed."""
