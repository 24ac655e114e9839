"""Pictures of every page, to be looked at: from the real window, with its real engine and helper.

    python -m tests.gallery --out DIR [--pages home swarm] [--languages en de] [--scales 1 2]
        [--sizes 900x600 1400x900] [--themes light dark] [--rounds 60] [--past HOME]

A home that was used for weeks is made, and a hub with a node on this machine to be met. Each
(language, scale) is a process of its own on a screen of its own, in which the engine joins once.
Ends with what a program can see to be wrong: text that is cut, pages that scroll sideways.
"""

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from core.paths import Home
from tests.gallery.camera import camera_parser, cameras_of, take_apart, tell
from tests.gallery.furnished import companions, furnish, greet_anew
from tests.gallery.scenes import SCENES, take_welcome
from tests.gallery.stage import opened
from tests.screen import own_screen


def main() -> int:
    """Take all that was asked for; 1 where faults were found."""
    asked = _read_arguments()
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.home is not None:
        return _take(asked, Home(asked.home))
    more = ("--rounds", str(asked.rounds), "--pages", *asked.pages)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        home = Home(folder / "home")
        furnish(home, (stack.enter_context(companions(folder)),), asked.past)
        return max(
            take_apart("tests.gallery", camera, home.root, *more) for camera in cameras_of(asked)
        )


def _take(asked: argparse.Namespace, home: Home) -> int:
    """One language at one scale, in this process."""
    (camera,) = cameras_of(asked)
    greet_anew(home, camera.language)
    with own_screen(*camera.room, camera.scale), opened(home, camera) as stage:
        take_welcome(stage, is_shown="welcome" in asked.pages)
        for name, scene in SCENES.items():
            if name in asked.pages:
                scene(stage, asked.rounds)
    tell(f"{camera.folder}: {stage.taken} pictures")
    return stage.tell_faults()


def _read_arguments() -> argparse.Namespace:
    pages = ("welcome", *SCENES)
    parser = argparse.ArgumentParser(
        parents=[camera_parser()],
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pages", nargs="+", choices=pages, default=pages)
    parser.add_argument("--rounds", type=int, default=60, help="to wait for on Home")
    parser.add_argument("--past", type=Path, metavar="HOME", help="begin with a copy of it")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
