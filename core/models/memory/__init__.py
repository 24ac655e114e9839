"""Memory that a model takes, and that this machine has."""
