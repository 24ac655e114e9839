"""What a page asked for, and a state to show it."""

from typing import TypeVar

from PySide6.QtCore import SignalInstance

from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.intents import Keep
from app.state.model_choices import ModelChoice
from core.api.state import NodeState
from core.settings import Settings

SPARK = ModelChoice(id="spark", title="Spark", sentence="Small.", parameters=1_500_000)
EMBER = ModelChoice(id="ember", title="Ember", sentence="Larger.", parameters=5_200_000)

Wish = TypeVar("Wish")


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


class Wishes:
    """Everything that came out of an ``asked`` signal, in order."""

    def __init__(self, asked: SignalInstance) -> None:
        self.all: list[object] = []
        asked.connect(self.all.append)

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
