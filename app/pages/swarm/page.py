"""The page *Swarm*: who is here, which swarm it is, and how others come along."""

import msgspec
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QStackedWidget

from app.backend.actions import Actions
from app.backend.changeover import Changeover
from app.backend.helper_call import HelperCall
from app.backend.latest_call import LatestCall
from app.pages.page import Page
from app.pages.swarm.found_card import FoundCard
from app.pages.swarm.host_card import HostCard
from app.pages.swarm.hubs_card import HubsCard
from app.pages.swarm.invitation import invitation, meeting_points
from app.pages.swarm.invite_card import InviteCard
from app.pages.swarm.join_card import JoinCard
from app.pages.swarm.offer_view import OfferView
from app.pages.swarm.own_card import OwnCard
from app.pages.swarm.people_card import PeopleCard
from app.pages.swarm.spread import Spread
from app.pages.swarm.view_model import swarm_view_model
from app.state.app_state import AppState
from app.state.intents import Change, Keep, SharedDeck, Subject
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
from app.widgets.basics import bare_column
from core.api.requests import Refused
from core.api.swarm import InviteMade, InviteShown, LeavingDecks, ShowSwarm, SwarmShown
from core.api.swarm_view import Block, WatchSwarm
from core.errors import ModelError


class SwarmPage(Page):
    """A function of ``AppState`` and of what the helper replies."""

    def __init__(self, palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        del palette
        self.setProperty("role", "page")
        self._state: AppState | None = None
        self._models = _known_models()
        self._shown: SwarmShown | None = None
        self._is_unknown = False  # the last look-up failed, and why is said
        self._is_watching = self._wants_invite = False  # an invite, once the swarm is known
        self._looking = LatestCall(actions)  # at what the settings name
        self._call: HelperCall | None = None  # the invite that is being made
        self._changeover = Changeover(actions)  # of the same model to another swarm
        self._people, self._hubs = PeopleCard(self._block), HubsCard(actions)
        self._host = HostCard(actions, self._ask_for_invite)
        self._own = OwnCard(
            self._ask_for_invite, self._on_cancel, self._change_over, self._look_at_own
        )
        self._invite = InviteCard()
        self._join, self._found = JoinCard(actions), FoundCard(actions)
        self._spread = Spread(
            left=(self._people, self._hubs, self._host),
            right=(self._own, self._invite, self._join, self._found),
        )
        self._offer = OfferView(actions)
        self._stack = QStackedWidget()
        bare_column(self).addWidget(self._stack)
        for view in (self._spread, self._offer):
            self._stack.addWidget(view)
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

    def take(self, subject: Subject) -> None:
        """Show what an invite says, and offer to join; or make one to a deck."""
        self._offer.leave()  # an answer to another invite counts for none
        if isinstance(subject, SharedDeck):
            self._found.share(subject)
            self._spread.bring_up(self._found)
        else:
            self._join.fill_in(subject)
            self._spread.bring_up(self._join)

    def _look_up(self) -> None:
        if self.isVisible():
            self._looking.make(ShowSwarm(), self._on_shown, self._on_unknown)

    def _on_shown(self, shown: SwarmShown) -> None:
        if (self._shown is None or self._is_unknown) and self._call is None:
            self._own.show_trouble("")  # of the time before
        self._is_unknown = False
        self._shown = shown
        self._own.show_swarm(shown)
        self._draw()
        if self._wants_invite:
            self._ask_for_invite()

    def _on_unknown(self, why: Refused) -> None:
        self._wants_invite = False
        self._is_unknown = True
        self._own.show_trouble(told(why))

    def _watch(self) -> None:
        """Have the engine tell who is there while this page is seen, in every run anew."""
        state = self._state
        is_told = state is not None and state.is_running
        practises = state is not None and state.node.activity in ("practising", "paused")
        wanted = self.isVisible() and is_told and practises
        if wanted != self._is_watching:
            self._is_watching = wanted
            if is_told:
                self._actions.dispatch(WatchSwarm(on=wanted))

    def _draw(self) -> None:
        state, shown = self._state, self._shown
        if state is None or not self.isVisible():  # ``opened`` draws what was missed
            return
        looks = swarm_view_model(state, shown, self._models)
        self._spread.show_words(looks.headline, looks.detail)
        self._people.show_people(looks.people, looks.people_hint)
        self._hubs.show_hubs(looks.hubs, looks.hubs_hint)
        self._host.show_settings(state.settings)
        self._found.show_hubs(meeting_points(state.settings.swarm, self._host.hub))
        self._own.show_lateness(
            is_late=_is_elsewhere(state, shown), is_changing=self._changeover.is_under_way
        )
        made = self._invite.invite
        if made is not None:
            self._invite.show_invite(made, is_own=_leads_home(made, shown))

    def _look_at(self, invite: InviteShown) -> None:
        """Show the decks of ``invite`` in place of the cards."""
        self._stack.setCurrentWidget(self._offer)
        self._offer.begin(invite)

    def _look_at_own(self) -> None:
        if self._state is not None and self._shown is not None:
            link, shown = self._state.settings.swarm.name, self._shown
            self._look_at(InviteShown(link=link, swarm=shown.swarm, missing=shown.missing))

    def _on_agreed(self, invite: InviteShown) -> None:
        self._join.clear()
        self._go_back()
        self._move(invite)
        self._look_up()

    def _go_back(self) -> None:
        self._stack.setCurrentWidget(self._spread)
        self._join.setFocus()

    def _on_leaving(self, _progress: LeavingDecks) -> None:
        self._own.show_making(is_making=True)

    def _on_made(self, made: InviteMade) -> None:
        self._end_making("")
        self._present(made)

    def _present(self, made: InviteMade) -> None:
        self._invite.show_invite(made, is_own=_leads_home(made, self._shown))
        self._spread.bring_up(self._invite)

    def _ask_for_invite(self) -> None:
        self._wants_invite = self._shown is None
        if self._shown is None:
            self._look_up()
        elif self._call is None and self._state is not None:
            request = invitation(self._state.settings.swarm, self._shown, self._host.hub)
            self._call = call = self._actions.call(request)
            call.progress.connect(self._on_leaving)
            call.done.connect(self._on_made)
            call.refused.connect(self._on_refused)
            call.cancelled.connect(self._on_cancelled)

    def _on_cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()

    def _on_cancelled(self) -> None:
        self._end_making(self.tr("That was ended; there is no invite."))

    def _on_refused(self, why: Refused) -> None:
        self._end_making(told(why))

    def _end_making(self, trouble: str) -> None:
        self._call = None
        self._own.show_making(is_making=False)
        self._own.show_trouble(trouble)

    def _change_over(self) -> None:
        if self._state is not None:
            model = self._state.node.model
            self._changeover.begin(lambda _: model)

    def _block(self, peer: str, on: bool) -> None:  # noqa: FBT001 - a button passes it so
        self._keep(blocking(peer, on=on))
        if self._state is not None and self._state.is_running:
            self._actions.dispatch(Block(peer=peer, on=on))

    def _move(self, found: InviteShown | InviteMade) -> None:
        """Practise there: at once where nothing runs; a run that goes on can change over."""
        self._keep(moving_to(found.swarm, found.link))
        state = self._state
        if state is not None and state.settings.window.consent and not state.is_running:
            # The setting may not have been written: the wish itself says where.
            there = name_of(found.swarm, found.link)
            self._actions.dispatch(msgspec.structs.replace(state.join, swarm=there))

    def _keep(self, change: Change) -> None:
        self._actions.dispatch(Keep(change))

    def _connect(self) -> None:
        self._hubs.addition_asked.connect(lambda url: self._keep(meeting_at(url)))
        self._hubs.removal_asked.connect(lambda url: self._keep(leaving_out(url)))
        self._host.chosen.connect(lambda chosen: self._keep(hosting(chosen)))
        self._host.changed.connect(self._draw)
        self._host.use_asked.connect(lambda url: self._keep(meeting_at(url)))
        self._own.return_asked.connect(lambda name: self._keep(going_to(name)))
        self._invite.join_asked.connect(self._move)
        self._join.join_asked.connect(self._move)
        self._join.decks_asked.connect(self._look_at)
        self._offer.agreed.connect(self._on_agreed)
        self._offer.left.connect(self._go_back)
        self._found.made.connect(self._present)
        self._found.join_asked.connect(self._move)


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
    if shown is None:
        return False
    there, here = made.swarm, shown.swarm
    return (there.wire, there.decks) == (here.wire, here.decks)
