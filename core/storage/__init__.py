"""What is written to disk so that a crash leaves the old or the new."""
