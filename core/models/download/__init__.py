"""Fetching models from a hub."""
