"""Whether something fills the screen, on Windows: whether it would hold notices back for that.

Written to the documentation of SHQueryUserNotificationState; not yet run on Windows by its authors.
"""

import ctypes
import sys
from typing import Final

from core.i18n import translatable
from core.sensors.reading import Reading

_FILLED: Final = {
    2: translatable("a program fills the screen"),  # QUNS_BUSY
    3: translatable("a game fills the screen"),  # QUNS_RUNNING_D3D_FULL_SCREEN
    4: translatable("a presentation is on"),  # QUNS_PRESENTATION_MODE
}


def filled_by(state: int) -> Reading[bool]:
    """The reading for a QUERY_USER_NOTIFICATION_STATE."""
    words = _FILLED.get(state)
    return Reading(words is not None, words or translatable("nothing fills the screen"))


if sys.platform == "win32":

    def read_full_screen() -> Reading[bool]:
        """Whether something fills the screen."""
        state = ctypes.c_int(0)
        if ctypes.windll.shell32.SHQueryUserNotificationState(ctypes.byref(state)) != 0:
            return Reading(
                None, translatable("Windows does not tell whether something fills the screen")
            )
        return filled_by(state.value)
