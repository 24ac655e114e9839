"""What pages can have done; each is given an ``Actions`` when it is made."""

from typing import Protocol

from PySide6.QtWidgets import QWidget

from app.backend.helper_call import HelperCall
from app.state.intents import Intent
from core.api.events import Command
from core.api.requests import Request


class Actions(Protocol):
    """The window, as its pages see it."""

    def dispatch(self, wish: Intent | Command) -> None:
        """Do what the person wants; how it goes is told by the ``AppState``."""

    def call(self, request: Request) -> HelperCall:
        """Have the helper do ``request``; refused once the window is leaving."""

    def dress(self, part: QWidget) -> None:
        """Give ``part``, made just now and not shown yet, the style sheet."""
