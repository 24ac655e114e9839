"""Axes and styles of the lab's pictures: matplotlib without pyplot, so that nothing is global.

Colours are Okabe and Ito's, which people with any colour vision tell apart; yellow is left out,
since it is hardly seen on white.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from core.errors import LabError
from core.storage.files import replace_file

if TYPE_CHECKING:  # only the extra "lab" brings it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Sheet

DOTS_PER_INCH: Final = 160
TEXT: Final = 11.0  # points
INK: Final = "#222222"
FAINT: Final = "#dddddd"

_COLOURS: Final = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_LINES: Final = ("-", "--", ":")
_MARKS: Final = ("o", "s", "D")
_LINE_SPACING: Final = 1.35
_LETTER: Final = 0.65  # width of a letter, in heights of the text
_POINTS: Final = 72  # per inch
_ASIDE: Final = 16  # points from a line's end to its name


@dataclass(frozen=True, slots=True)
class ArmStyle:
    """How one arm looks."""

    colour: str
    line: str
    mark: str


def styles(names: Sequence[str]) -> dict[str, ArmStyle]:
    """A style for each name; the first is black. Lines and marks differ where colours run out."""
    looks = [
        ArmStyle(colour, line, mark)
        for line, mark in zip(_LINES, _MARKS, strict=True)
        for colour in _COLOURS
    ]
    return {name: looks[i % len(looks)] for i, name in enumerate(names)}


def sheet(width: float, height: float) -> "Sheet":
    """A white sheet of so many inches.

    Raises:
        LabError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise LabError(
            "Pictures need the Python package matplotlib, which is not installed."
        ) from error
    return Figure((width, height), DOTS_PER_INCH, facecolor="white", layout="constrained")


def dress(axes: "Axes", title: str, across: str, up: str) -> None:
    """Give ``axes`` its words, and take away what says nothing."""
    axes.set_title(title, loc="left", fontsize=TEXT + 2, color=INK, pad=12)
    axes.set_xlabel(across, fontsize=TEXT, color=INK)
    axes.set_ylabel(up, fontsize=TEXT, color=INK)
    axes.tick_params(labelsize=TEXT - 1, color=FAINT, labelcolor=INK)
    axes.grid(visible=True, axis="y", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)


def in_percent(axes: "Axes", direction: Literal["x", "y"]) -> None:
    """Show shares as percentages."""
    axis = axes.xaxis if direction == "x" else axes.yaxis
    axis.set_major_formatter(lambda share, _: f"{100 * share:.3g} %")


def name_marks(axes: "Axes") -> None:
    """Say below ``axes`` which mark is whose, where there is no line to write beside."""
    drawn = _sheet_of(axes)
    marks, names = axes.get_legend_handles_labels()
    letters = drawn.get_figwidth() * _POINTS / (TEXT * _LETTER)
    columns = max(1, int(letters / (max(map(len, names)) + 6)))  # room for the mark
    drawn.legend(
        marks, names, loc="outside lower left", ncols=columns, frameon=False, fontsize=TEXT
    )


def label_ends(
    axes: "Axes", ends: Mapping[str, tuple[float, float]], used: Mapping[str, ArmStyle]
) -> None:
    """Write names beside the ``ends`` (x, y) of their lines, so that none hides another."""
    drawn = _sheet_of(axes)
    drawn.draw_without_rendering()  # lays the axes out, so that their height is known
    points = axes.get_window_extent().height * _POINTS / drawn.dpi
    low, high = axes.get_ylim()
    heights = [(y - low) / (high - low) for _, y in ends.values()]
    places = spread(heights, TEXT * _LINE_SPACING / points)
    for (name, end), at in zip(ends.items(), places, strict=True):
        _label(axes, name, (end, at), used[name])


def _label(
    axes: "Axes", name: str, place: tuple[tuple[float, float], float], style: ArmStyle
) -> None:
    """Write one name at a height of the axes, with a hair from the line's end to it."""
    from matplotlib.patheffects import withStroke

    end, height = place
    hair = {"arrowstyle": "-", "color": style.colour, "linewidth": 0.9, "relpos": (0, 0.5)}
    axes.annotate(
        name,
        xy=end,
        xytext=(_ASIDE, height),
        textcoords=("offset points", "axes fraction"),
        va="center",
        fontsize=TEXT,
        color=INK,
        annotation_clip=False,
        arrowprops={**hair, "shrinkA": 2, "shrinkB": 0, "patchA": None},
        path_effects=[withStroke(linewidth=3, foreground="white")],
    )


def _sheet_of(axes: "Axes") -> "Sheet":
    drawn = axes.get_figure(root=True)
    assert drawn is not None, "axes without a sheet"  # noqa: S101
    return drawn


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Places from 0 to 1, at least ``gap`` apart, as near as can be to where they are wanted.

    Nearest is meant in squares. The order stays; equal ones keep that of the sequence. More than
    there is room for reach beyond 1.
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    heaps: list[list[float]] = []  # of neighbours that touch, each less the gaps below it
    for rank, index in enumerate(order):
        heaps.append([wanted[index] - rank * gap])
        while len(heaps) > 1 and _mean(heaps[-2]) >= _mean(heaps[-1]):
            last = heaps.pop()
            heaps[-1] += last
    room = max(0.0, 1 - (len(wanted) - 1) * gap)
    settled = [min(max(_mean(heap), 0.0), room) for heap in heaps for _ in heap]
    places = [0.0] * len(wanted)
    for rank, index in enumerate(order):
        places[index] = settled[rank] + rank * gap
    return places


def save(drawn: "Sheet", path: Path) -> Path:
    """Write a PNG in place of what was there; ``path`` again.

    Raises:
        HomeError: it cannot be written.
    """
    png = io.BytesIO()
    drawn.savefig(png, format="png")
    replace_file(path, png.getvalue())
    return path


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
