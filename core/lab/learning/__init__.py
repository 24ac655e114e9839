"""Experiments on learning: whole swarms in one process, the real engine in every node."""
