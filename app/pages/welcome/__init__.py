"""Welcome: what this is, and consent."""
