"""What a page may ask for. Pages emit these; ``app.shell.main_window`` sees to them.

Besides these a page may emit a ``Command`` of the engine or a ``Request`` for the helper as it is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.settings import Settings

PageName = Literal["home", "practice", "contribution", "swarm", "models", "settings"]

Change = Callable[[Settings], Settings]
"""What of the settings becomes something else, whatever the rest of them is by then."""


@dataclass(frozen=True, slots=True)
class Open:
    """Show another page."""

    page: PageName
    subject: str = ""  # what the page shall take up there, see ``Page.take``


@dataclass(frozen=True, slots=True)
class JoinChosen:
    """Begin to practise with the chosen model."""


@dataclass(frozen=True, slots=True)
class OpenLogs:
    """Show the folder in which everything is reported."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Change the settings, on top of what the file holds by now."""

    change: Change


@dataclass(frozen=True, slots=True)
class Choose:
    """Take this model from now on."""

    model: str


@dataclass(frozen=True, slots=True)
class Reveal:
    """Open a folder or a file with what the system uses for it."""

    path: Path


@dataclass(frozen=True, slots=True)
class Quit:
    """End Waggle; the engine saves first."""

    then: tuple[str, ...] = ()  # a command line to be started after everything has ended


Intent = Open | JoinChosen | OpenLogs | Keep | Choose | Reveal | Quit
