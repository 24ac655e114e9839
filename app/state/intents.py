"""What a person wants of the window; pages dispatch these, ``app.shell.main_window`` handles them.

See ``app.backend.actions``.
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
class SharedDeck:
    """A deck on this computer to which others are to be invited."""

    digest: str
    name: str  # as its author calls it


Subject = str | SharedDeck
"""What a page is opened for; an empty text: nothing in particular."""


@dataclass(frozen=True, slots=True)
class Open:
    """Show another page."""

    page: PageName
    subject: Subject = ""  # what the page shall take up there, see ``Page.take``


@dataclass(frozen=True, slots=True)
class BringUp:
    """Show the window, in front of others."""


@dataclass(frozen=True, slots=True)
class JoinChosen:
    """Begin to practise with the chosen model."""


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

    path: Path | None = None  # the folder of the logs


@dataclass(frozen=True, slots=True)
class Quit:
    """End Waggle; the engine saves first."""

    then: tuple[str, ...] = ()  # a command line to be started after everything has ended


Intent = Open | BringUp | JoinChosen | Keep | Choose | Reveal | Quit
