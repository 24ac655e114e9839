"""Random numbers that a resumed run draws again exactly, without saving any generator's state."""

from random import Random
from typing import Literal

Purpose = Literal["questions", "sampling", "mixing"]


def stream(seed: int, round_number: int, purpose: Purpose) -> Random:
    """The generator of one purpose in one round; the same on every system and Python version."""
    return Random(f"{seed}/{round_number}/{purpose}")  # noqa: S311 - repeatable on purpose, no secret
