"""Colours that can be read, by everybody."""

import math
from collections.abc import Sequence
from itertools import product

import pytest

from app.style.theme import DARK, LIGHT, PALETTES, SEA_DARK, SEA_LIGHT, Palette, choose_palette
from tests.app.contrast import contrast, linear

ALL = {f"{name}-{scheme}": made for name, pair in PALETTES.items() for scheme, made in pair.items()}
SEEN: dict[str, tuple[tuple[float, float, float], ...]] = {
    "all colours": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "no green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "no blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""What is left of linear red, green and blue (Machado, Oliveira and Fernandes 2009, table 1)."""


def lab(colour: str, eyes: str) -> list[float]:
    """CIE L*a*b* of a colour as ``eyes`` see it."""
    light = linear(colour)
    red, green, blue = (
        min(max(sum(m * c for m, c in zip(row, light, strict=True)), 0.0), 1.0)
        for row in SEEN[eyes]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)]


def distance(one: str, other: str, eyes: str) -> float:
    """How different two colours look (CIE76); from 20 on nobody confuses them."""
    return math.dist(lab(one, eyes), lab(other, eyes))


TEXTS = [
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
]
MARKS = list(product(["mine", "swarm", "focus", "edge", "good", "trouble"], ["surface", "ground"]))


def too_faint(
    colours: Palette, pairs: Sequence[tuple[str, str]], least: float
) -> dict[tuple[str, str], float]:
    """The contrast of those of ``pairs`` that have less than ``least``."""
    found = {
        (front, ground): contrast(getattr(colours, front), getattr(colours, ground))
        for front, ground in pairs
    }
    return {pair: value for pair, value in found.items() if value < least}


@pytest.mark.parametrize("colours", ALL.values(), ids=ALL)
def test_text_stands_out(colours: Palette) -> None:
    """4.5 : 1, as WCAG 2.2 AA asks of text."""
    assert too_faint(colours, TEXTS, 4.5) == {}


@pytest.mark.parametrize("colours", ALL.values(), ids=ALL)
def test_marks_stand_out(colours: Palette) -> None:
    """3 : 1, as WCAG 2.2 AA asks of curves, outlines and the focus ring."""
    assert too_faint(colours, MARKS, 3.0) == {}


@pytest.mark.parametrize("colours", ALL.values(), ids=ALL)
def test_the_two_curves_are_told_apart_by_all_eyes(colours: Palette) -> None:
    """Also where red, green or blue cannot be seen."""
    apart = {eyes: distance(colours.mine, colours.swarm, eyes) for eyes in SEEN}
    assert {eyes: value for eyes, value in apart.items() if value < 30} == {}


@pytest.mark.parametrize("eyes", SEEN)
@pytest.mark.parametrize("colours", [SEA_LIGHT, SEA_DARK], ids=["light", "dark"])
def test_in_sea_well_and_trouble_are_told_apart_by_all_eyes(colours: Palette, eyes: str) -> None:
    """For those to whom green and red are one."""
    assert distance(colours.good, colours.trouble, eyes) >= 30


def test_the_choice_outranks_the_desktop() -> None:
    """Only "system" follows it."""
    assert choose_palette("system", "dark") is DARK
    assert choose_palette("system", "light") is LIGHT
    assert choose_palette("light", "dark") is LIGHT
    assert choose_palette("dark", "light") is DARK
    assert choose_palette("dark", "light", "sea") is SEA_DARK
    assert choose_palette("system", "light", "sea") is SEA_LIGHT
