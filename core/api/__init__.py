"""Interface of engine and helper: events, commands, requests, replies, and a node's state."""
