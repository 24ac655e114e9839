"""Newer releases: looked for, fetched, proven by The Update Framework (TUF), and put in place."""
