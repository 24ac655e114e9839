"""The page *Practice*."""
