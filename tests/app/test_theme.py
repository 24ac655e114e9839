"""Colours that can be read, by everybody."""

import pytest

from app.theme import DARK, LIGHT, Palette, choose_palette


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2) of a colour such as ``#F4B942``."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=lambda colours: colours.scheme)
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("text", "ground"),
        ("text", "surface"),
        ("text", "sunken"),
        ("text", "sunken_hover"),
        ("text", "line"),  # a pressed button
        ("text", "trouble_ground"),
        ("muted", "ground"),
        ("muted", "surface"),
        ("muted", "sunken"),  # a button that cannot be pressed
        ("good", "surface"),
        ("trouble", "sunken"),
        ("trouble", "sunken_hover"),
        ("on_accent", "accent"),
        ("on_accent", "accent_hover"),
        ("on_accent", "accent_pressed"),
    ],
)
def test_text_stands_out(colours: Palette, text: str, ground: str) -> None:
    """4.5 : 1, as WCAG 2.2 AA asks of text."""
    assert contrast(getattr(colours, text), getattr(colours, ground)) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=lambda colours: colours.scheme)
@pytest.mark.parametrize("mark", ["mine", "swarm", "focus", "edge", "good", "trouble"])
@pytest.mark.parametrize("ground", ["surface", "ground"])
def test_marks_stand_out(colours: Palette, mark: str, ground: str) -> None:
    """3 : 1, as WCAG 2.2 AA asks of curves, outlines and the focus ring."""
    assert contrast(getattr(colours, mark), getattr(colours, ground)) >= 3.0


def test_the_choice_outranks_the_desktop() -> None:
    """Only "system" follows it."""
    assert choose_palette("system", "dark") is DARK
    assert choose_palette("system", "light") is LIGHT
    assert choose_palette("light", "dark") is LIGHT
    assert choose_palette("dark", "light") is DARK
