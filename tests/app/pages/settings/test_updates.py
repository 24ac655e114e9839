"""The section Updates."""

from dataclasses import replace

import msgspec
import pytest
from PySide6.QtWidgets import QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.settings.updates import UpdatesSection
from app.state.intents import Keep, Quit
from app.style.theme import LIGHT
from core.api.events import Finish
from core.api.requests import Cancel, Cancelled, Refused
from core.api.updates import GetUpdate, LookForUpdate, ShowUpdates, UpdateProgress, UpdatesShown
from tests.app.reading import button, texts
from tests.fake_actions import FakeActions, state_of

NEWER = UpdatesShown(
    installed="0.1.0",
    place="/x",
    obstacle="none",
    newest="0.2.0",
    size=5,
    looked_at=9.0,
)
READY = msgspec.structs.replace(NEWER, command=("switch",), starting=("--start",))


@pytest.fixture
def section(actions: FakeActions, qtbot: QtBot) -> UpdatesSection:
    made = UpdatesSection(LIGHT, actions)
    qtbot.addWidget(made)
    made.show_state(state_of())
    return made


def learn(
    section: UpdatesSection, actions: FakeActions, shown: UpdatesShown, *, runs: bool = False
) -> None:
    """Let the helper say ``shown``: first the state has it, then whoever asked."""
    section.show_state(replace(state_of(runs=runs), updates=shown))
    if actions.all:
        actions.reply(shown)


@pytest.fixture
def wishes(section: UpdatesSection, actions: FakeActions) -> FakeActions:
    section.opened()
    learn(section, actions, NEWER)
    return actions


def test_opening_asks_nobody_outside(wishes: FakeActions, section: UpdatesSection) -> None:
    """It shows what is known."""
    assert [type(wish) for wish in wishes.all] == [ShowUpdates]
    assert "Waggle 0.2.0 is there. You have 0.1.0." in texts(section)


def test_looking_is_an_request(wishes: FakeActions, section: UpdatesSection) -> None:
    """Trouble is told in words, and another look can be taken."""
    look = button(section, "Look now")
    look.click()
    look.click()
    assert len(wishes.of(LookForUpdate)) == 1
    wishes.reply(Refused(words="Nobody answers."))
    assert any("Nobody answers." in text for text in texts(section))
    look.click()
    assert len(wishes.of(LookForUpdate)) == 2


def test_what_is_not_known_can_be_looked_up(actions: FakeActions, section: UpdatesSection) -> None:
    """Even where the helper could not say what it knows."""
    section.opened()
    actions.reply(Refused(id=actions.last(ShowUpdates).id, words="The helper is gone."))
    assert "Looking…" not in texts(section)
    button(section, "Look now").click()
    assert len(actions.of(LookForUpdate)) == 1


def test_the_keyboard_stays_with_what_was_pressed(
    wishes: FakeActions, section: UpdatesSection
) -> None:
    """It does not go on to the choice below, which a key would change."""
    look, get, cancel = (
        button(section, words) for words in ("Look now", "Install and open again", "Cancel")
    )
    section.show()
    look.setFocus()
    look.click()
    assert section.focusWidget() is look
    wishes.reply(msgspec.structs.replace(NEWER, id=wishes.last(LookForUpdate).id))
    get.setFocus()
    get.click()
    assert section.focusWidget() is cancel
    wishes.reply(Cancelled(id=wishes.last(GetUpdate).id))
    assert section.focusWidget() is get


def test_a_download_shows_how_far_it_has_come(wishes: FakeActions, section: UpdatesSection) -> None:
    """And can be cancelled; nothing is closed then."""
    button(section, "Install and open again").click()
    number = wishes.last(GetUpdate).id
    wishes.reply(UpdateProgress(stage="downloading", done=1, total=4))
    (bar,) = section.findChildren(QProgressBar)
    assert (bar.isVisibleTo(section), bar.value()) == (True, 250)
    button(section, "Cancel").click()
    assert wishes.last(Cancel).request == number
    wishes.reply(Cancelled())
    assert not bar.isVisibleTo(section)
    assert not button(section, "Cancel").isVisibleTo(section)
    assert wishes.of(Quit) == []


