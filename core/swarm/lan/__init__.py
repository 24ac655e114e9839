"""Finding each other on a local network."""
