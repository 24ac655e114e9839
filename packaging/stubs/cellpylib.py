"""Stands in for a library that one puzzle outside our catalogue needs, and that needs matplotlib.

reasoning-gym imports it by name at its start and uses it only to make a game of life.
"""
