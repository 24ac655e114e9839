"""Protocol of a service, and its context."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import msgspec

from core.api.requests import Reply, Request
from core.paths import Home
from core.settings import PracticeSettings, Settings, load_settings

Asked_contra = TypeVar("Asked_contra", bound=Request, contravariant=True)

SendReply = Callable[[Reply], None]
"""Sends an answer; the helper puts the request's number on it."""


@dataclass(frozen=True, slots=True)
class ServiceContext:
    """The home that a service works on."""

    home: Home
    kinds: tuple[str, ...] = ()
    """Of puzzles, in place of those that are practised; empty: those."""

    def settings(self) -> Settings:
        """The settings as the file holds them now.

        Raises:
            SettingsError: they cannot be read.
        """
        return load_settings(self.home.settings)

    def practice(self) -> PracticeSettings:
        """What is practised, and how, by a run that begins now.

        Raises:
            SettingsError: the settings cannot be read.
            UsageError: the swarm practises a deck that is not on this computer.
        """
        from core.tasks.deck_tasks import practised_kinds

        settings = self.settings()
        kinds = self.kinds or practised_kinds(settings, self.home)
        return msgspec.structs.replace(settings.practice, kinds=kinds)


class Service(Protocol[Asked_contra]):
    """Does what a request asks for. Blocking work belongs into ``asyncio.to_thread``."""

    def __call__(
        self, request: Asked_contra, context: ServiceContext, tell: SendReply, /
    ) -> Awaitable[None]:
        """Do what ``request`` asks for, and send the replies by ``tell``.

        Raises:
            WaggleError: it cannot be done; the helper answers with ``Refused``.
        """
