"""*Updates*: whether there is a newer Waggle, and the way to it."""

from typing import Literal

from PySide6.QtWidgets import QProgressBar, QSizePolicy

from app.backend.actions import Actions
from app.pages.settings.request_card import RequestCard
from app.pages.settings.section import Section
from app.pages.settings.updates_view_model import (
    UpdatesViewModel,
    progress_in_words,
    share_of,
    updates_view_model,
)
from app.state.app_state import AppState
from app.state.fields import Field
from app.state.intents import Quit
from app.style.theme import Palette
from app.widgets.basics import label, set_words, take_turns
from app.widgets.rows import Group
from core.api.events import Finish
from core.api.updates import GetUpdate, LookForUpdate, ShowUpdates, UpdateProgress, UpdatesShown

_STEPS = 1_000
_SEEN = Field("updates", "seen")


class UpdatesSection(Section):
    """Asks the helper what is known when it is seen; whoever presses a button has it looked up."""

    def __init__(self, _palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        self._state: AppState | None = None
        self._noted = ""  # the last release that was seen here
        self._card = UpdateCard(actions)
        when = self.choice(
            self.tr("When there is something newer"),
            "updates.when",
            [
                ("notify", self.tr("Tell me")),
                ("automatic", self.tr("Install it by itself")),
                ("off", self.tr("Never look")),
            ],
            self.tr("By itself it is installed when you quit Waggle, never during a round."),
        )
        group = Group(self.tr("Newer releases"), when)
        group.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.add(self._card, group)

    def opened(self) -> None:
        """Ask what is known by now; nobody outside is asked."""
        self._card.ask()
        self._note_seen()

    def show_state(self, state: AppState) -> None:
        """Show what is known; what is new was seen then, and is no news elsewhere.

        An update that is ready goes on once nothing runs any more.
        """
        super().show_state(state)
        self._state = state
        self._card.show_state(state)
        self._note_seen()

    def _note_seen(self) -> None:
        known = None if self._state is None else self._state.updates
        if self._state is None or known is None or not self.isVisible():
            return
        if known.newest not in ("", self._noted, self._state.settings.updates.seen):
            self._noted = known.newest  # once: unwritten settings come back
            self._actions.dispatch(_SEEN.keep(known.newest))


class UpdateCard(RequestCard):
    """What is known, and the two buttons."""

    def __init__(self, actions: Actions) -> None:
        super().__init__(actions, self.tr("This Waggle"), "")
        self._sentence = label("", "lead", wrap=True)
        self._details = label("", "small", wrap=True)
        self._bar = QProgressBar()
        self._bar.setRange(0, _STEPS)
        self._bar.setTextVisible(False)
        self._bar.hide()
        for widget in (self._sentence, self._details, self._bar):
            self.content.addWidget(widget)
        self._look = self.add_button(self.tr("Look now"), self._on_look)
        self._get = self.add_button(self.tr("Install and open again"), self._on_get)
        self._cancel = self.add_button(self.tr("Cancel"), self._on_cancel)
        self.line.progress.connect(self._on_progress)
        self.line.ended.connect(self._on_ended)
        self._runs = False
        self._doing: Literal["", "looking", "getting"] = ""  # because a button was pressed
        self._leaving: tuple[str, ...] = ()  # what is to be started once nothing runs
        self._known = UpdatesViewModel("", can_look=True)
        self._draw()

    def ask(self) -> None:
        """Ask the helper what is known, unless something is under way."""
        if not self._leaving:
            self.line.begin(ShowUpdates(), "")

    def show_state(self, state: AppState) -> None:
        """Show what is known; leave once no round is under way, if that is wanted."""
        self._runs = state.is_running
        if state.updates is not None:
            self._known = updates_view_model(state.updates)
        self._draw()
        self._leave_when_ready()

    def _leave_when_ready(self) -> None:
        if self._leaving and not self._runs:
            command = self._leaving
            self._stay("")  # whoever is asked about what would be lost may do so
            self._actions.dispatch(Quit(then=command))

    def _stay(self, words: str) -> None:
        self._leaving = ()
        self.line.say(words)
        self._draw()

    def _on_cancel(self) -> None:
        if not self._leaving:
            self.line.cancel()
            return
        self._stay(self.tr("Waggle stays open. Practice stops after the round that was under way."))

    def _on_progress(self, progress: UpdateProgress) -> None:
        words, share = progress_in_words(progress), share_of(progress)
        self.line.tell(words)
        self._bar.setVisible(share is not None)
        self._bar.setValue(round(_STEPS * (share or 0.0)))
        self._bar.setAccessibleName(words)

    def _on_look(self) -> None:
        self._doing = "looking"
        self.line.begin(LookForUpdate(), self.tr("Asking the update source…"))
        self._draw()

    def _on_get(self) -> None:
        self._doing = "getting"
        self.line.begin(GetUpdate(), self.tr("Looking for the newest…"))
        self._draw()

    def _on_ended(self, answer: object) -> None:
        self._bar.hide()
        self._doing = ""
        if isinstance(answer, UpdatesShown) and answer.command:
            self._leaving = (*answer.command, *answer.starting)
            if self._runs:
                self.line.say(self.tr("Ready. This round is finished first, then Waggle closes."))
                self._actions.dispatch(Finish())
        self._draw()
        self._leave_when_ready()

    def _draw(self) -> None:
        known, is_getting = self._known, bool(self._leaving) or self._doing == "getting"
        set_words(self._sentence, known.sentence, "lead")
        set_words(self._details, known.details, "small")
        self._look.setVisible(known.can_look)
        # Not while it looks, or it would lose the keyboard to what comes next; the line has one
        # request.
        self._look.setEnabled(not is_getting)
        self._get.setVisible(known.can_install)
        take_turns(self._get, self._cancel, is_open=is_getting, can_start=not self._doing)
