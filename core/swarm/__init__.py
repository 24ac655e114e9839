"""The node's side of sharing."""
