"""The page *Models*."""
