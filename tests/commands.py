"""Commands as tests type them; ``tests/core/cli/conftest.py`` has the fixture."""

import io
from collections.abc import Callable
from typing import NamedTuple


class Said(NamedTuple):
    """What a command left on the screen, and how it ended."""

    code: int
    out: str
    err: str


Typed = Callable[..., Said]


class Terminal(io.StringIO):
    """Standard input at which somebody sits, who types what it holds."""

    def isatty(self) -> bool:
        return True
