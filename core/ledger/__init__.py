"""Records of a node's rounds and contribution, in SQLite."""
