"""Decks: puzzles of a person's own, as data that nothing ever executes."""
