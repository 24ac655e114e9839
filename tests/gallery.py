"""Pictures of every state of the window, to be looked at.

    python -m tests.gallery --out DIR [--size 900x600] [--scale 2] [--theme dark]

The window is real and on a real (virtual) screen; the engine is only played: its events are put
in by hand, so that each state can be held still.
"""

import argparse
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QCheckBox

from app.appearance import Appearance
from app.engine_client import EngineClient
from app.engine_process import OutputLog
from app.link import Link
from app.main import connect_desk, open_application
from app.main_window import Children, MainWindow
from core.engine.events import (
    Event,
    Failed,
    Loading,
    Paused,
    PhaseEntered,
    Point,
    Started,
    Stopped,
    SwarmChanged,
)
from core.paths import Home
from core.settings import Settings, WindowSettings, save_settings
from tests.fake_engine import pretend
from tests.screen import own_screen, settle, take_picture

FAKE = ("python", "-c", "input()")


class Played:
    """A window whose engine is played by hand."""

    def __init__(self, appearance: Appearance, theme: str, size: tuple[int, int]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        home = Home(Path(self._folder.name))
        home.prepare()
        settings = Settings(window=WindowSettings(theme=theme, consent=True))  # type: ignore[arg-type]  # argparse checked it
        save_settings(settings, home.settings)
        self.client = EngineClient(FAKE, OutputLog(home.logs))
        self.children = Children(lambda _home: self.client, connect_desk)
        self.window = MainWindow(home, self.children, appearance)
        self.window.resize(*size)
        self.window.show()

    def tell(self, *events: Event) -> None:
        """Let the engine say ``events``."""
        self.client.link_changed.emit(Link("up"))
        self.client.event_received.emit(Loading(words="Waking the model up"))
        for event in events:
            self.client.event_received.emit(event)

    def close(self) -> None:
        """Put all away."""
        self.window.close()
        self.window.deleteLater()
        self._folder.cleanup()


def started(rounds: int, peers: int) -> tuple[Event, ...]:
    """What the engine says when it has ``rounds`` behind it and meets ``peers``."""
    past = [pretend(number, peers) for number in range(1, rounds + 1)]
    history = tuple(Point(round=r.round, score=r.score, swarm_score=r.swarm_score) for r in past)
    return (
        Started(
            model="spark", round=rounds, peer="", name="amber-otter", solo=False, history=history
        ),
        *past[-1:],
        SwarmChanged(reachable=True, peers=peers, words=""),
        PhaseEntered(round=rounds + 1, phase="learning"),
    )


STATES: dict[str, tuple[Event, ...]] = {
    "1-idle": (),
    "2-loading": (Loading(words="Waking the model up"),),
    "3-empty": started(0, 2),
    "4-early": started(14, 2),
    "5-training": started(180, 2),
    "6-long": started(1_000, 11),
    "7-alone": started(90, 0),
    "8-paused": (*started(180, 2), Paused(reason="you")),
    "9-warning": (
        *started(180, 2),
        Failed(words="No hub answers. Waggle keeps trying and goes on alone.", fatal=False),
    ),
    "10-stopped": (*started(180, 2), Stopped(round=180)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", default="1100x720")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    asked = parser.parse_args()
    width, height = (int(part) for part in asked.size.split("x"))
    with own_screen(width, height, asked.scale):
        app = open_application()
        appearance = Appearance(app)
        for name, events in STATES.items():
            played = Played(appearance, asked.theme, (width, height))
            if events:
                played.tell(*events)
            take_picture(played.window, asked.out / f"{name}.png")
            played.close()
        picture_troubles(appearance, asked.theme, (width, height), asked.out)
        settle(0.1)
        app.quit()


def picture_troubles(appearance: Appearance, theme: str, size: tuple[int, int], out: Path) -> None:
    """The states in which nothing is as it should be, and the first start."""
    played = Played(appearance, theme, size)
    played.tell(*started(180, 2))
    reason = "the system ended it, perhaps because memory ran out"
    played.client.link_changed.emit(Link("waiting", reason, 4))
    take_picture(played.window, out / "a-restarting.png")
    played.client.link_changed.emit(Link("gave_up", reason))
    take_picture(played.window, out / "b-gave-up.png")
    words = (
        "The disk that holds the folder waggle is full. Free some space and start "
        "again; everything up to the last finished round is kept."
    )
    played.tell(*started(180, 2), Failed(words=words, fatal=True))
    played.client.link_changed.emit(Link())
    take_picture(played.window, out / "c-failed.png")
    played.close()
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        window = MainWindow(home, played.children, appearance)
        appearance.choose("dark" if theme == "dark" else "light")
        window.resize(*size)
        window.show()
        take_picture(window, out / "d-welcome.png")
        for box in window.findChildren(QCheckBox):
            box.click()
        take_picture(window, out / "e-welcome-agreed.png")
        window.close()
        home.settings.write_text("[window]\ntheme = 3\n", encoding="utf-8")
        broken = MainWindow(home, played.children, appearance)
        broken.resize(*size)
        broken.show()
        take_picture(broken, out / "f-broken-settings.png")
        broken.close()


if __name__ == "__main__":
    main()
