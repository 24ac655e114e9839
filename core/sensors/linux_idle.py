"""Idle time on Linux, as whichever program of the desktop knows it.

There is no way that all desktops share: GNOME's Mutter tells milliseconds, KDE's screen saver too,
and for others systemd-logind passes on the hint that a desktop gives it. On Wayland KDE's screen
saver cannot know, and says 0 for ever: it is believed from its first other answer on.
"""

import time
from collections.abc import Callable
from typing import Any, Final, Protocol

from core.i18n import translatable
from core.sensors.dbus import Buses, DBusCall, SilentError
from core.sensors.reading import Reading

ASK_AGAIN_S: Final = 60.0
"""After nobody could tell."""

MUTTER: Final = DBusCall(
    "session",
    "org.gnome.Mutter.IdleMonitor",
    "/org/gnome/Mutter/IdleMonitor/Core",
    "org.gnome.Mutter.IdleMonitor",
    "GetIdletime",
)
SCREEN_SAVER: Final = DBusCall(
    "session",
    "org.freedesktop.ScreenSaver",
    "/org/freedesktop/ScreenSaver",
    "org.freedesktop.ScreenSaver",
    "GetSessionIdleTime",
)
LOGIND: Final = DBusCall(
    "system",
    "org.freedesktop.login1",
    "/org/freedesktop/login1/session/auto",
    "org.freedesktop.DBus.Properties",
    "GetAll",
    "s",
    ("org.freedesktop.login1.Session",),
)
_UNKNOWN: Final[Reading[float]] = Reading(
    None, translatable("no program of this desktop tells when it was last touched")
)


class DBusCaller(Protocol):
    """Puts questions to other programs."""

    def ask(self, question: DBusCall) -> tuple[Any, ...]:
        """The values of the reply.

        Raises:
            SilentError: there is none.
        """


class LinuxIdle:
    """Asks whoever answered last, and looks for somebody else if that one fell silent."""

    def __init__(
        self,
        asker: DBusCaller | None = None,
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._asker = asker or Buses()
        self._now = now  # unix seconds
        self._clock = clock
        self._ask_again_at = clock()
        self._has_counted = False  # the screen saver: at least once it said anything but 0
        self._may_count = False  # it has just said 0, which it may never stop saying
        self._ways: list[tuple[str, Callable[[], float]]] = [
            ("GNOME", lambda: self._milliseconds(MUTTER)),
            (translatable("the screen saver"), self._by_screen_saver),
            ("systemd", self._by_logind),
        ]

    def read(self) -> Reading[float]:
        """Seconds without a touch."""
        if self._clock() < self._ask_again_at:
            return _UNKNOWN
        self._may_count = False
        for way in self._ways:
            name, ask = way
            try:
                idle_s = ask()
            except (SilentError, TypeError, ArithmeticError, ValueError, LookupError):
                continue
            if not self._may_count:  # it knows better, as soon as it counts
                self._ways = [way, *(other for other in self._ways if other is not way)]
            return Reading(
                idle_s, translatable("untouched for {} s, says {}", f"{idle_s:.0f}", name)
            )
        if not self._may_count:
            self._ask_again_at = self._clock() + ASK_AGAIN_S
        return _UNKNOWN

    def _milliseconds(self, question: DBusCall) -> float:
        (milliseconds,) = self._asker.ask(question)
        return max(0.0, float(milliseconds) / 1_000)

    def _by_screen_saver(self) -> float:
        idle_s = self._milliseconds(SCREEN_SAVER)
        self._has_counted = self._has_counted or idle_s > 0
        self._may_count = not self._has_counted
        if self._may_count:
            raise SilentError("it has never said anything but 0")
        return idle_s

    def _by_logind(self) -> float:
        (facts,) = self._asker.ask(LOGIND)
        # Each value comes with its type in front; microseconds since 1970.
        is_idle, since = bool(facts["IdleHint"][1]), int(facts["IdleSinceHint"][1]) / 1_000_000
        if since == 0:
            raise SilentError("no desktop ever gave a hint")
        return max(0.0, self._now() - since) if is_idle else 0.0
