"""Whether something fills the screen, on Linux: as the window manager marks it for X11.

Under Wayland only programs of the older kind are seen, which games mostly are.
"""

import os
from typing import Final

from core.i18n import translatable
from core.sensors.reading import Reading
from core.sensors.xcb import Display

_NOT_TOLD: Final = translatable("this desktop does not tell whether something fills the screen")
_ACTIVE: Final = "_NET_ACTIVE_WINDOW"
_STATE: Final = "_NET_WM_STATE"
_FILLS: Final = "_NET_WM_STATE_FULLSCREEN"


def read_full_screen() -> Reading[bool]:
    """Whether the window in front fills the screen."""
    if "DISPLAY" not in os.environ:
        return Reading(None, _NOT_TOLD)
    with Display() as display:
        if not display.is_open:
            return Reading(None, _NOT_TOLD)
        fills = _front_fills(display)
    if fills:
        return Reading(value=True, words=translatable("a program fills the screen"))
    if fills is None or "WAYLAND_DISPLAY" in os.environ:
        return Reading(None, _NOT_TOLD)
    return Reading(value=False, words=translatable("nothing fills the screen"))


def _front_fills(display: Display) -> bool | None:
    """None where no window manager says which window is in front."""
    active = display.atom(_ACTIVE)
    front = display.values(display.root(), active) if active else ()
    if not front:
        return None
    state, fills = display.atom(_STATE), display.atom(_FILLS)
    return front[0] != 0 and fills != 0 and fills in display.values(front[0], state)
