"""Sending own envelopes and fetching those of others, hub by hub and node by node."""
