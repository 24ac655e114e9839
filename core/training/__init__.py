"""From scored groups to one optimiser step, and back onto disk."""
