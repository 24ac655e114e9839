"""Wires the governor of a node: the rules of its home, the sensors of this machine."""

from core.governor.loop import GovernorLoop
from core.models.memory.cards import trained_card
from core.paths import Home
from core.sensors.senses import Senses
from core.settings import SettingsFile


def open_governor(home: Home, root: int | None = None) -> GovernorLoop:
    """A governor for one run; process ``root`` (None: this one) and all below it are Waggle."""
    settings = SettingsFile(home.settings)
    senses = Senses(home.root, root, lambda: trained_card(settings.current().compute.device))
    return GovernorLoop(senses, lambda: settings.current().rules)
