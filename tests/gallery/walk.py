"""A newcomer's first minutes in pictures: joins, watches the map fill, takes the exam, comes back.

    python -m tests.gallery.walk --out DIR [--languages en de] [--scales 1 2]
        [--sizes 900x600 1400x900] [--themes light dark] [--seconds 30 90 180]

The real engine practises in a fresh home. Coming back is a process of its own, which finds what the
first one left, or says what is missing. Tells how long everything took; ends with 1 where something
is missing or looks wrong. The engine makes way for whatever else runs on this machine: say so
beside the figures.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec
from PySide6.QtWidgets import QComboBox, QLabel, QTabBar

from app.pages.home.history_loader import HistoryLoader
from app.pages.practice.exam_chart import ExamChart
from app.pages.practice.exam_view import ExamView
from app.pages.practice.skill_map import SkillMap
from app.state.intents import JoinChosen
from core.api.events import Point
from core.paths import Home
from core.services.skills import look_up_skills
from core.settings import Settings, save_settings
from tests.gallery.camera import Camera, camera_parser, cameras_of, take_apart, tell
from tests.gallery.furnished import UNDISTURBED, greet_anew
from tests.gallery.scenes import MOMENT_S, press, take_welcome
from tests.gallery.stage import Stage, opened
from tests.screen import own_screen, settle

EXAM_S: Final = 600.0  # most seconds that a quick exam may take

SKILLS, EXAM = 1, 3
"""Tabs of the page Practice."""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be found again."""

    round: int
    skill: float | None  # share of all puzzles solved, in [0, 1]
    known: int  # cells of the map that are coloured: the base model's, and its own
    tried: int  # those that it practised itself
    exam: tuple[str, ...]  # all words of its charts


def main() -> int:
    """Walk once in each language at each scale; 1 where faults were found."""
    asked = _read_arguments()
    if asked.home is None:
        return max(_walk_apart(camera, asked.seconds) for camera in cameras_of(asked))
    (camera,) = cameras_of(asked)
    return _walk(camera, Home(asked.home), asked.seconds)


def _walk_apart(camera: Camera, seconds: list[int]) -> int:
    """Two processes on a fresh home; the second is who comes back."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home.prepare()
        save_settings(Settings(rules=UNDISTURBED), home.settings)
        greet_anew(home, camera.language)
        more = ("--seconds", *map(str, seconds))
        return max(take_apart("tests.gallery.walk", camera, home.root, *more) for _ in range(2))


def _walk(camera: Camera, home: Home, seconds: list[int]) -> int:
    """The first visit where nothing was kept so far, and else the second, in this process."""
    kept = home.root.parent / "kept.json"
    begun = monotonic()
    with own_screen(*camera.room, camera.scale), opened(home, camera) as stage:
        tell(f"{camera.folder}: window after {monotonic() - begun:.1f} s")
        if kept.exists():
            _come_back(stage, msgspec.json.decode(kept.read_bytes(), type=Kept))
        else:
            kept.write_bytes(msgspec.json.encode(_visit(stage, seconds)))
    return stage.tell_faults()


def _visit(stage: Stage, seconds: list[int]) -> Kept:
    """Join, look at Home and map after so many ``seconds``, and take the quickest exam."""
    take_welcome(stage, is_shown=True)
    stage.open("home")
    settle(1.0)
    stage.take("walk-1-before")
    begun = monotonic()
    stage.wish(JoinChosen())
    stage.wait(lambda: stage.state.node.round > 0, "the first round")
    tell(f"first score {monotonic() - begun:.1f} s after Join")
    for number, moment in enumerate(seconds, start=2):
        settle(max(0.0, moment - (monotonic() - begun)))
        _look(stage, f"walk-{number}")
        after, node = monotonic() - begun, stage.state.node
        tell(
            f"{after:.0f} s after Join: {_in_short(_known(stage, node.points))}, pictures included"
        )
    return _take_exam(stage)


def _take_exam(stage: Stage) -> Kept:
    stage.the(QTabBar).setCurrentIndex(EXAM)
    view = stage.the(ExamView)
    view.findChildren(QComboBox)[0].setCurrentIndex(0)
    begun = monotonic()
    press(view)
    settle(1.0)
    stage.take("walk-exam-running")
    stage.wait(lambda: bool(stage.window.findChildren(ExamChart)), "a result", EXAM_S)
    tell(f"exam {monotonic() - begun:.0f} s")
    stage.take("walk-exam")
    _look(stage, "walk-last")
    return _known(stage, stage.state.node.points)


def _come_back(stage: Stage, kept: Kept) -> None:
    """Look at everything again, and go on from there."""
    stage.open("home")
    (loader,) = stage.window.findChildren(HistoryLoader)
    stage.wait(lambda: bool(loader.past.points), "earlier rounds", MOMENT_S)
    _look(stage, "walk-back")
    stage.the(QTabBar).setCurrentIndex(EXAM)
    stage.wait(lambda: bool(stage.window.findChildren(ExamChart)), "the exam", MOMENT_S)
    stage.take("walk-back-exam")
    points = loader.past.points
    found = _known(stage, [point for point in points if point.round <= kept.round])
    tell(f"kept {_in_short(kept)}; found {_in_short(found)}, and {len(points)} rounds in all")
    # What was practised until the window had closed may have coloured more.
    known, tried = max(kept.known, found.known), max(kept.tried, found.tried)
    if msgspec.structs.replace(kept, known=known, tried=tried) != found:
        stage.found.append("what was kept is not what was found")
    last = points[-1].round
    stage.wish(JoinChosen())
    stage.wait(lambda: stage.state.node.round > last, "a round after the last")
    tell(f"goes on with round {stage.state.node.round}")


def _look(stage: Stage, name: str) -> None:
    """Home and the skill map."""
    stage.open("home")
    settle(0.5)
    stage.take(f"{name}-home")
    stage.open("practice")
    stage.the(QTabBar).setCurrentIndex(SKILLS)
    stage.wait(lambda: stage.the(SkillMap).model.levels > 0, "skills", MOMENT_S)
    settle(1.0)
    stage.take(f"{name}-skills")


def _known(stage: Stage, points: Sequence[Point]) -> Kept:
    """What is known of the rounds of ``points``; the map and the exam were shown before."""
    cells = [cell for row in stage.the(SkillMap).model.rows for cell in row.cells]
    saved = look_up_skills(stage.home, stage.state.model.id, stage.state.settings.practice)
    drawn = (chart.findChildren(QLabel) for chart in stage.window.findChildren(ExamChart))
    return Kept(
        round=points[-1].round if points else 0,
        skill=points[-1].skill if points else None,
        known=sum(cell.now is not None for cell in cells),
        tried=sum(cell.tries > 0 for kind in saved.kinds for cell in kind.cells),
        exam=tuple(line.text() for line in chain.from_iterable(drawn)),
    )


def _in_short(known: Kept) -> str:
    skill = "none" if known.skill is None else f"{known.skill:.2%}"
    cells = f"{known.tried} cells tried of {known.known} known"
    return f"round {known.round}, skill {skill}, {cells}, {len(known.exam)} lines of an exam"


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        parents=[camera_parser()],
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seconds", nargs="+", type=int, default=[30, 90, 180], help="after Join")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
