"""The page *Swarm*."""
