"""The reading of a sensor."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.i18n import translatable

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Reading(Generic[Value]):
    """A value, or None where it cannot be told, and words for whoever asks how that is."""

    value: Value | None
    words: str


def softly(read: Callable[[], Reading[Value]]) -> Reading[Value]:
    """The reading of ``read``; where that raises, an empty one with the reason."""
    try:
        return read()
    except Exception as error:  # noqa: BLE001 - a sensor that breaks must not stop a node
        return Reading(None, translatable("cannot be read ({}: {})", type(error).__name__, error))
