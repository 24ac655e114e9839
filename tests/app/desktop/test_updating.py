"""Updates while the window is open, and after it was closed."""

import dataclasses as data

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.desktop.notifications import Notification
from app.desktop.updating import AGAIN_S, FIRST_S, Updating, has_source, start_detached
from core.api.requests import Cancelled, Refused
from core.api.updates import GetUpdate, LookForUpdate, UpdatesShown
from core.settings import Settings, UpdatesSettings
from core.updates.source import load_source
from tests.fake_actions import FakeActions, state_of
from tests.hand_alarm import HandAlarm

COMMAND = ("/somewhere/waggle", "--part", "core.updates.switch")
NEWS = UpdatesShown(installed="0.1.0", place="/x", obstacle="none", newest="0.2.0", is_news=True)
READY = UpdatesShown(
    installed="0.1.0",
    place="/x",
    obstacle="none",
    newest="0.2.0",
    command=COMMAND,
    starting=("--start",),
)


class Played:
    """An ``Updating`` whose clock is in the test's hand, and all that came out of it."""

    def __init__(self, when: str = "notify", *, built_in: bool = True) -> None:
        self.owner = QObject()
        self.alarm = HandAlarm()
        self.actions = FakeActions()
        self.updating = Updating(self.owner, self.actions, self.alarm, lambda: built_in)
        self.notices: list[Notification] = []
        self.started: list[tuple[str, ...]] = []
        self.updating.found.connect(self.notices.append)
        self.known: UpdatesShown | None = None
        self.set(when)

    def set(self, when: str) -> None:
        """Change the settings."""
        updates = UpdatesSettings(when=when)  # type: ignore[arg-type]  # one of the three
        self.state = state_of(Settings(updates=updates))
        self.updating.show_state(data.replace(self.state, updates=self.known))

    def learn(self, shown: UpdatesShown) -> None:
        """Let the helper have said ``shown``, to whomever; it is drawn more than once."""
        self.known = replace(shown)
        for _ in range(2):
            self.updating.show_state(data.replace(self.state, updates=self.known))

    def depart(self) -> list[tuple[str, ...]]:
        """End, and see what is started."""
        self.updating.depart(self.started.append)
        return self.started


@pytest.fixture(autouse=True)
def qt(qtbot: QtBot) -> QtBot:
    return qtbot


def test_it_looks_after_the_start_and_then_now_and_then() -> None:
    """The helper decides whether it is due."""
    played = Played()
    assert played.alarm.seconds == FIRST_S
    played.alarm.ring()
    assert played.actions.of(LookForUpdate) == [LookForUpdate(id=1, only_if_due=True)]
    assert played.alarm.seconds == AGAIN_S
    played.alarm.ring()
    assert len(played.actions.of(LookForUpdate)) == 2


def test_off_never_asks_until_it_is_switched_on() -> None:
    """Not even the helper."""
    played = Played("off")
    played.alarm.ring()
    assert played.actions.all == []
    played.set("notify")
    played.alarm.ring()
    assert len(played.actions.all) == 1


def test_without_a_source_nothing_is_planned() -> None:
    """The helper is not started for it."""
    assert Played(built_in=False).alarm.seconds is None
    assert has_source() == (load_source() is not None)


def test_news_is_told_once_and_nothing_is_fetched() -> None:
    """Where the person wants to be told."""
    played = Played("notify")
    played.learn(NEWS)
    (notice,) = played.notices
    assert "0.2.0" in notice.title
    assert not notice.is_grave
    assert played.actions.all == []
    assert played.depart() == []


def test_automatic_fetches_once_and_installs_on_quitting() -> None:
    """Without opening the window again, which the person has just closed."""
    played = Played("automatic")
    played.learn(NEWS)
    played.learn(NEWS)
    assert len(played.actions.of(GetUpdate)) == 1
    assert played.notices == []
    played.learn(READY)
    assert played.depart() == [COMMAND]


@pytest.mark.parametrize("end", [Refused(words="No line."), Cancelled()])
def test_a_download_that_failed_is_tried_again_at_the_next_look(end: Refused | Cancelled) -> None:
    """Without a restart."""
    played = Played("automatic")
    played.learn(NEWS)
    played.actions.reply(end)
    played.learn(NEWS)
    assert len(played.actions.of(GetUpdate)) == 2
    played.learn(READY)
    assert played.depart() == [COMMAND]


def test_whoever_changes_their_mind_gets_nothing_installed() -> None:
    """Also where it was fetched already."""
    played = Played("automatic")
    played.learn(READY)
    played.set("notify")
    assert played.depart() == []


def test_whoever_changes_their_mind_twice_gets_what_was_fetched() -> None:
    """Also where the page asked meanwhile what is known, which answers without the command."""
    played = Played("automatic")
    played.learn(NEWS)
    played.learn(READY)
    played.set("notify")
    played.set("automatic")
    assert played.depart() == [COMMAND]
    played.set("notify")
    played.learn(replace(NEWS, is_news=False))
    played.set("automatic")
    assert len(played.actions.of(GetUpdate)) == 2


def test_what_the_person_asked_for_is_started() -> None:
    """In place of what would have been installed quietly."""
    played = Played("automatic")
    played.learn(READY)
    played.updating.leave_for((*COMMAND, "--start"))
    assert played.depart() == [(*COMMAND, "--start")]


def test_nothing_is_started_while_the_computer_shuts_down() -> None:
    """It would be cut off half-way."""
    played = Played("automatic")
    played.learn(READY)
    played.updating.leave_for((*COMMAND, "--start"))
    played.updating.forget()
    assert played.depart() == []


def test_what_others_update_is_left_alone() -> None:
    """Whatever such an answer says besides."""
    played = Played("automatic")
    other = UpdatesShown(
        installed="0.1.0", place="/x", obstacle="system", newest="0.2.0", is_news=True
    )
    played.learn(other)
    assert played.actions.all == []


def test_a_program_that_is_not_there_is_not_started() -> None:
    """And nothing else happens."""
    assert not start_detached(("/nowhere/at/all", "x"))
