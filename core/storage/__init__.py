"""Files that survive a crash, SQLite databases, and dicts that cannot grow without end."""
