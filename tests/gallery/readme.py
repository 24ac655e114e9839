"""The pictures of the README: the best of the gallery, in few colours so that they stay small.

    python -m tests.gallery.readme [--rounds 90] [--past HOME] [--out DIR]

The chart on Home should have some rounds to show; where those take too long, ``--past`` names a
home that practised before.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image

from core.paths import RESOURCES

SIZE: Final = "1100x720"
SCALE: Final = 2
MOST_BYTES: Final = 150_000  # more is slow to load
COLOURS: Final = (256, 192, 128)
PICTURES: Final = {
    "welcome": "welcome-2-{}-light",
    "home-light": "home-practising-{}-light",
    "home-dark": "home-practising-{}-dark",
    "skills": "practice-skills-{}-light",
    "contribution": "contribution-{}-light",
    "swarm": "swarm-{}-light",
    "models": "models-{}-light",
}
"""What each is called in the README, and in the gallery."""

PAGES: Final = ("welcome", "home", "trials", "contribution", "swarm", "models")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=90)
    parser.add_argument("--past", type=Path, metavar="HOME", help="begin with a copy of it")
    parser.add_argument("--out", type=Path, default=RESOURCES / "screenshots")
    parser.add_argument("--gallery", type=Path, help="pictures that were taken before")
    asked = parser.parse_args()
    if asked.gallery is not None:
        keep(asked.gallery, asked.out)
        return
    with tempfile.TemporaryDirectory() as folder:
        take(Path(folder), asked.rounds, asked.past)
        keep(Path(folder), asked.out)


def take(folder: Path, rounds: int, past: Path | None) -> None:
    """Take what is needed; faults that were found are told and do not count here."""
    command = [
        *(sys.executable, "-m", "tests.gallery", "--out", str(folder), "--rounds", str(rounds)),
        *(("--past", str(past)) if past is not None else ()),
        *("--languages", "en", "--scales", str(SCALE), "--sizes", SIZE, "--pages", *PAGES),
    ]
    subprocess.run(command, check=False)  # noqa: S603 - this program


def keep(gallery: Path, out: Path) -> None:
    """Write the chosen ones of ``gallery`` to ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    for name, pattern in PICTURES.items():
        source = gallery / f"en-{SCALE}x" / f"{pattern.format(SIZE)}.png"
        target = out / f"{name}.png"
        shrink(source, target)
        sys.stdout.write(f"{target}: {target.stat().st_size // 1_000} kB\n")


def shrink(source: Path, target: Path) -> None:
    """The same picture in as many colours as there is room for: a window has few to begin with."""
    with Image.open(source) as picture:
        full = picture.convert("RGB")
    for colours in COLOURS:
        few = full.quantize(colours, dither=Image.Dither.NONE)
        few.save(target, optimize=True)
        if target.stat().st_size <= MOST_BYTES:
            break


if __name__ == "__main__":
    main()
