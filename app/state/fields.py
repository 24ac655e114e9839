"""Single settings, read from and written into the whole."""

from dataclasses import dataclass
from typing import Any

import msgspec

from app.state.intents import Keep
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class Field:
    """The setting ``name`` in ``section``."""

    section: str
    name: str

    def of(self, settings: Settings) -> Any:  # noqa: ANN401 - each setting has a type of its own
        """Its value."""
        return getattr(getattr(settings, self.section), self.name)

    def set(self, settings: Settings, value: object) -> Settings:
        """The settings with this one changed; ``value`` has to be one that it can have."""
        section = msgspec.structs.replace(getattr(settings, self.section), **{self.name: value})
        return msgspec.structs.replace(settings, **{self.section: section})

    def keep(self, value: object) -> Keep:
        """The wish to change it."""
        return Keep(lambda settings: self.set(settings, value))
