"""Where the window was and what it showed, kept from one start to the next.

A small file beside the settings and not in them: nobody would want to edit it, and losing it costs
nothing.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import msgspec
from msgspec import Meta
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.state.intents import PageName
from core.errors import WaggleError
from core.paths import Home
from core.storage.files import replace_file

FILE = "window.json"
MOST_BYTES = 10_000
GRIP = QSize(120, 24)  # of the window's top that has to be on a screen, to be dragged by

_Place = Annotated[int, Meta(ge=-100_000, le=100_000)]
_Length = Annotated[int, Meta(ge=1, le=100_000)]


class WindowGeometry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Place and size in px as if the window were not maximised, and the page that was open."""

    x: _Place
    y: _Place
    width: _Length
    height: _Length
    maximised: bool = False
    page: PageName = "home"


def load_geometry(home: Home) -> WindowGeometry | None:
    """What was kept in ``home``; None where there is nothing, or nothing that can be trusted."""
    try:
        with (home.root / FILE).open("rb") as file:
            return msgspec.json.decode(file.read(MOST_BYTES), type=WindowGeometry)
    except (OSError, UnicodeDecodeError, msgspec.DecodeError):
        return None


def keep_geometry(home: Home, geometry: WindowGeometry) -> None:
    """Keep ``geometry`` in ``home``; where that fails, the next window opens as the first one.

    A home that was emptied stays empty.
    """
    if home.logs.is_dir():
        with suppress(WaggleError):
            replace_file(home.root / FILE, msgspec.json.encode(geometry))


def place_on(screens: Sequence[QRect], wanted: QRect) -> QRect | None:
    """``wanted``, no larger than the screen that shows its top; None where none of them does.

    ``screens`` are the parts of screens that windows may use. One may be gone since last time.
    """
    for screen in screens:
        fitted = QRect(wanted.topLeft(), wanted.size().boundedTo(screen.size()))
        # Measured after shrinking: a wide window may touch this screen only with the part that is
        # cut off.
        seen = screen.intersected(QRect(fitted.topLeft(), QSize(fitted.width(), GRIP.height())))
        if seen.width() >= GRIP.width() and seen.height() >= GRIP.height():
            return fitted
    return None


def geometry_of(window: QWidget, page: PageName) -> WindowGeometry:
    """Where ``window`` is, with the ``page`` that it shows."""
    maximised = window.isMaximized()
    rect = window.normalGeometry() if maximised else QRect(window.pos(), window.size())
    return WindowGeometry(
        x=rect.x(),
        y=rect.y(),
        width=rect.width(),
        height=rect.height(),
        maximised=maximised,
        page=page,
    )


def restore(window: QWidget, home: Home) -> PageName:
    """Put ``window`` where the last one was, as far as there still is a screen; returns its page.

    Where nothing was kept in ``home``, the window stays and begins with the first page.
    """
    kept = load_geometry(home)
    if kept is None:
        return "home"
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    rect = place_on(screens, QRect(kept.x, kept.y, kept.width, kept.height))
    if rect is not None:
        window.resize(rect.size())
        window.move(rect.topLeft())
    if kept.maximised:
        window.setWindowState(Qt.WindowState.WindowMaximized)
    return kept.page


def bring_up(window: QWidget) -> None:
    """Show ``window`` in front of all others, whether it was hidden, minimised or covered."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
