"""Every measure and colour of the window, and nothing else that draws.

Spacing follows a grid of 4 px, type a scale of five sizes. Text colours reach a contrast of
4.5 : 1 on every ground they stand on, lines and borders of controls 3 : 1 (WCAG 2.2 AA), in both
palettes. The two curves differ in hue for every common colour blindness (amber against blue).
"""

from dataclasses import dataclass
from typing import Literal

Scheme = Literal["light", "dark"]
Choice = Literal["system", "light", "dark"]

SPACE_XS = 4
SPACE_S = 8
SPACE_M = 12
SPACE_L = 16
SPACE_XL = 24
SPACE_XXL = 32

RADIUS_S = 6
RADIUS_M = 10
RADIUS_L = 14

TEXT_SMALL = 12
TEXT_BODY = 14
TEXT_CALL = 15
TEXT_LEAD = 18
TEXT_HERO = 28

TEXT_LINE = 19  # height of a line of body text, with room for a dot beside it

CONTROL_HEIGHT = 36
CALL_HEIGHT = 46  # of the one button that matters
MARK = 14  # inner side of a radio button or check box
SCROLL_BAR = 10
EMBLEM = 56
SIDE_WIDTH = 272  # of the column beside the chart
READING_WIDTH = 680  # longer lines tire

FONT_FAMILY = "Inter"


@dataclass(frozen=True, slots=True)
class Palette:
    """One set of colours, each named for its job."""

    scheme: Scheme
    ground: str  # of the window
    surface: str  # of cards
    sunken: str  # of quiet controls
    sunken_hover: str
    line: str  # hairlines between things
    edge: str  # outline of what can be operated
    text: str
    muted: str  # second words
    accent: str  # honey: the one thing to do next
    accent_hover: str
    accent_pressed: str
    on_accent: str
    focus: str  # ring around what the keyboard is at
    mine: str  # curve of the own model
    swarm: str  # curve of the swarm
    good: str
    trouble: str
    trouble_ground: str


LIGHT = Palette(
    scheme="light",
    ground="#FAF8F3",
    surface="#FFFFFF",
    sunken="#F3EFE6",
    sunken_hover="#EAE4D7",
    line="#E9E3D7",
    edge="#8F8675",
    text="#211C14",
    muted="#675F52",
    accent="#F4B942",
    accent_hover="#EDAD2B",
    accent_pressed="#DE9C14",
    on_accent="#241902",
    focus="#1F5FA8",
    mine="#B45A00",
    swarm="#2368B5",
    good="#2B7A45",
    trouble="#A3271B",
    trouble_ground="#FCEFEA",
)

DARK = Palette(
    scheme="dark",
    ground="#161411",
    surface="#1F1C18",
    sunken="#2A2620",
    sunken_hover="#37322A",
    line="#332E27",
    edge="#857B6B",
    text="#F4EFE6",
    muted="#ADA395",
    accent="#F4B942",
    accent_hover="#FFC95C",
    accent_pressed="#DFA32C",
    on_accent="#241902",
    focus="#8CC2FF",
    mine="#F7B53C",
    swarm="#72B4F5",
    good="#7CCB93",
    trouble="#FF9C8F",
    trouble_ground="#35201C",
)


def choose_palette(choice: Choice, system: Scheme) -> Palette:
    """The palette for a person's ``choice`` on a desktop that uses the ``system`` scheme."""
    return DARK if (system if choice == "system" else choice) == "dark" else LIGHT
