"""Statements of many institutions in every format, generated with their truth, and a fuzzer that mutates them."""
