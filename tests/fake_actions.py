"""A window's actions that are only noted; replies come when the test gives them."""

from typing import TypeVar

import msgspec
from PySide6.QtWidgets import QWidget

from app.backend.helper_call import HelperCall
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.intents import Intent, Keep
from app.state.model_choices import ModelChoice
from core.api.contribution import (
    ContributionExported,
    ContributionShown,
    ExportContribution,
    ShowContribution,
)
from core.api.decks import (
    DeckKept,
    DeckOffered,
    DeckOpened,
    DeckPreviewed,
    DecksShown,
    DeckTried,
    FetchDecks,
    KeepDeck,
    LookAtDeck,
    PreviewDeck,
    ShowDecks,
    TryDeck,
)
from core.api.devices import CardsListed, ListCards
from core.api.events import Command
from core.api.maintenance import FoldersMeasured, MeasureFolders
from core.api.models import ListModels, ModelsListed
from core.api.practice import (
    ExamTaken,
    HistoryShown,
    ModelTried,
    PracticeShown,
    ShowHistory,
    ShowPractice,
    TakeExam,
    TryModel,
)
from core.api.programs import ListPrograms, ProgramsListed
from core.api.requests import Cancel, Reply, Request
from core.api.skills import ShowSkills, SkillsShown
from core.api.state import NodeState
from core.api.swarm import (
    CheckHub,
    HostHub,
    HubChecked,
    HubOpen,
    InviteMade,
    InviteShown,
    LeavingDecks,
    MakeInvite,
    ShowInvite,
    ShowSwarm,
    SwarmShown,
)
from core.settings import Settings

SPARK = ModelChoice(id="spark", title="Spark", sentence="Small.", parameters=1_500_000)
EMBER = ModelChoice(id="ember", title="Ember", sentence="Larger.", parameters=5_200_000)

Wish = TypeVar("Wish")

REQUESTS: dict[type[Reply], type[Request]] = {
    CardsListed: ListCards,
    ContributionExported: ExportContribution,
    ContributionShown: ShowContribution,
    DeckKept: KeepDeck,
    DeckOffered: FetchDecks,
    DeckOpened: LookAtDeck,
    DeckPreviewed: PreviewDeck,
    DeckTried: TryDeck,
    DecksShown: ShowDecks,
    ExamTaken: TakeExam,
    FoldersMeasured: MeasureFolders,
    HistoryShown: ShowHistory,
    HubChecked: CheckHub,
    HubOpen: HostHub,
    InviteMade: MakeInvite,
    InviteShown: ShowInvite,
    LeavingDecks: MakeInvite,
    ModelTried: TryModel,
    ModelsListed: ListModels,
    PracticeShown: ShowPractice,
    ProgramsListed: ListPrograms,
    SkillsShown: ShowSkills,
    SwarmShown: ShowSwarm,
}
"""What is asked for by one kind of request alone."""


def state_of(settings: Settings | None = None, *, runs: bool = False) -> AppState:
    """The window's state with these settings; ``runs``: a node practises."""
    node = NodeState(activity="practising") if runs else NodeState()
    link = EngineStatus("up") if runs else EngineStatus()
    return AppState(
        choices=(SPARK, EMBER),
        chosen="spark",
        settings=settings or Settings(),
        node=node,
        link=link,
    )


class FakeActions:
    """Knows all that was wanted, in order: intents, commands, and requests with their numbers."""

    def __init__(self) -> None:
        self.all: list[object] = []
        self.dressed: list[QWidget] = []
        self._calls: dict[int, tuple[type[Request], HelperCall]] = {}

    def dispatch(self, wish: Intent | Command) -> None:
        self.all.append(wish)

    def call(self, request: Request) -> HelperCall:
        number = len(self._calls) + 1
        self.all.append(msgspec.structs.replace(request, id=number))
        call = HelperCall(number, lambda: self.all.append(Cancel(request=number)))
        self._calls[number] = type(request), call
        return call

    def dress(self, part: QWidget) -> None:
        self.dressed.append(part)

    def reply(self, reply: Reply) -> None:
        """Let the helper say ``reply``: to the request of its number, or the last it may answer."""
        asked = REQUESTS.get(type(reply))
        fitting = [number for number, (kind, _) in self._calls.items() if asked in (None, kind)]
        number = reply.id or fitting[-1]
        self._calls[number][1].deliver(msgspec.structs.replace(reply, id=number))

    def of(self, kind: type[Wish]) -> list[Wish]:
        """Those of one kind."""
        return [wish for wish in self.all if isinstance(wish, kind)]

    def last(self, kind: type[Wish]) -> Wish:
        """The latest of one kind; there has to be one."""
        return self.of(kind)[-1]

    def kept(self, settings: Settings | None = None) -> Settings:
        """The settings after everything that was to be kept."""
        kept = settings or Settings()
        for wish in self.of(Keep):
            kept = wish.change(kept)
        return kept
