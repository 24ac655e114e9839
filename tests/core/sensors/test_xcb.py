"""Reading properties from a real X server."""

import sys
from collections.abc import Iterator

import pytest

from core.sensors.xcb import Display
from tests.x_server import set_on_root, x_server


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with x_server() as name:
        monkeypatch.setenv("DISPLAY", name)
        yield name


def test_values_are_read_as_they_were_set(display: str) -> None:
    """All of them, in order."""
    set_on_root(display, "WAGGLE_TEST", "32x", "1,2,4294967295")
    with Display() as x11:
        assert x11.is_open
        assert x11.values(x11.root(), x11.atom("WAGGLE_TEST")) == (1, 2, 0xFFFFFFFF)


def test_what_does_not_exist_has_no_values(display: str) -> None:
    """Neither a name that nobody used, nor a window that was closed, nor a text."""
    set_on_root(display, "WAGGLE_TEXT", "8s", "words")
    with Display() as x11:
        assert x11.atom("WAGGLE_NOBODY_USED_THIS") == 0
        assert x11.values(x11.root(), x11.atom("WM_NAME")) == ()
        assert x11.values(0x7FFFFFF, x11.atom("WM_NAME")) == ()
        assert x11.values(x11.root(), x11.atom("WAGGLE_TEXT")) == ()
        assert x11.root() != 0  # the connection survived all that


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no X")
def test_without_a_server_it_is_not_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """And closing it does no harm."""
    monkeypatch.setenv("DISPLAY", ":9999")
    with Display() as x11:
        assert not x11.is_open
