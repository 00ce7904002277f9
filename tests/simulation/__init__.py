"""Hypothesis plays a workflow against a model of it."""
