"""All that the window's pages are a function of; pure, no Qt."""

from dataclasses import dataclass, field

from app.link import Link
from app.model_choices import ModelChoice
from core.engine.state import NodeState
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class AppState:
    """What is known about node, engine and settings."""

    choices: tuple[ModelChoice, ...]
    chosen: str  # id of the model that joining takes
    settings: Settings = field(default_factory=Settings)
    node: NodeState = field(default_factory=NodeState)
    link: Link = field(default_factory=Link)
    problem: str = ""  # something that the window itself could not do

    @property
    def is_running(self) -> bool:
        """A run goes on or is about to; otherwise joining is what can be done."""
        return self.link.phase in ("up", "waiting") and self.node.is_live

    @property
    def model(self) -> ModelChoice:
        """The model that is running, or else the chosen one."""
        wanted = self.node.model if self.is_running else self.chosen
        return next((c for c in self.choices if c.id == wanted), self.choices[0])
