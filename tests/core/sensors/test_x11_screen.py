"""What fills the screen, on a real X server whose window manager is the test."""

import sys
from collections.abc import Iterator

import pytest

from core.sensors.x11_screen import read_full_screen
from core.sensors.xcb import Display
from tests.x_server import set_on_root, x_server


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with x_server() as name:
        monkeypatch.setenv("DISPLAY", name)
        yield name


def bring_to_front(display: str, *states: str) -> None:
    """As if the window behind all others were the one in front; there is no other one here."""
    for state in states:
        set_on_root(display, "WAGGLE_TEST", "32a", state)  # now its name is known
    with Display() as x11:
        atoms = ",".join(str(x11.atom(state)) for state in states)
        set_on_root(display, "_NET_WM_STATE", "32x", atoms)
        set_on_root(display, "_NET_ACTIVE_WINDOW", "32x", hex(x11.root()))


def test_a_window_in_front_that_fills_the_screen_is_seen(display: str) -> None:
    """And one that is only large is not taken for it."""
    bring_to_front(display, "_NET_WM_STATE_FOCUSED", "_NET_WM_STATE_FULLSCREEN")
    assert read_full_screen().value is True
    bring_to_front(display, "_NET_WM_STATE_FOCUSED", "_NET_WM_STATE_MAXIMIZED_VERT")
    assert read_full_screen().value is False


def test_an_empty_desktop_is_not_filled(display: str) -> None:
    """No window is in front."""
    bring_to_front(display, "_NET_WM_STATE_FULLSCREEN")
    set_on_root(display, "_NET_ACTIVE_WINDOW", "32x", "0")
    assert read_full_screen().value is False


def test_under_wayland_only_a_yes_is_believed(
    display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs of the newer kind are not seen, so that a no means nothing."""
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    bring_to_front(display, "_NET_WM_STATE_FULLSCREEN")
    assert read_full_screen().value is True
    set_on_root(display, "_NET_ACTIVE_WINDOW", "32x", "0")
    assert read_full_screen().value is None


def test_without_a_window_manager_it_is_unknown(display: str) -> None:
    """Nobody says which window is in front."""
    assert display
    assert read_full_screen().value is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no X")
@pytest.mark.parametrize("name", [None, ":9999"])
def test_without_a_screen_it_is_unknown(name: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unnamed or gone, the words are the same."""
    if name is None:
        monkeypatch.delenv("DISPLAY", raising=False)
    else:
        monkeypatch.setenv("DISPLAY", name)
    reading = read_full_screen()
    assert reading.value is None
    assert "does not tell" in reading.words
