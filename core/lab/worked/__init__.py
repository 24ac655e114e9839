"""Worked answers: short steps to the answer, in tokens that a tiny model can copy."""
