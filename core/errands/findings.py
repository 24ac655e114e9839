"""What a look at this computer found, one thing at a time."""

from collections.abc import Callable

from core.engine.desk.care import Finding
from core.errors import WaggleError


def look_at(area: str, look: Callable[[], str], *, needed: bool = True) -> Finding:
    """What ``look`` says; a ``WaggleError`` that it raises is a finding, too."""
    try:
        return Finding(area, ok=True, words=look(), needed=needed)
    except WaggleError as error:
        return Finding(area, ok=False, words=str(error), needed=needed)


def is_sound(findings: list[Finding]) -> bool:
    """Whether nothing would keep a node from practising."""
    return all(one.ok or not one.needed for one in findings)
