"""What nodes exchange, and which of it a node learns from."""
