"""What a node remembers of its rounds."""
