"""What ``waggle doctor`` found, one thing at a time."""

from collections.abc import Callable

import msgspec

from core.errors import WaggleError


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    area: str
    ok: bool
    words: str  # where it is not well, what to do
    needed: bool = True  # False: a node practises without it

    @property
    def mark(self) -> str:
        """Four letters for the margin."""
        return "ok  " if self.ok else "BAD " if self.needed else "note"


def look_at(area: str, look: Callable[[], str], *, needed: bool = True) -> Finding:
    """What ``look`` says; a ``WaggleError`` that it raises is a finding, too."""
    try:
        return Finding(area, ok=True, words=look(), needed=needed)
    except WaggleError as error:
        return Finding(area, ok=False, words=str(error), needed=needed)


def is_sound(findings: list[Finding]) -> bool:
    """Whether nothing would keep a node from practising."""
    return all(one.ok or not one.needed for one in findings)
