"""The page as a whole: a function of what engine and helper say, usable by everybody."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import msgspec
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.pages.swarm.host_card import HostCard
from app.pages.swarm.page import SwarmPage
from app.state.app_state import AppState
from app.state.intents import Keep, SharedDeck
from app.style.appearance import Appearance
from app.style.theme import LIGHT
from core.api.decks import AdoptDecks, DeckOffered, FetchDecks
from core.api.events import Finish, Join
from core.api.requests import Cancel, Cancelled, Done, Refused, Reply
from core.api.swarm import (
    BlockedPeer,
    DoubtfulHub,
    HubChecked,
    InviteShown,
    LeavingDecks,
    MakeInvite,
    ShowInvite,
    ShowSwarm,
    SwarmShown,
)
from core.api.swarm_view import Block, WatchSwarm
from core.settings import SwarmSettings, WindowSettings
from tests.app.pages.practice.deck_samples import WORDS
from tests.app.pages.swarm.samples import (
    ANNE,
    CLASS,
    CLASS_SHOWN,
    HUB,
    MADE,
    OPEN,
    SEEN,
    SHOWN,
    idle,
    practising,
)
from tests.app.reading import clipped, text
from tests.fake_actions import FakeActions

SMALLEST = QSize(732, 600)  # what the rail leaves of 900 x 600
Kind = TypeVar("Kind")


class Visit:
    """The page, shown, with all that it asked for."""

    def __init__(self, page: SwarmPage, actions: FakeActions, first: Reply | None = SHOWN) -> None:
        self.page, self.actions = page, actions
        self.asked, self.wishes, self.kept = actions.all, actions.of, actions.kept
        page.show_state(idle())
        page.resize(SMALLEST)
        page.show()
        if first is not None:
            actions.reply(first)

    def click(self, text: str) -> None:
        """Press the one button of these words."""
        QApplication.processEvents()  # what is new gets its place
        buttons = self.page.findChildren(QPushButton)
        (found,) = [one for one in buttons if one.accessibleName() == text and one.isVisible()]
        QTest.mouseClick(found, Qt.MouseButton.LeftButton)

    def texts(self) -> str:
        QApplication.processEvents()  # likewise
        return text(self.page)


@pytest.fixture
def visit(actions: FakeActions, appearance: Appearance, qtbot: QtBot) -> Visit:
    page = SwarmPage(appearance.palette, actions)
    appearance.dress(page)
    qtbot.addWidget(page)
    return Visit(page, actions)


def agreed(state: AppState) -> AppState:
    window = WindowSettings(consent=True)
    return replace(state, settings=msgspec.structs.replace(state.settings, window=window))


def ended(state: AppState) -> AppState:
    return replace(state, node=replace(state.node, activity="stopped"))


def test_coming_into_view_asks_for_what_is_shown(visit: Visit) -> None:
    """Each time."""
    assert len(visit.wishes(ShowSwarm)) == 1
    visit.page.hide()
    visit.page.show()
    assert len(visit.wishes(ShowSwarm)) == 2


def test_the_engine_is_asked_to_tell_only_while_the_page_is_seen(visit: Visit) -> None:
    """Nothing floods the pipe for nobody."""
    assert visit.wishes(WatchSwarm) == []
    visit.page.show_state(practising())
    visit.page.show_state(practising(peers=4))
    visit.page.hide()
    visit.page.show()
    assert [one.on for one in visit.wishes(WatchSwarm)] == [True, False, True]


def test_every_run_is_asked_anew(visit: Visit) -> None:
    """A new engine knows nothing of who watched the one before."""
    state = practising()
    visit.page.show_state(state)
    loading = replace(state, node=replace(state.node, activity="loading"))
    visit.page.show_state(loading)
    visit.page.show_state(state)
    assert [one.on for one in visit.wishes(WatchSwarm)] == [True, False, True]


def test_a_hidden_page_watches_nothing(visit: Visit) -> None:
    """Whatever begins to run meanwhile."""
    visit.page.hide()
    visit.page.show_state(practising())
    assert visit.wishes(WatchSwarm) == []


def test_blocking_is_kept_and_obeyed_at_once(visit: Visit) -> None:
    """By the settings for later, by the engine for now."""
    visit.page.show_state(practising())
    visit.click("Block: amber-finch-27")
    assert visit.kept().swarm.blocked == (ANNE,)
    assert visit.wishes(Block) == [Block(peer=ANNE, on=True)]


def test_unblocking_needs_no_engine(visit: Visit) -> None:
    """While nothing practises it is kept, and that is all."""
    visit.page.show_state(idle(SwarmSettings(blocked=(ANNE,))))
    blocked = (BlockedPeer(ANNE, "amber-finch-27"),)
    visit.actions.reply(msgspec.structs.replace(SHOWN, blocked=blocked))
    visit.click("Unblock: amber-finch-27")
    assert visit.wishes(Block) == []
    assert len(visit.wishes(Keep)) == 1


def test_a_changed_swarm_is_looked_up_again(visit: Visit) -> None:
    """Only the helper can read a link."""
    visit.page.show_state(idle(SwarmSettings(name="pond")))
    assert len(visit.wishes(ShowSwarm)) == 2
    visit.actions.reply(CLASS_SHOWN)
    assert "our-class" in visit.texts()


def test_an_invite_of_others_leads_to_their_swarm(visit: Visit) -> None:
    """Pasted, read, joined: kept for the next run."""
    visit.page.take("waggle://join/abc")
    assert len(visit.wishes(ShowInvite)) == 1
    visit.actions.reply(InviteShown(link="waggle://join/abc", swarm=CLASS))
    visit.click("Join this swarm")
    assert visit.kept().swarm.name == "waggle://join/abc"
    assert visit.wishes(Join) == [], "nobody has agreed to share anything"


def test_an_invite_to_an_inner_address_changes_nothing_before_a_yes(visit: Visit) -> None:
    """Though it was opened as a link: nothing is kept, and nothing that runs hears of it."""
    visit.page.take("waggle://join/abc")
    doubtful = (DoubtfulHub("http://192.168.1.1/cgi/reboot", "own_network"),)
    visit.actions.reply(InviteShown(link="waggle://join/abc", swarm=CLASS, doubtful=doubtful))
    visit.click("Join this swarm")
    assert visit.wishes(Keep) == []
    assert visit.wishes(Join) == []
    visit.click("Connect")
    assert visit.kept().swarm.name == "waggle://join/abc"


def join(visit: Visit) -> None:
    visit.page.take("waggle://join/abc")
    visit.actions.reply(InviteShown(link="waggle://join/abc", swarm=CLASS))
    visit.click("Join this swarm")


def test_joining_begins_where_nothing_runs(visit: Visit) -> None:
    """In the swarm that was chosen, even where it could not be kept for the next time."""
    state = agreed(idle())
    visit.page.show_state(state)
    join(visit)
    assert [type(one) for one in visit.asked][-2:] == [Keep, Join]
    assert visit.wishes(Join) == [Join(model=state.chosen, swarm="waggle://join/abc")]


def test_joining_leaves_what_runs_alone(visit: Visit) -> None:
    """It changes over when the person says so."""
    visit.page.show_state(agreed(practising()))
    join(visit)
    assert visit.wishes(Join) == []
    visit.actions.reply(CLASS_SHOWN)
    assert "Change over now" in [one.text() for one in visit.page.findChildren(QPushButton)]


def test_a_run_changes_over_after_its_round(visit: Visit) -> None:
    """It is finished, and begun again with the same model when it has ended."""
    visit.page.show_state(practising())
    visit.actions.reply(CLASS_SHOWN)
    visit.click("Change over now")
    assert visit.wishes(Finish) == [Finish()]
    visit.page.show_state(practising())
    assert visit.wishes(Join) == []
    visit.page.show_state(ended(practising()))
    QApplication.processEvents()
    assert visit.wishes(Join) == [Join(model="spark")]


def test_others_are_invited_by_a_link(visit: Visit) -> None:
    """To the swarm of the settings, by its meeting points."""
    visit.page.show_state(practising(swarm=SwarmSettings(hubs=(HUB,))))
    visit.click("Invite others")
    (asked,) = visit.wishes(MakeInvite)
    assert (asked.swarm, asked.hubs) == ("meadow", (HUB,))
    visit.actions.reply(MADE)
    assert "Invite to our-class" in visit.texts()


def test_why_there_is_no_invite_is_said_where_it_was_asked_for(visit: Visit) -> None:
    """In the words of the helper."""
    visit.click("Invite others")
    visit.actions.reply(Refused(words="'x' is no address of a meeting point."))
    assert "is no address of a meeting point" in visit.texts()


def test_a_swarm_that_cannot_be_looked_up_is_no_silence(actions: FakeActions, qtbot: QtBot) -> None:
    """Why is said, and pressing the button looks once more, until the swarm is known."""
    page = SwarmPage(LIGHT, actions)
    qtbot.addWidget(page)
    visit = Visit(page, actions, Refused(id=1, words="The settings cannot be read."))
    assert "The settings cannot be read." in visit.texts()
    visit.click("Invite others")
    assert len(visit.wishes(ShowSwarm)) == 2
    actions.reply(SHOWN)
    assert "The settings cannot be read." not in visit.texts()
    assert len(visit.wishes(MakeInvite)) == 1
    actions.reply(MADE)


def test_an_invite_that_is_wanted_early_is_made_once_the_swarm_is_known(
    actions: FakeActions, qtbot: QtBot
) -> None:
    """The helper may take a while to answer; no press of a button is lost."""
    page = SwarmPage(LIGHT, actions)
    qtbot.addWidget(page)
    visit = Visit(page, actions, None)
    visit.click("Invite others")
    assert visit.wishes(MakeInvite) == []
    actions.reply(SHOWN)
    assert len(visit.wishes(MakeInvite)) == 1


def test_what_an_earlier_look_up_failed_by_is_taken_back(visit: Visit) -> None:
    """Once the swarm is known again."""
    visit.page.hide()
    visit.page.show()
    unread = Refused(id=visit.wishes(ShowSwarm)[-1].id, words="The settings cannot be read.")
    visit.actions.reply(unread)
    assert "The settings cannot be read." in visit.texts()
    visit.page.hide()
    visit.page.show()
    visit.actions.reply(SHOWN)
    assert "The settings cannot be read." not in visit.texts()


def test_an_invite_that_was_wanted_in_vain_is_not_made_later(
    actions: FakeActions, qtbot: QtBot
) -> None:
    """Why there is none was said; the person would no longer expect it."""
    page = SwarmPage(LIGHT, actions)
    qtbot.addWidget(page)
    visit = Visit(page, actions, None)
    visit.click("Invite others")
    unread = Refused(id=visit.wishes(ShowSwarm)[-1].id, words="The settings cannot be read.")
    actions.reply(unread)
    assert "The settings cannot be read." in visit.texts()
    page.hide()
    page.show()
    actions.reply(SHOWN)
    assert visit.wishes(MakeInvite) == []


def test_a_look_that_fails_ends_no_invite(visit: Visit) -> None:
    """It is made all the same, can be cancelled until then, and is no second time asked for."""
    leaving(visit)
    visit.page.show_state(idle(SwarmSettings(name="pond")))
    unread = Refused(id=visit.wishes(ShowSwarm)[-1].id, words="The settings cannot be read.")
    visit.actions.reply(unread)
    assert "The settings cannot be read." in visit.texts()
    visit.click("Invite others")  # which does nothing
    assert len(visit.wishes(MakeInvite)) == 1
    visit.click("Cancel")
    (asked,) = visit.wishes(MakeInvite)
    assert visit.wishes(Cancel)[-1] == Cancel(request=asked.id)


def test_a_new_swarm_is_joined_by_whoever_made_it(visit: Visit) -> None:
    """If they want to."""
    name = next(
        line for line in visit.page.findChildren(QLineEdit) if line.accessibleName() == "Its name"
    )
    QTest.keyClicks(name, "our-class")
    visit.click("Make the invite")
    visit.actions.reply(MADE)
    visit.click("Join it yourself")
    assert visit.kept().swarm.name == MADE.link
    visit.actions.reply(CLASS_SHOWN)
    assert "Join it yourself" not in [
        one.text() for one in visit.page.findChildren(QPushButton) if one.isVisible()
    ]


def test_the_own_meeting_point_is_named_in_invites_and_used(visit: Visit) -> None:
    """With its id; the own model finds it on this computer."""
    switch = next(
        one
        for one in visit.page.findChildren(QAbstractButton)
        if one.text() == "Open one on this computer"
    )
    switch.click()
    visit.actions.reply(OPEN)
    visit.click("Invite others to it")
    assert visit.wishes(MakeInvite)[0].hubs[0] == f"{OPEN.addresses[0]}#{OPEN.peer}"
    visit.click("Meet others there, too")
    assert visit.kept().swarm.hubs == ("http://127.0.0.1:8765",)


def test_a_meeting_point_is_added_removed_and_brought_back(visit: Visit) -> None:
    """By its address; each step is kept."""
    line = next(
        line
        for line in visit.page.findChildren(QLineEdit)
        if line.accessibleName() == "Add one by its address"
    )
    QTest.keyClicks(line, HUB)
    visit.click("Add this meeting point")
    visit.actions.reply(HubChecked(url=HUB))
    assert visit.kept().swarm.hubs == (HUB,)
    visit.page.show_state(idle(visit.kept().swarm))
    visit.click(f"Remove {HUB}")
    assert visit.kept().swarm.hubs == ()
    visit.page.show_state(idle(visit.kept().swarm))
    visit.click("Bring it back")
    assert visit.kept().swarm.hubs == (HUB,)


def full(visit: Visit) -> None:
    visit.page.show_state(practising(swarm=SwarmSettings(hubs=(HUB,))))
    visit.actions.reply(CLASS_SHOWN)


def with_invite(visit: Visit) -> None:
    visit.click("Invite others")
    visit.actions.reply(MADE)


def leaving(visit: Visit) -> None:
    visit.click("Invite others")
    visit.actions.reply(LeavingDecks(done=0, total=1))


def hosting(visit: Visit) -> None:
    full(visit)
    next(
        one
        for one in visit.page.findChildren(QAbstractButton)
        if one.text() == "Open one on this computer"
    ).click()
    visit.actions.reply(OPEN)


def nothing(visit: Visit) -> None:
    assert visit.page.isVisible()


SCENES: list[Callable[[Visit], None]] = [nothing, full, with_invite, leaving, hosting]


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_is_clipped_in_the_smallest_window(
    visit: Visit, scene: Callable[[Visit], None]
) -> None:
    """Every text has the room that it needs, and nothing scrolls sideways."""
    scene(visit)
    for _ in range(5):  # heights follow from widths, inside out
        QApplication.processEvents()
    area = visit.page.findChild(QScrollArea)
    assert area is not None
    assert area.horizontalScrollBar().maximum() == 0
    assert clipped(visit.page) == []


@pytest.mark.parametrize("scene", SCENES)
def test_every_control_has_a_name_and_can_be_reached(
    visit: Visit, scene: Callable[[Visit], None]
) -> None:
    """A screen reader can say what each control is; Tab gets there."""
    scene(visit)
    controls: list[QWidget] = [
        *visit.page.findChildren(QAbstractButton),
        *visit.page.findChildren(QLineEdit),
    ]
    for control in controls:
        if control.isVisible():
            assert control.accessibleName()
            assert control.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_who_is_told_of_again_keeps_the_row(visit: Visit) -> None:
    """Nothing is built anew every few seconds."""
    visit.page.show_state(practising())
    QApplication.processEvents()
    rows = visit.page.findChildren(QLabel)
    visit.page.show_state(practising(msgspec.structs.replace(SEEN, peers=SEEN.peers[::-1])))
    QApplication.processEvents()
    assert visit.page.findChildren(QLabel) == rows


DECKS = msgspec.structs.replace(CLASS, decks=1)
INVITE = InviteShown(link="waggle://join/decks", swarm=DECKS, missing=1)


def offered(visit: Visit, invite: InviteShown = INVITE) -> None:
    """A link to decks that are not here was opened, and all of them came."""
    visit.page.take(invite.link)
    visit.actions.reply(invite)
    visit.click("See its puzzles")
    visit.actions.reply(DeckOffered(deck=WORDS, questions=()))
    visit.actions.reply(Done(id=visit.wishes(FetchDecks)[-1].id))


def test_decks_are_seen_and_agreed_to_before_the_swarm_is_joined(visit: Visit) -> None:
    """Then they are kept, and practice begins there."""
    visit.page.show_state(agreed(idle()))
    offered(visit)
    assert "German words" in visit.texts()
    assert visit.wishes(Keep) == []
    assert visit.wishes(AdoptDecks) == []
    visit.click("Practise these")
    assert visit.wishes(AdoptDecks)[-1].link == INVITE.link
    assert visit.wishes(Keep) == []
    visit.actions.reply(Done(id=visit.wishes(AdoptDecks)[-1].id))
    assert visit.kept().swarm.name == INVITE.link
    assert visit.wishes(Join)[-1].swarm == INVITE.link
    assert "German words" not in visit.texts()


def test_whoever_does_not_agree_joins_nothing(visit: Visit) -> None:
    """Nothing is kept, and the cards are back, with the invite."""
    offered(visit)
    visit.click("Not now")
    assert visit.wishes(Keep) == []
    assert visit.wishes(AdoptDecks) == []
    assert "German words" not in visit.texts()
    visit.click("See its puzzles")


def test_an_inner_address_is_asked_about_before_decks_are_fetched_there(visit: Visit) -> None:
    """Fetching is connecting, too."""
    doubtful = (DoubtfulHub("http://192.168.1.5:8765", "own_network"),)
    visit.page.take(INVITE.link)
    visit.actions.reply(msgspec.structs.replace(INVITE, doubtful=doubtful))
    visit.click("See its puzzles")
    assert visit.wishes(FetchDecks) == []
    visit.click("Connect")
    assert [one.link for one in visit.wishes(FetchDecks)] == [INVITE.link]


def test_another_invite_takes_the_place_of_one_that_is_looked_at(visit: Visit) -> None:
    """Nobody agrees to decks of an invite that they no longer look at."""
    offered(visit)
    visit.page.take("waggle://join/other")
    assert "German words" not in visit.texts()
    assert visit.wishes(ShowInvite)[-1].link == "waggle://join/other"


def test_decks_of_the_own_swarm_that_are_gone_can_be_seen_again(visit: Visit) -> None:
    """Without them no practice begins."""
    swarm = SwarmSettings(name=INVITE.link)
    visit.page.show_state(idle(swarm))
    visit.actions.reply(SwarmShown(swarm=DECKS, missing=1))
    visit.click("See its puzzles")
    assert visit.wishes(FetchDecks)[-1].link == INVITE.link


def test_a_deck_is_shared_by_the_card_that_founds_swarms(visit: Visit) -> None:
    """With a name that is like the deck's; the person is a member at once, if they want to be."""
    visit.page.show_state(agreed(idle(SwarmSettings(hubs=(HUB, "http://127.0.0.1:8765")))))
    visit.page.take(SharedDeck(WORDS.digest, WORDS.name))
    assert "It practises “German words” and nothing else." in visit.texts()
    visit.click("Make the invite")
    asked = visit.wishes(MakeInvite)[-1]
    assert (asked.swarm, asked.hubs, asked.is_private) == ("german-words", (HUB,), True)
    assert asked.decks == (WORDS.digest,)
    visit.actions.reply(msgspec.structs.replace(MADE, swarm=DECKS))
    assert "Invite to our-class" in visit.texts()
    assert visit.kept().swarm.name == MADE.link
    assert visit.wishes(Join)[-1].swarm == MADE.link


