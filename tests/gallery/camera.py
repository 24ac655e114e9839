"""What is taken of every state of the window, and where it goes; as asked on the command line."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal, get_args

from core.settings import Language

Theme = Literal["light", "dark"]
Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Camera:
    """Each picture is taken in every size and theme."""

    out: Path
    sizes: Sequence[Size]
    themes: Sequence[Theme]
    language: Language
    scale: int

    @property
    def folder(self) -> Path:
        """Where its pictures go."""
        return self.out / f"{self.language}-{self.scale}x"

    @property
    def room(self) -> Size:
        """A screen on which every size fits."""
        widest, highest = (max(sides) for sides in zip(*self.sizes, strict=True))
        return widest, highest


def camera_parser() -> argparse.ArgumentParser:
    """The arguments that cameras are made of, as a parent of other parsers."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--out", type=Path, required=True)
    languages = [name for name in get_args(Language) if name != "system"]
    parser.add_argument("--languages", nargs="+", choices=languages, default=["en", "de"])
    parser.add_argument("--scales", nargs="+", type=int, choices=(1, 2, 3), default=[1, 2])
    parser.add_argument("--sizes", nargs="+", type=_size, default=[(900, 600), (1400, 900)])
    parser.add_argument("--themes", nargs="+", choices=get_args(Theme), default=get_args(Theme))
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)  # one that is furnished
    return parser


def cameras_of(asked: argparse.Namespace) -> list[Camera]:
    """One for each language and scale that was asked for."""
    return [
        Camera(asked.out, asked.sizes, asked.themes, language, scale)
        for language, scale in product(asked.languages, asked.scales)
    ]


def take_apart(module: str, camera: Camera, home: Path, *more: str) -> int:
    """Run ``module`` with ``camera`` on ``home`` in a process of its own: Qt learns the scale once.

    Gives its exit status, made positive, and says so where it is another than 0 or 1.
    """
    command = [
        *(sys.executable, "-m", module, "--home", str(home), "--out", str(camera.out)),
        *("--languages", camera.language, "--scales", str(camera.scale)),
        *("--sizes", *(f"{width}x{height}" for width, height in camera.sizes)),
        *("--themes", *camera.themes, *more),
    ]
    code = subprocess.run(command, check=False).returncode  # noqa: S603 - a program of ours
    if code not in (0, 1):
        tell(f"{camera.folder}: ended early, with {code}")
    return abs(code)


def tell(line: str) -> None:
    """Write ``line`` at once, also where somebody collects what is written."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _size(words: str) -> Size:
    width, height = words.split("x")
    return int(width), int(height)
