"""Every measure and colour of the window, and nothing else that draws.

Spacing follows a grid of 4 px, type a scale of five sizes. Text colours reach a contrast of
4.5 : 1 on every ground they stand on, lines and borders of controls 3 : 1 (WCAG 2.2 AA), in all
palettes. The two curves can be told apart with every common colour blindness: amber and blue in
honey, blue and coral in sea.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Scheme = Literal["light", "dark"]
Choice = Literal["system", "light", "dark"]
Colours = Literal["honey", "sea"]

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
FIELD_HEIGHT = 30  # of what is typed into or chosen from
FIELD_WIDTH = 200
CALL_HEIGHT = 46  # of the one button that matters
MARK = 14  # inner side of a radio button or check box
RING = 2  # of the line around what has the keyboard
QUIET_INSET = RING + SPACE_S  # from the edge of a quiet button to its words
RADIO_INSET = RING + 2  # from the edge of a radio button to its circle
SCROLL_BAR = 10
EMBLEM = 56
SIDE_WIDTH = 272  # of the column beside the chart
DIALOG_WIDTH = 460
RAIL_WIDTH = 168  # of the column that leads to the pages
ICON = 20
READING_WIDTH = 680  # longer lines tire
HINT_WIDTH = 420  # of the words in the middle of an empty page
CARDS_WIDTH = 860  # of a column of cards with a button on their right

FONT_FAMILY = "Inter"


@dataclass(frozen=True, slots=True)
class Palette:
    """One set of colours, each named for its job."""

    ground: str  # of the window
    surface: str  # of cards
    sunken: str  # of quiet controls
    sunken_hover: str
    line: str  # hairlines between things
    edge: str  # outline of what can be operated
    text: str
    muted: str  # second words
    accent: str  # the one thing to do next
    accent_hover: str
    accent_pressed: str
    on_accent: str
    focus: str  # ring around what the keyboard is at
    mine: str  # curve of the own model
    swarm: str  # curve of the swarm
    good: str
    trouble: str
    trouble_ground: str
    solved: tuple[str, str, str, str, str]
    """A scale of shares, from none to all in quarters, by lightness alone."""


LIGHT = Palette(
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
    solved=("#F7F1E3", "#F7D07A", "#F2AE34", "#B9650B", "#5E2D02"),
)

DARK = Palette(
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
    solved=("#2B261F", "#5A3E14", "#9B6814", "#E6A733", "#FFF0C4"),
)


SEA_LIGHT = Palette(
    ground="#F3F7F9",
    surface="#FFFFFF",
    sunken="#E9F0F4",
    sunken_hover="#DBE6EC",
    line="#DAE4EA",
    edge="#72828D",
    text="#13212B",
    muted="#51616C",
    accent="#55C6DA",
    accent_hover="#3DB8CE",
    accent_pressed="#27A5BC",
    on_accent="#04222B",
    focus="#7A3E9D",
    mine="#0A62A8",
    swarm="#B8471B",
    good="#0B6F75",
    trouble="#A3271B",
    trouble_ground="#FCEFEA",
    solved=("#EAF2F6", "#A9DCE8", "#52BFD6", "#1577A6", "#0A3761"),
)

SEA_DARK = Palette(
    ground="#0F151A",
    surface="#171F26",
    sunken="#212C35",
    sunken_hover="#2C3944",
    line="#2A3640",
    edge="#74858F",
    text="#EAF1F5",
    muted="#9FB0BB",
    accent="#55C6DA",
    accent_hover="#74D5E6",
    accent_pressed="#3AB0C5",
    on_accent="#04222B",
    focus="#D6A9F2",
    mine="#6FB7F7",
    swarm="#FF9E6B",
    good="#62C8EA",
    trouble="#FF9A80",
    trouble_ground="#35201C",
    solved=("#212C35", "#14485A", "#1C7D97", "#55C6DA", "#DFF9FD"),
)

PALETTES: Mapping[Colours, Mapping[Scheme, Palette]] = {
    "honey": {"light": LIGHT, "dark": DARK},
    "sea": {"light": SEA_LIGHT, "dark": SEA_DARK},
}


def choose_palette(choice: Choice, system: Scheme, colours: Colours = "honey") -> Palette:
    """The palette for a person's ``choice`` on a desktop that uses the ``system`` scheme."""
    return PALETTES[colours][system if choice == "system" else choice]
