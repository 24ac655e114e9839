"""Updates while the window is open, and after it was closed."""

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
from tests.hand_alarm import HandAlarm
from tests.wishes import Wishes, state_of

COMMAND = ("/somewhere/waggle", "--part", "core.updates.switch")
NEWS = UpdatesShown(
    installed="0.1.0", kind="tarball", place="/x", obstacle="none", newest="0.2.0", is_news=True
)
READY = UpdatesShown(
    installed="0.1.0",
    kind="tarball",
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
        self.updating = Updating(self.owner, self.alarm, lambda: built_in)
        self.wishes = Wishes(self.updating.asked)
        self.notices: list[Notification] = []
        self.started: list[tuple[str, ...]] = []
        self.updating.found.connect(self.notices.append)
        self.set(when)

    def set(self, when: str) -> None:
        """Change the settings."""
        updates = UpdatesSettings(when=when)  # type: ignore[arg-type]  # one of the three
        self.updating.show_state(state_of(Settings(updates=updates)))

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
    assert played.wishes.of(LookForUpdate) == [LookForUpdate(only_if_due=True)]
    assert played.alarm.seconds == AGAIN_S
    played.alarm.ring()
    assert len(played.wishes.of(LookForUpdate)) == 2


def test_off_never_asks_until_it_is_switched_on() -> None:
    """Not even the helper."""
    played = Played("off")
    played.alarm.ring()
    assert played.wishes.all == []
    played.set("notify")
    played.alarm.ring()
    assert len(played.wishes.all) == 1


def test_without_a_source_nothing_is_planned() -> None:
    """The helper is not started for it."""
    assert Played(built_in=False).alarm.seconds is None
    assert has_source() == (load_source() is not None)


def test_news_is_told_once_and_nothing_is_fetched() -> None:
    """Where the person wants to be told."""
    played = Played("notify")
    played.updating.hear(NEWS)
    (notice,) = played.notices
    assert "0.2.0" in notice.title
    assert not notice.is_grave
    assert played.wishes.all == []
    assert played.depart() == []


def test_automatic_fetches_once_and_installs_on_quitting() -> None:
    """Without opening the window again, which the person has just closed."""
    played = Played("automatic")
    played.updating.hear(NEWS)
    played.updating.hear(NEWS)
    assert len(played.wishes.of(GetUpdate)) == 1
    assert played.notices == []
    played.updating.hear(READY)
    assert played.depart() == [COMMAND]


@pytest.mark.parametrize("end", [Refused(words="No line."), Cancelled()])
def test_a_download_that_failed_is_tried_again_at_the_next_look(end: Refused | Cancelled) -> None:
    """Without a restart; what becomes of other requests is not ours."""
    played = Played("automatic")
    played.updating.hear(NEWS)
    number = played.wishes.last(GetUpdate).id
    played.updating.hear(replace(end, id=number + 1))
    played.updating.hear(NEWS)
    assert len(played.wishes.of(GetUpdate)) == 1
    played.updating.hear(replace(end, id=number))
    played.updating.hear(NEWS)
    assert len(played.wishes.of(GetUpdate)) == 2
    played.updating.hear(READY)
    assert played.depart() == [COMMAND]


def test_whoever_changes_their_mind_gets_nothing_installed() -> None:
    """Also where it was fetched already."""
    played = Played("automatic")
    played.updating.hear(READY)
    played.set("notify")
    assert played.depart() == []


def test_what_the_person_asked_for_is_started() -> None:
    """In place of what would have been installed quietly."""
    played = Played("automatic")
    played.updating.hear(READY)
    played.updating.leave_for((*COMMAND, "--start"))
    assert played.depart() == [(*COMMAND, "--start")]


def test_nothing_is_started_while_the_computer_shuts_down() -> None:
    """It would be cut off half-way."""
    played = Played("automatic")
    played.updating.hear(READY)
    played.updating.forget()
    assert played.depart() == []


def test_what_others_update_is_left_alone() -> None:
    """Whatever such an answer says besides."""
    played = Played("automatic")
    other = UpdatesShown(
        installed="0.1.0", kind="deb", place="/x", obstacle="system", newest="0.2.0", is_news=True
    )
    played.updating.hear(other)
    assert played.wishes.all == []


def test_a_program_that_is_not_there_is_not_started() -> None:
    """And nothing else happens."""
    assert not start_detached(("/nowhere/at/all", "x"))
