"""All that the window's pages are a function of; pure, no Qt."""

from dataclasses import dataclass, field, replace

from app.state.engine_status import EngineStatus
from app.state.model_choices import ModelChoice, choices_of, pick
from core.api.events import Join, Stopped
from core.api.models import ModelsListed
from core.api.protocol import AnyAnswer
from core.api.state import NodeState, apply
from core.api.updates import UpdatesShown
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class AppState:
    """What is known about node, engine and settings."""

    choices: tuple[ModelChoice, ...]
    chosen: str  # id of the model that joining takes
    settings: Settings = field(default_factory=Settings)
    node: NodeState = field(default_factory=NodeState)
    link: EngineStatus = field(default_factory=EngineStatus)
    has_practised: bool = False  # there may be rounds of earlier sessions
    largest: int = 0  # parameters of the largest model that fits this computer; 0: not known
    problem: str = ""  # something that the window itself could not do
    updates: UpdatesShown | None = None  # what the helper said last of newer releases
    is_leaving: bool = False  # the window closes for good: nothing is begun any more

    @property
    def is_running(self) -> bool:
        """A run goes on or is about to; otherwise joining is what can be done."""
        return self.link.phase in ("up", "waiting") and self.node.is_live

    @property
    def is_practising(self) -> bool:
        """Rounds go by now: the engine is there, and neither loads nor pauses."""
        return self.link.phase == "up" and self.node.activity == "practising"

    @property
    def model(self) -> ModelChoice:
        """The model that is running, or else the chosen one."""
        wanted = self.node.model if self.is_running else self.chosen
        return next((c for c in self.choices if c.id == wanted), self.choices[0])

    @property
    def join(self) -> Join:
        """The wish to run the chosen model; where the person said so, though memory seems short."""
        insists = self.chosen == self.settings.window.anyway
        return Join(model=self.chosen, load_anyway=insists)

    @property
    def newest(self) -> str:
        """A newer release that can be installed; empty: none is known."""
        known = self.updates
        return known.newest if known is not None and known.obstacle == "none" else ""

    @property
    def news(self) -> str:
        """The newer release that the person wants to hear of and has not looked at; mostly none."""
        updates = self.settings.updates
        wanted = updates.when == "notify" and self.newest != updates.seen
        return self.newest if wanted else ""


def with_reply(state: AppState, answer: AnyAnswer) -> AppState:
    """What becomes of ``state`` by an ``answer`` of the helper that concerns every page."""
    match answer:
        case ModelsListed():
            choices = choices_of(answer) or state.choices
            chosen = pick(choices, state.chosen)
            # What practises takes the memory that a larger model would have.
            known = state.largest if state.is_running else 0
            largest = max(known, _largest(answer))
            return replace(state, choices=choices, chosen=chosen, largest=largest)
        case UpdatesShown():
            return replace(state, updates=answer)
        case _:
            return state


def _largest(listed: ModelsListed) -> int:
    fitting = (m for m in listed.models if m.fit is not None and m.fit.verdict == "fits")
    return max((model.parameters for model in fitting), default=0)


def linked(state: AppState, link: EngineStatus) -> AppState:
    """What becomes of ``state`` when the window stands with its engine as ``link`` says."""
    node = state.node
    if link.phase == "off" and node.is_live:  # it ended on the way to what was asked
        node = apply(node, Stopped(round=node.round))
    return replace(state, link=link, node=node)
