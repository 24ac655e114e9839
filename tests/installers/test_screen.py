"""What is on a screen is read, and the button on it is found."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.style import theme
from installers.screen import ACCENT, NARROWEST, Picture, parse_picture
from installers.steps import SmokeError

WIDTH, HEIGHT = 200, 100
BLACK = bytes(4)


def painted(*boxes: tuple[int, int, int, int]) -> Picture:
    """A screen with accent-coloured boxes: left, top, width, height."""
    pixels = [BLACK] * (WIDTH * HEIGHT)
    for left, top, width, height in boxes:
        for row in range(top, top + height):
            for column in range(left, left + width):
                pixels[row * WIDTH + column] = ACCENT
    return Picture(WIDTH, b"".join(pixels))


def dumped(picture: Picture, *, version: int = 7, bits: int = 32, padding: int = 0xFF) -> bytes:
    """The file that an X server would write; a padding byte may hold anything."""
    name, colours = b"screen\0\0", 3
    size = 100 + len(name)
    height = len(picture.pixels) // (4 * picture.width)
    start = (size, version, 2, 24, picture.width, height, 0, 0, 32, 0, 32, bits, 4 * picture.width)
    header = struct.pack(">25I", *start, *(0,) * 5, 256, colours, *(0,) * 5)
    pixels = bytearray(picture.pixels)
    pixels[3::4] = bytes([padding]) * (len(pixels) // 4)
    return header + name + bytes(12 * colours) + bytes(pixels)


@given(left=st.integers(0, WIDTH - NARROWEST), top=st.integers(0, HEIGHT - 30), data=st.data())
def test_the_place_to_press_is_on_the_button(left: int, top: int, data: st.DataObject) -> None:
    """Wherever it is, and however wide."""
    width = data.draw(st.integers(NARROWEST, WIDTH - left))
    found = painted((left, top, width, 30)).button()
    assert found is not None
    assert left <= found[0] < left + width
    assert top <= found[1] < top + 30


def test_the_emblem_is_no_button() -> None:
    """It has the colour, and is smaller."""
    assert painted((10, 10, NARROWEST - 1, 50)).button() is None


def test_the_end_of_a_row_and_the_start_of_the_next_are_no_button() -> None:
    """Neighbours in memory need not be neighbours on the screen."""
    half = NARROWEST // 2
    assert painted((WIDTH - half, 10, half, 1), (0, 11, half, 1)).button() is None


def test_a_dump_becomes_the_picture_that_it_was_made_of() -> None:
    """Header, name and colour table are skipped, padding is ignored."""
    picture = painted((20, 20, 100, 30))
    assert parse_picture(dumped(picture)) == picture


@pytest.mark.parametrize("changes", [{"version": 6}, {"bits": 16}])
def test_another_kind_of_dump_is_refused(changes: dict[str, int]) -> None:
    """Rather than finding buttons where there are none."""
    with pytest.raises(SmokeError):
        parse_picture(dumped(painted(), **changes))


def test_a_fresh_screen_is_blank() -> None:
    """And one pixel is something."""
    assert painted().is_blank
    assert not painted((5, 5, 1, 1)).is_blank


def test_the_colour_looked_for_is_that_of_the_light_theme() -> None:
    """The smoke test chooses the light theme; a new colour has to be told to it."""
    accent = bytes.fromhex(theme.LIGHT.accent.removeprefix("#"))
    assert bytes(reversed(accent)) + b"\0" == ACCENT
