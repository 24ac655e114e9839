"""The window: a function of the engine's events; no torch, no network."""
