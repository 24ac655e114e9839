"""Pictures of every page, to be looked at: from the real window, with its real engine and helper.

    python -m tests.gallery --out DIR [--pages home swarm] [--languages en de] [--scales 1 2]
        [--sizes 900x600 1400x900] [--themes light dark] [--rounds 60] [--past HOME]

A home that was used for weeks is made, and a hub with a node on this machine to be met. Each
(language, scale) is a process of its own on a screen of its own, in which the engine joins once.
Ends with what a program can see to be wrong: text that is cut, pages that scroll sideways.
"""

import argparse
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import get_args

from core.paths import Home
from core.settings import Language
from tests.gallery.furnished import companions, furnish, greet_anew
from tests.gallery.scenes import SCENES, take_welcome
from tests.gallery.stage import Camera, Size, Theme, opened
from tests.screen import own_screen


def main() -> int:
    """Take all that was asked for; 1 where faults were found."""
    asked = _read_arguments()
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.home is not None:
        return _take(asked, Home(asked.home))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        home = Home(folder / "home")
        furnish(home, (stack.enter_context(companions(folder)),), asked.past)
        sets = product(asked.languages, asked.scales)
        return max(_take_apart(asked, home, language, scale) for language, scale in sets)


def _take_apart(asked: argparse.Namespace, home: Home, language: str, scale: int) -> int:
    """In a process of its own: Qt learns the scale once."""
    command = [
        *(sys.executable, "-m", "tests.gallery", "--home", str(home.root)),
        *("--out", str(asked.out), "--languages", language, "--scales", str(scale)),
        *("--sizes", *(f"{width}x{height}" for width, height in asked.sizes)),
        *("--themes", *asked.themes, "--rounds", str(asked.rounds), "--pages", *asked.pages),
    ]
    code = subprocess.run(command, check=False).returncode  # noqa: S603 - this program
    if code not in (0, 1):
        sys.stdout.write(f"{asked.out}/{language}-{scale}x: ended early, with {code}\n")
    return abs(code)


def _take(asked: argparse.Namespace, home: Home) -> int:
    """One language at one scale, in this process."""
    (language,), (scale,) = asked.languages, asked.scales
    widest, highest = (max(sides) for sides in zip(*asked.sizes, strict=True))
    greet_anew(home, language)
    camera = Camera(asked.out, asked.sizes, asked.themes, language, scale)
    with own_screen(widest, highest, scale), opened(home, camera) as stage:
        take_welcome(stage, is_shown="welcome" in asked.pages)
        for name, scene in SCENES.items():
            if name in asked.pages:
                scene(stage, asked.rounds)
    sys.stdout.write(f"{asked.out}/{language}-{scale}x: {stage.taken} pictures\n")
    for fault in stage.found:
        sys.stdout.write(f"    {fault}\n")
    sys.stdout.flush()
    return 1 if stage.found else 0


def _read_arguments() -> argparse.Namespace:
    pages = ("welcome", *SCENES)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pages", nargs="+", choices=pages, default=pages)
    languages = [name for name in get_args(Language) if name != "system"]
    parser.add_argument("--languages", nargs="+", choices=languages, default=["en", "de"])
    parser.add_argument("--scales", nargs="+", type=int, choices=(1, 2, 3), default=[1, 2])
    parser.add_argument("--sizes", nargs="+", type=_size, default=[(900, 600), (1400, 900)])
    parser.add_argument("--themes", nargs="+", choices=get_args(Theme), default=get_args(Theme))
    parser.add_argument("--rounds", type=int, default=60, help="to wait for on Home")
    parser.add_argument("--past", type=Path, metavar="HOME", help="begin with a copy of it")
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)  # one that is furnished
    return parser.parse_args()


def _size(words: str) -> Size:
    width, height = words.split("x")
    return int(width), int(height)


if __name__ == "__main__":
    sys.exit(main())
