"""Growth of what the soak takes, as a table and a picture.

Means of five minutes are compared with those of the same minutes of other half hours, in which the
same was done: a straight line through all of them, with a level of its own for each place in the
half hour. Its slope is the growth, relative to the mean. The interval of 95 % is that of a fit by
least squares, as if five minutes knew nothing of the five before. The first hour is left out.
"""

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from core.lab.learning.canvas import dress, label_ends, save, sheet, styles

Series = npt.NDArray[np.float64]

FIRST_HOURS: Final = 1.0
_BLOCK_H: Final = 1 / 12
_BLOCKS: Final = 6  # of a half hour
_MEGA: Final = 1e6
_Z: Final = 1.959964

WHAT: Final = {
    "pss": ("memory of all its processes (PSS), MB", _MEGA),
    "handles": ("open file handles", 1.0),
    "disk": ("bytes of its home, MB", _MEGA),
    "ledger": ("bytes of its record of rounds, MB", _MEGA),
}
TITLES: Final = {
    "calm": "left alone",
    "killed": "killed every 10 minutes",
    "terminal": "in a terminal",
    "hub": "hub",
}


@dataclass(frozen=True, slots=True)
class Growth:
    """Of one measure of one node, in shares of its mean an hour; and that mean."""

    level: float
    slope: float
    margin: float  # half of the interval

    @property
    def words(self) -> str:
        """For a table."""
        return f"{100 * self.slope:+.2f} ± {100 * self.margin:.2f} %/h"


def growth(hours: Series, values: Series) -> Growth | None:
    """The trend of ``values`` after the first hour; None while there are too few."""
    blocks = np.floor(hours / _BLOCK_H + 1e-6).astype(int)
    late = blocks[hours >= FIRST_HOURS]
    numbers = np.unique(late)[:-1]  # the last one may be cut short
    places = np.unique(numbers % _BLOCKS)
    freedom = len(numbers) - len(places) - 1
    if freedom < 1:
        return None
    means = np.array([values[blocks == number].mean() for number in numbers])
    seasons = (numbers[:, None] % _BLOCKS == places[None, :]).astype(float)
    design = np.column_stack([(numbers - numbers.mean()) * _BLOCK_H, seasons])
    fit, *_ = np.linalg.lstsq(design, means, rcond=None)
    residual = means - design @ fit
    spread = float(residual @ residual) / freedom * float(np.linalg.inv(design.T @ design)[0, 0])
    level = float(means.mean())
    if level == 0:
        return None
    return Growth(level, float(fit[0]) / level, _student(freedom) * spread**0.5 / level)


def _student(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t; within 0.2 % from five degrees of freedom on."""
    z, n = _Z, freedom
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3


def read(folder: Path) -> dict[str, Series]:
    """The columns of the samples."""
    with (folder / "samples.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name] or 0) for row in rows]) for name in rows[0]}


def tell(folder: Path) -> str:
    """A table of growth, and what happened; the picture is drawn beside the samples."""
    samples = read(folder)
    hours = samples["hours"]
    rounds = {name: int(samples[f"{name}.rounds"].max()) for name in TITLES}
    lines = [
        f"{hours[-1]:.2f} hours, {len(hours)} samples; rounds: {rounds}",
        f"| node | {' | '.join(words for words, _ in WHAT.values())} |",
        f"|{'---|' * (1 + len(WHAT))}",
    ]
    for name, title in TITLES.items():
        cells = []
        for what, (_, unit) in WHAT.items():
            found = growth(hours, samples[f"{name}.{what}"])
            cells.append(f"{found.level / unit:.4g}, {found.words}" if found else "too early")
        lines.append(f"| {title} | {' | '.join(cells)} |")
    strays = max(int(samples[f"{name}.strays"].max()) for name in TITLES)
    lines += [f"processes left over at any sample: {strays}", *_events(folder)]
    lines.append(f"drawn: {draw(samples, folder / 'soak.png')}")
    return "\n".join(lines)


def _events(folder: Path) -> list[str]:
    with (folder / "events.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["outcome"]]
    return [f"{row['hours']} h: {row['who']}: {row['what']}: {row['outcome']}" for row in rows]


def draw(samples: dict[str, Series], path: Path) -> Path:
    """All four measures of all nodes over the hours."""
    drawn = sheet(11, 8)
    used = styles(tuple(TITLES.values()))
    hours = samples["hours"]
    for place, (what, (words, unit)) in enumerate(WHAT.items()):
        axes = drawn.add_subplot(2, 2, place + 1)
        dress(axes, words, "hours", "")
        ends = {}
        for name, title in TITLES.items():
            values = samples[f"{name}.{what}"] / unit
            if what == "ledger" and not values.any():
                continue
            axes.plot(hours, values, color=used[title].colour, linewidth=1.2)
            ends[title] = (float(hours[-1]), float(values[-1]))
        axes.set_ylim(bottom=0)
        label_ends(axes, ends, used)
    return save(drawn, path)
