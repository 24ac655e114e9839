"""The page *Settings*."""
