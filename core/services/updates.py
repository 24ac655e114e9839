"""Newer releases, for the window: what is known, what is new, and getting one ready."""

import time
from collections.abc import Callable
from threading import Event, Lock
from typing import TypeVar

from core.api.updates import (
    GetUpdate,
    LookForUpdate,
    ShowUpdates,
    UpdateProgress,
    UpdatesShown,
    UpdateStage,
)
from core.services.service import SendReply, ServiceContext
from core.threads import aside
from core.updates.upkeep import Progress, UpdateOptions, Upkeep

_PERCENT = 100

Result = TypeVar("Result")


class UpdateServices:
    """All services about updates; they wait for each other."""

    def __init__(self, options: UpdateOptions | None = None) -> None:
        self._options = options
        self._turn = Lock()

    async def show(self, _request: ShowUpdates, context: ServiceContext, tell: SendReply) -> None:
        """Answer with the update status, without asking the source.

        Raises:
            UpdateError: what is built in is damaged.
        """
        tell(await self._do(context, lambda upkeep, _: upkeep.show()))

    async def look(self, request: LookForUpdate, context: ServiceContext, tell: SendReply) -> None:
        """Ask the source; where the window asks by itself, only if the settings allow it.

        Raises:
            WaggleError: the source cannot be reached, or is not to be believed.
        """
        is_off = context.settings().updates.when == "off"

        def work(upkeep: Upkeep, stop: Event) -> UpdatesShown:
            now = time.time()
            if request.only_if_due and (is_off or not upkeep.is_due(now)):
                return upkeep.show()
            return upkeep.look(now, stop)

        tell(await self._do(context, work))

    async def get(self, _request: GetUpdate, context: ServiceContext, tell: SendReply) -> None:
        """Make the newest release ready, and tell how it goes.

        Raises:
            WaggleError: it cannot be had, or is not to be believed.
        """
        progress = _calmly(tell)
        tell(await self._do(context, lambda upkeep, stop: upkeep.get(time.time(), stop, progress)))

    async def _do(self, context: ServiceContext, work: Callable[[Upkeep, Event], Result]) -> Result:
        def in_turn(stop: Event) -> Result:
            with self._turn:  # a cancelled one may still be on its way to its end
                return work(Upkeep(context.home, self._options or UpdateOptions()), stop)

        return await aside(in_turn)


_services = UpdateServices()
get_update = _services.get
look_for_update = _services.look
show_updates = _services.show


def _calmly(tell: SendReply) -> Progress:
    """Tells a stage once, and of a download whole percents only."""
    told: tuple[UpdateStage, int] | None = None

    def progress(stage: UpdateStage, done: int, total: int) -> None:
        nonlocal told
        now = (stage, _PERCENT * done // max(1, total))
        if now != told:
            told = now
            tell(UpdateProgress(stage=stage, done=done, total=total))

    return progress
