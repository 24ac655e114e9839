"""What an errand is given, and how it answers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from core.api.requests import Answer, Request
from core.paths import Home
from core.settings import Settings, load_settings

Asked_contra = TypeVar("Asked_contra", bound=Request, contravariant=True)

Tell = Callable[[Answer], None]
"""Sends an answer; the desk puts the request's number on it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an errand works."""

    home: Home

    def settings(self) -> Settings:
        """The settings as the file holds them now.

        Raises:
            SettingsError: they cannot be read.
        """
        return load_settings(self.home.settings)


class Errand(Protocol[Asked_contra]):
    """Does what a request asks for. Blocking work belongs into ``asyncio.to_thread``."""

    def __call__(self, request: Asked_contra, place: Place, tell: Tell, /) -> Awaitable[None]:
        """Work, and answer.

        Raises:
            WaggleError: it cannot be done; the desk answers with ``Refused``.
        """
        ...
