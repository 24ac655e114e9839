"""Exchange with hubs and other nodes, discovery of both, and checks of what they send."""
