"""Experiments, and the making of the starter models."""
