"""An X server of our own without a window manager; a test says what one would have said."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def x_server(screen: str = "64x48x24") -> Iterator[str]:
    """What ``$DISPLAY`` is to be for it; ``screen`` in Xvfb's words."""
    if shutil.which("Xvfb") is None or shutil.which("xprop") is None:
        pytest.skip("Xvfb or xprop is not installed")
    reader, writer = os.pipe()
    # It would forget all properties whenever the last client leaves.
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", screen, "-noreset"]
    with subprocess.Popen(  # noqa: S603 - our own command line
        command, pass_fds=(writer,), stderr=subprocess.DEVNULL
    ) as server:
        os.close(writer)
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        try:
            yield f":{number}"
        finally:
            server.terminate()


def set_on_root(display: str, name: str, kind: str, value: str) -> None:
    """Give the window behind all others a property; ``kind`` in xprop's words, such as 32x."""
    subprocess.run(  # noqa: S603 - our own command line
        ["xprop", "-display", display, "-root", "-f", name, kind, "-set", name, value],  # noqa: S607 - on PATH
        check=True,
    )
