"""Executors: threads, one event loop, or in line; isolated processes stand beside them."""
