"""Measures Interlock beside hand-written SQL that writes the same columns, in one run on one machine; never part of the library."""