def test_the_meeting_point_on_this_computer_is_named_for_a_deck(visit: Visit) -> None:
    """Also where it is opened after the person asked to share."""
    visit.page.take(SharedDeck(WORDS.digest, WORDS.name))
    assert "Puzzles of your own are handed on by a meeting point" in visit.texts()
    host = visit.page.findChild(HostCard)
    assert host is not None
    (box,) = host.findChildren(QCheckBox)
    box.click()
    visit.actions.reply(OPEN)
    assert "Puzzles of your own are handed on by a meeting point" not in visit.texts()
    visit.click("Make the invite")
    named = visit.wishes(MakeInvite)[-1].hubs
    assert named == tuple(f"{one}#{OPEN.peer}" for one in OPEN.addresses)


def test_a_copy_of_an_invite_to_decks_says_that_it_takes_its_time(visit: Visit) -> None:
    """They are left where a meeting point is new."""
    visit.click("Invite others")
    visit.actions.reply(LeavingDecks(done=0, total=1))
    assert "Leaving the puzzles where others meet…" in visit.texts()
    visit.click("Invite others")  # which does nothing
    assert len(visit.wishes(MakeInvite)) == 1
    visit.actions.reply(MADE)
    visit.click("Invite others")


def test_a_copy_of_an_invite_to_decks_can_be_cancelled(visit: Visit) -> None:
    """Whichever button asked for it; until that is answered there is no second one."""
    visit.page.show_state(practising())
    visit.click("Invite others")
    visit.actions.reply(LeavingDecks(done=0, total=1))
    visit.click("Cancel")
    (asked,) = visit.wishes(MakeInvite)
    assert visit.wishes(Cancel) == [Cancel(request=asked.id)]
    visit.actions.reply(Cancelled(id=asked.id))
    assert "there is no invite" in visit.texts()
    visit.click("Invite others")
    assert len(visit.wishes(MakeInvite)) == 2
