"""What a screen reader is told without being asked."""

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent


def listen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Announcements from now on, in order; nothing else reaches a screen reader meanwhile."""
    heard: list[str] = []

    def note(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            heard.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", note)
    return heard