def test_where_nothing_runs_it_is_installed_at_once(
    wishes: FakeActions, section: UpdatesSection
) -> None:
    """Waggle ends, and what installs it opens the window again."""
    button(section, "Install and open again").click()
    learn(section, wishes, READY)
    assert wishes.of(Quit) == [Quit(then=("switch", "--start"))]
    assert wishes.of(Finish) == []


def test_a_round_is_finished_first(wishes: FakeActions, section: UpdatesSection) -> None:
    """Nothing is closed while one goes on."""
    section.show_state(state_of(runs=True))
    button(section, "Install and open again").click()
    learn(section, wishes, READY, runs=True)
    assert len(wishes.of(Finish)) == 1
    section.show_state(state_of(runs=True))
    assert wishes.of(Quit) == []
    assert any("This round is finished first" in text for text in texts(section))
    section.show_state(state_of())
    section.show_state(state_of())
    assert wishes.of(Quit) == [Quit(then=("switch", "--start"))]


def test_whoever_waits_for_the_round_can_cancel(
    wishes: FakeActions, section: UpdatesSection
) -> None:
    """Waggle stays open then; of the round it is said that practice stops after it, as it does."""
    section.show_state(state_of(runs=True))
    button(section, "Install and open again").click()
    learn(section, wishes, READY, runs=True)
    button(section, "Cancel").click()
    assert not any("then Waggle closes" in text for text in texts(section))
    assert any("Practice stops after the round" in text for text in texts(section))
    assert not button(section, "Cancel").isVisibleTo(section)
    assert button(section, "Install and open again").isEnabled()
    section.show_state(state_of())
    assert wishes.of(Quit) == []


def test_whoever_stays_when_asked_can_install_again(
    wishes: FakeActions, section: UpdatesSection
) -> None:
    """Closing may be refused once the round is over; nothing is promised any more then."""
    section.show_state(state_of(runs=True))
    button(section, "Install and open again").click()
    learn(section, wishes, READY, runs=True)
    section.show_state(state_of())
    assert not any("This round is finished first" in text for text in texts(section))
    assert button(section, "Install and open again").isEnabled()


def test_where_others_update_it_there_is_no_button(
    section: UpdatesSection, actions: FakeActions
) -> None:
    """Only words."""
    section.opened()
    deb = UpdatesShown(installed="0.1.0", place="/x", obstacle="system")
    learn(section, actions, deb)
    assert [b for b in section.findChildren(QPushButton) if b.isVisibleTo(section)] == []
    assert any("package manager" in text for text in texts(section))


def test_what_was_asked_before_does_not_hide_the_way_to_cancel(
    section: UpdatesSection, actions: FakeActions
) -> None:
    """The helper may answer a look at what is known when a download is under way already."""
    learn(section, actions, NEWER)
    section.opened()
    button(section, "Install and open again").click()
    known, getting = actions.last(ShowUpdates).id, actions.last(GetUpdate).id
    actions.reply(msgspec.structs.replace(NEWER, id=known))
    assert button(section, "Cancel").isVisibleTo(section)
    assert not button(section, "Install and open again").isEnabled()
    actions.reply(Cancelled(id=getting))
    assert not button(section, "Cancel").isVisibleTo(section)
    assert button(section, "Install and open again").isEnabled()


def test_what_is_ready_is_not_fetched_again_while_a_round_ends(
    wishes: FakeActions, section: UpdatesSection
) -> None:
    """Whatever others are told meanwhile."""
    section.show_state(state_of(runs=True))
    button(section, "Install and open again").click()
    learn(section, wishes, READY, runs=True)
    section.show_state(replace(state_of(runs=True), updates=NEWER))
    assert not button(section, "Install and open again").isEnabled()
    assert not button(section, "Look now").isEnabled()


def test_a_newer_release_is_no_news_once_it_was_seen(
    section: UpdatesSection, actions: FakeActions, qtbot: QtBot
) -> None:
    """Only where the card is shown, and it is kept but once."""
    learn(section, actions, NEWER)
    assert actions.of(Keep) == []
    with qtbot.waitExposed(section):
        section.show()
    settings = actions.kept()
    assert settings.updates.seen == "0.2.0"
    learn(section, actions, NEWER)  # as where nothing can be written
    section.show_state(replace(state_of(settings), updates=NEWER))
    assert len(actions.of(Keep)) == 1
