"""Commands as tests type them; ``tests/core/cli/conftest.py`` has the fixture."""

from collections.abc import Callable
from typing import NamedTuple


class Said(NamedTuple):
    """What a command left on the screen, and how it ended."""

    code: int
    out: str
    err: str


Typed = Callable[..., Said]
