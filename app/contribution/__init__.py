"""The page *Contribution*."""
