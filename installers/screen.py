"""A screen of our own under Xvfb, with a hand that presses what it sees there."""

import os
import re
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from installers.steps import SmokeError, until

ACCENT: Final = bytes.fromhex("42B9F400")
"""Blue, green, red and padding of ``accent`` in app/style/theme.py: primary buttons."""

NARROWEST: Final = 60  # pixels of a button; the emblem, of the same colour, is smaller
_SIZE: Final = "1280x860x24"  # width, height and bits of a pixel
_DEPTH: Final = 4  # bytes of a pixel
_BELOW_EDGE: Final = 12  # pixels from the upper edge of a button to where it is pressed
_HEADER: Final = struct.Struct(">25I")


@dataclass(frozen=True, slots=True)
class Picture:
    """What a screen shows."""

    width: int
    pixels: bytes  # row by row without gaps, four bytes each, the last of them 0

    @property
    def is_blank(self) -> bool:
        """Nothing was painted yet."""
        return not any(self.pixels)

    def button(self) -> tuple[int, int] | None:
        """Where to press the first primary button from above; None where there is none."""
        run = ACCENT * NARROWEST
        at = self.pixels.find(run)
        while at >= 0:
            row, column = divmod(at // _DEPTH, self.width)
            if at % _DEPTH == 0 and column + NARROWEST <= self.width:
                return column + NARROWEST // 2, row + _BELOW_EDGE
            at = self.pixels.find(run, at + 1)
        return None


def parse_picture(dump: bytes) -> Picture:
    """Read an X window dump (XWD, version 7) of 32 bits a pixel, least significant byte first.

    Raises:
        SmokeError: it is another kind of dump.
    """
    header = _HEADER.unpack_from(dump)
    size, version, width, height = header[0], header[1], header[4], header[5]
    byte_order, bits, stride, colours = header[7], header[11], header[12], header[19]
    if (version, byte_order, bits, stride) != (7, 0, 8 * _DEPTH, _DEPTH * width):
        raise SmokeError("The screen's picture is of an unknown kind.")
    start = size + 12 * colours
    pixels = bytearray(dump[start : start + stride * height])
    pixels[_DEPTH - 1 :: _DEPTH] = bytes(width * height)
    return Picture(width, bytes(pixels))


class Screen:
    """An X server; ``display`` is its name, ``dump`` the file that always holds what it shows."""

    def __init__(self, display: str, dump: Path) -> None:
        self.display = display
        self.dump = dump

    def look(self) -> Picture:
        """What it shows now."""
        return parse_picture(self.dump.read_bytes())

    def window(self, title: str) -> str:
        """The id of the visible window with ``title``; empty where there is none."""
        found = self._hand("search", "--onlyvisible", "--name", f"^{re.escape(title)}$")
        return found.split()[0] if found else ""

    def focus(self, window: str) -> None:
        """Let it hear the keys; there is no window manager that would."""
        self._hand("windowfocus", "--sync", window)

    def type_keys(self, *keys: str) -> None:
        """Press and release each of ``keys``, in X's names."""
        self._hand("key", "--delay", "100", *keys)

    def press_button(self) -> None:
        """Press the primary button, and take the hand away so that it looks the same again.

        Raises:
            SmokeError: none came into view.
        """
        x, y = until(lambda: self.look().button(), "no button to press", 30)
        self._hand("mousemove", str(x), str(y), "click", "1", "mousemove", "1", "1")

    def _hand(self, *arguments: str) -> str:
        environment = {**os.environ, "DISPLAY": self.display}
        return subprocess.run(  # noqa: S603 - our own command line
            ["xdotool", *arguments],  # noqa: S607 - on PATH
            capture_output=True,
            check=False,
            env=environment,
            text=True,
        ).stdout


@contextmanager
def own_screen() -> Iterator[Screen]:
    """A fresh X server that listens on no port."""
    reader, writer = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", _SIZE, "-fbdir", folder]
        server = subprocess.Popen(  # noqa: S603 - our own command line
            [*command, "-nolisten", "tcp", "-noreset", "-ac"],  # -ac: the person inside is no root
            pass_fds=(writer,),
            stderr=subprocess.DEVNULL,
        )
        os.close(writer)
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        try:
            yield Screen(f":{number}", Path(folder, "Xvfb_screen0"))
        finally:
            server.terminate()
            server.wait()
