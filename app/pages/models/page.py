"""Models: what can be trained here, getting it, taking it away."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from PySide6.QtCore import QCoreApplication, QStandardPaths
from PySide6.QtWidgets import QWidget

from app.backend.actions import Actions
from app.backend.changeover import Changeover
from app.backend.helper_call import HelperCall
from app.pages.models.list_view import ModelsView
from app.pages.models.outcomes import Kind
from app.pages.models.requests import FORMS, export_to, request_for, token_request
from app.pages.models.store import (
    ACCESS,
    LIST,
    LOOK_UP,
    Job,
    ModelListing,
    apply_reply,
    begin,
    dismiss,
    end,
)
from app.pages.models.view_model import RowAction, wants_measuring
from app.pages.page import Page
from app.state.app_state import AppState
from app.state.fields import Field
from app.state.intents import Choose, Reveal, Subject
from app.style.theme import Palette
from app.widgets.basics import bare_column
from app.widgets.file_dialogs import FileDialogs, NewFile
from core.api.models import (
    FetchModel,
    Form,
    ListedModel,
    ListModels,
    LookUpModel,
    MeasureRound,
    RemovePart,
)
from core.api.requests import Reply, Request

translate = QCoreApplication.translate

AskPlace = Callable[[QWidget, Form, str, Callable[[Path], None]], None]
"""(parent, form, proposed name, what to do with the place that the person names)."""

_SUFFIX: dict[Form, str] = {"gguf": ".gguf", "peft": "-adapter", "merged": "-model"}


def proposed_name(title: str, form: Form) -> str:
    """A name for the export of the model ``title`` that every system can write."""
    plain = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in title)
    return f"{plain.strip('.-') or 'model'}{_SUFFIX[form]}"


def free_place(folder: Path, name: str) -> Path:
    """A place in ``folder`` that is not taken, called ``name`` or nearly so."""
    place, number = folder / name, 2
    while place.exists():
        place, number = folder / f"{name}-{number}", number + 1
    return place


def ask_place(parent: QWidget, form: Form, name: str, then: Callable[[Path], None]) -> None:
    """Let the person choose, and do ``then`` with the place; returns at once.

    For a file the dialog asks before it replaces one; a folder gets a new one inside it.
    """
    title = translate("Models", "Where shall it go?")
    start = QStandardPaths.StandardLocation.DocumentsLocation
    if form == "gguf":
        FileDialogs().to_write(parent, NewFile(title, name, "GGUF (*.gguf)", start), then)
    else:
        FileDialogs().folder(parent, title, start, lambda chosen: then(free_place(chosen, name)))


class ModelsPage(Page):
    """A function of the helper's replies and of what is chosen."""

    def __init__(self, palette: Palette, actions: Actions, ask: AskPlace = ask_place) -> None:
        super().__init__(actions)
        del palette  # the style sheet reaches all of it
        self._ask_place = ask
        self._listing = ModelListing()
        self._state: AppState | None = None
        self._calls: dict[int, HelperCall] = {}  # those under way, by their numbers
        self._changeover = Changeover(actions)  # to the chosen model
        self._view = ModelsView(actions.dress, self._on_act, self._look_up)
        bare_column(self).addWidget(self._view)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """Each card by itself: all of them at once would take too long for one turn."""
        return self._view.parts

    def show_state(self, state: AppState) -> None:
        """Draw ``state``."""
        was_running = self._state is not None and self._state.is_running
        self._state, changes_over = state, self._changeover.is_under_way
        self._changeover.show_state(state)
        if state.is_running:
            self._end_measuring()
        elif was_running and not changes_over and self.isVisible():
            self._list()  # there is more memory now
        self._show()

    def opened(self) -> None:
        """Ask what is here now, and sort anew."""
        self._view.sort_anew()
        self._list()

    def take(self, subject: Subject) -> None:
        """Fetch the model of that id, as somebody chose it elsewhere."""
        if isinstance(subject, str) and self._listing.job_on(subject) is None:
            self._work("fetch", subject, FetchModel(model=subject))

    def _on_reply(self, answer: Reply) -> None:
        if answer.is_last:
            self._calls.pop(answer.id, None)
        self._listing, then = apply_reply(self._listing, answer)
        match then:
            case ListModels():
                self._list()
            case RemovePart():
                self._work("drop", then.model, then)
            case None:
                pass
            case _:
                assert_never(then)
        self._show()

    def _show(self) -> None:
        self._listing = replace(self._listing, is_changing=self._changeover.is_under_way)
        if self._state is not None and self.isVisible():
            self._view.show_models(self._listing, self._state)

    def _list(self) -> None:
        self._work("ask", LIST, ListModels())

    def _work(self, kind: Kind, subject: str, request: Request) -> None:
        call = self._actions.call(request)
        for reply in (call.progress, call.done, call.refused, call.cancelled):
            reply.connect(self._on_reply)
        self._calls[call.number] = call
        self._listing = begin(self._listing, call.number, Job(kind, subject))
        self._show()
        self._view.show_news_of(subject)

    def _look_up(self, name: str) -> None:
        self._work("ask", LOOK_UP, LookUpModel(name=name))

    def _on_act(self, name: str, act: RowAction) -> None:
        """See to what a card wants."""
        match act.verb:
            case "list":
                self._list()
            case "dismiss":
                self._listing = dismiss(self._listing, name)
                self._show()
            case "reveal":
                self._actions.dispatch(Reveal(Path(act.argument).parent))
            case "choose" | "choose_anyway":
                self._choose(name, insist=act.verb == "choose_anyway")
            case "change_over":
                self._changeover.begin(lambda state: state.chosen)
                self._show()
            case "pause" | "cancel" | "stop":
                self._end(name, drops=act.verb == "cancel")
            case _:
                self._send(name, act)

    def _send(self, name: str, act: RowAction) -> None:
        about_token, model = token_request(act), self._listing.model(name)
        if about_token is not None:
            self._work(about_token[0], ACCESS, about_token[1])
        elif model is not None and act.verb == "export":
            self._export(model, act)
        elif model is not None:
            wanted = request_for(act, model)
            if wanted is not None:
                self._work(wanted[0], name, wanted[1])

    def _export(self, model: ListedModel, act: RowAction) -> None:
        def write(path: Path) -> None:
            self._work("export", model.id, export_to(path, act, model))

        form, _ = FORMS[act.argument]
        self._ask_place(self, form, proposed_name(model.title, form), write)

    def _end(self, name: str, *, drops: bool) -> None:
        found = self._listing.job_on(name)
        if found is not None:
            number, _ = found
            self._listing = end(self._listing, number, drops=drops)
            self._show()
            self._calls[number].cancel()

    def _end_measuring(self) -> None:
        """Beside anything else that computes, a round would seem to take longer than it does."""
        jobs = self._listing.jobs.values()
        for job in [one for one in jobs if one.kind == "measure" and not one.is_ending]:
            self._end(job.model, drops=False)

    def _choose(self, name: str, *, insist: bool) -> None:
        self._actions.dispatch(Choose(name))
        model, state = self._listing.model(name), self._state
        if model is not None and state is not None and wants_measuring(model, self._listing, state):
            self._end_measuring()
            self._work("measure", name, MeasureRound(model=name))
        if insist:
            self._actions.dispatch(Field("window", "anyway").keep(name))
