"""The page *Swarm*: who is here, which swarm it is, and how others come along."""

import msgspec
from PySide6.QtGui import QHideEvent

from app.backend.changeover import Changeover
from app.backend.request_numbers import new_number
from app.pages.page import Page
from app.pages.swarm.found_card import FoundCard
from app.pages.swarm.host_card import HostCard
from app.pages.swarm.hubs_card import HubsCard
from app.pages.swarm.invitation import invitation
from app.pages.swarm.invite_card import InviteCard
from app.pages.swarm.join_card import JoinCard
from app.pages.swarm.own_card import OwnCard
from app.pages.swarm.people_card import PeopleCard
from app.pages.swarm.spread import Spread
from app.pages.swarm.view_model import swarm_view_model
from app.state.app_state import AppState
from app.state.intents import Change, Keep
from app.state.model_choices import ModelChoice, load_known
from app.state.swarm_changes import (
    blocking,
    going_to,
    hosting,
    leaving_out,
    meeting_at,
    moving_to,
    name_of,
)
from app.style.theme import Palette
from app.text.error_words import told
from core.api.protocol import AnyAnswer
from core.api.requests import Refused
from core.api.swarm import InviteMade, InviteShown, ShowSwarm, SwarmShown
from core.api.swarm_view import Block, WatchSwarm
from core.errors import ModelError


class SwarmPage(Page):
    """A function of ``AppState`` and of what the helper says; emits what the person wants."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        del palette
        self.setProperty("role", "page")
        self._state: AppState | None = None
        self._models = _known_models()
        self._shown: SwarmShown | None = None
        self._invited = 0  # number of the request for an invite to the own swarm
        self._is_watching = False
        self._changeover = Changeover()  # of the same model to another swarm
        self._people, self._hubs, self._host = PeopleCard(), HubsCard(), HostCard()
        self._own, self._invite = OwnCard(), InviteCard()
        self._join, self._found = JoinCard(), FoundCard()
        self._spread = Spread(
            self,
            left=(self._people, self._hubs, self._host),
            right=(self._own, self._invite, self._join, self._found),
        )
        self._connect()

    def opened(self) -> None:
        """Ask for what the settings name, and have the engine tell who is there."""
        self._draw()
        self._look_up()
        self._watch()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Nobody watches any more."""
        super().hideEvent(event)
        self._watch()

    def show_state(self, state: AppState) -> None:
        """Draw ``state``."""
        before, self._state = self._state, state
        if before is not None and before.settings.swarm != state.settings.swarm:
            self._look_up()
        self._changeover.show_state(state)
        self._watch()
        self._draw()

    def hear(self, answer: AnyAnswer) -> None:
        """Take what the helper says."""
        if isinstance(answer, SwarmShown):
            self._shown = answer
            self._own.show_swarm(answer)
        elif answer.id == self._invited and isinstance(answer, InviteMade):
            self._present(answer)
        elif answer.id == self._invited and isinstance(answer, Refused):
            self._own.show_trouble(told(answer))
        for card in (self._hubs, self._join, self._found, self._host):
            card.hear(answer)
        self._draw()

    def take(self, subject: str) -> None:
        """Show what an invite says, and offer to join."""
        self._join.fill_in(subject)
        self._spread.bring_up(self._join)

    def _look_up(self) -> None:
        if self.isVisible():
            self.asked.emit(ShowSwarm())

    def _watch(self) -> None:
        """Have the engine tell who is there while this page is seen, in every run anew."""
        state = self._state
        is_told = state is not None and state.is_running
        practises = state is not None and state.node.activity in ("practising", "paused")
        wanted = self.isVisible() and is_told and practises
        if wanted != self._is_watching:
            self._is_watching = wanted
            if is_told:
                self.asked.emit(WatchSwarm(on=wanted))

    def _draw(self) -> None:
        state, shown = self._state, self._shown
        if state is None or not self.isVisible():  # ``opened`` draws what was missed
            return
        looks = swarm_view_model(state, shown, self._models)
        self._spread.show_words(looks.headline, looks.detail)
        self._people.show_people(looks.people, looks.people_hint)
        self._hubs.show_hubs(looks.hubs, looks.hubs_hint)
        self._host.show_settings(state.settings)
        self._own.show_lateness(
            is_late=_is_elsewhere(state, shown), is_changing=self._changeover.is_under_way
        )
        made = self._invite.invite
        if made is not None:
            self._invite.show_invite(made, is_own=_leads_home(made, shown))

    def _present(self, made: InviteMade) -> None:
        self._own.show_trouble("")
        self._invite.show_invite(made, is_own=_leads_home(made, self._shown))
        self._spread.bring_up(self._invite)

    def _ask_for_invite(self) -> None:
        if self._state is not None and self._shown is not None:
            self._invited = new_number()
            request = invitation(self._state.settings.swarm, self._shown, self._host.hub)
            self.asked.emit(msgspec.structs.replace(request, id=self._invited))

    def _change_over(self) -> None:
        if self._state is not None:
            model = self._state.node.model
            self._changeover.begin(lambda _: model)

    def _block(self, peer: str, on: bool) -> None:  # noqa: FBT001 - a signal passes it so
        self._keep(blocking(peer, on=on))
        if self._state is not None and self._state.is_running:
            self.asked.emit(Block(peer=peer, on=on))

    def _move(self, found: InviteShown | InviteMade) -> None:
        """Practise there: at once where nothing runs; a run that goes on can change over."""
        self._keep(moving_to(found.swarm, found.link))
        state = self._state
        if state is not None and state.settings.window.consent and not state.is_running:
            # The setting may not have been written: the wish itself says where.
            there = name_of(found.swarm, found.link)
            self.asked.emit(msgspec.structs.replace(state.join, swarm=there))

    def _keep(self, change: Change) -> None:
        self.asked.emit(Keep(change))

    def _connect(self) -> None:
        self._changeover.asked.connect(self.asked)
        self._people.block_asked.connect(self._block)
        self._hubs.asked.connect(self.asked)
        self._hubs.addition_asked.connect(lambda url: self._keep(meeting_at(url)))
        self._hubs.removal_asked.connect(lambda url: self._keep(leaving_out(url)))
        self._host.asked.connect(self.asked)
        self._host.chosen.connect(lambda chosen: self._keep(hosting(chosen)))
        self._host.invite_asked.connect(self._ask_for_invite)
        self._host.use_asked.connect(lambda url: self._keep(meeting_at(url)))
        self._own.invite_asked.connect(self._ask_for_invite)
        self._own.change_asked.connect(self._change_over)
        self._own.return_asked.connect(lambda name: self._keep(going_to(name)))
        self._invite.join_asked.connect(self._move)
        self._join.asked.connect(self.asked)
        self._join.join_asked.connect(self._move)
        self._found.asked.connect(self.asked)
        self._found.made.connect(self._present)


def _known_models() -> tuple[ModelChoice, ...]:
    try:
        return load_known()
    except ModelError:  # it was there at the start; without it, names have to do
        return ()


def _is_elsewhere(state: AppState, shown: SwarmShown | None) -> bool:
    """The running node is in another swarm than the settings name."""
    seen = state.node.seen
    if shown is None or seen is None or not (state.is_running and seen.swarm):
        return False
    return seen.swarm != shown.swarm.wire


def _leads_home(made: InviteMade, shown: SwarmShown | None) -> bool:
    return shown is not None and made.swarm.wire == shown.swarm.wire
