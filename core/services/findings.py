"""Findings of a check of this computer, one thing at a time."""

from collections.abc import Callable

import msgspec

from core.api.maintenance import Finding
from core.errors import WaggleError
from core.i18n import remarks_of, words_of


def found(area: str, words: str, *, ok: bool = True, needed: bool = True) -> Finding:
    """A finding with ``words`` about ``area``."""
    return Finding(area, ok=ok, words=str(words), needed=needed, remarks=remarks_of(words))


def ailing(area: str, error: Exception, *, needed: bool = True) -> Finding:
    """A finding that ``area`` is not well, for the reason in ``error``."""
    finding = found(area, words_of(error), ok=False, needed=needed)
    return msgspec.structs.replace(finding, kind=type(error).__name__)


def look_at(area: str, look: Callable[[], str], *, needed: bool = True) -> Finding:
    """A finding with the words of ``look``, or of the ``WaggleError`` that it raises."""
    try:
        return found(area, look(), needed=needed)
    except WaggleError as error:
        return ailing(area, error, needed=needed)


def is_sound(findings: list[Finding]) -> bool:
    """Whether nothing would keep a node from practising."""
    return all(one.ok or not one.needed for one in findings)
