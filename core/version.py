"""Which release this is."""

VERSION = "0.1.0"
"""As in pyproject.toml; written down here, too, because a frozen app has no package metadata."""
