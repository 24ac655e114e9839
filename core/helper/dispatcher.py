"""Takes requests and lets services answer them, several at a time.

Every request gets exactly one last word. A service that fails is refused in words and harms no
other: whatever it raises ends here.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from core.api.requests import Cancel, Cancelled, Done, Reply, Request, refused
from core.errors import WaggleError
from core.i18n import translatable
from core.services.service import Service, ServiceContext

UNEXPECTED = translatable(
    "Something unexpected went wrong. The log folder says more; please report it, and try again."
)
UNKNOWN = translatable(
    "Waggle cannot do that as it was asked. Shorten what you typed, or start Waggle anew."
)

_log = logging.getLogger(__name__)


class Dispatcher:
    """Runs the services that ``routes`` names."""

    def __init__(
        self,
        context: ServiceContext,
        routes: Mapping[type[Request], Service[Any]],
        send: Callable[[Reply], None],
    ) -> None:
        self._context = context
        self._routes = routes
        self._send = send
        self._turn = threading.Lock()  # services may speak from any thread, one at a time
        self._running: dict[int, asyncio.Task[None]] = {}
        self._ended: set[int] = set()  # those of them that were cancelled, by us

    async def serve(self, requests: AsyncIterator[Request]) -> None:
        """Answer until ``requests`` ends, then end what still runs."""
        async with asyncio.TaskGroup() as group:
            async for request in requests:
                if isinstance(request, Cancel):
                    self._end(request.request)
                else:
                    self._start(request, group)
            for number in self._running:
                self._end(number)

    def _start(self, request: Request, group: asyncio.TaskGroup) -> None:
        sender = _ReplySender(request.id, self._send, self._turn)
        task = group.create_task(self._run(request, sender))
        self._running[request.id] = task
        task.add_done_callback(partial(self._on_end, sender))

    def _end(self, number: int) -> None:
        """Cancel a service once: a second time would interrupt it as it puts away what it holds."""
        if number in self._running and number not in self._ended:
            self._ended.add(number)
            self._running[number].cancel()

    def _on_end(self, sender: "_ReplySender", task: asyncio.Task[None]) -> None:
        self._running.pop(sender.number, None)
        self._ended.discard(sender.number)
        if task.cancelled():  # perhaps before it ran at all
            sender.tell(Cancelled())

    async def _run(self, request: Request, sender: "_ReplySender") -> None:
        try:
            await self._service(request)(request, self._context, sender.tell)
            sender.tell(Done())
        except WaggleError as error:
            sender.tell(refused(error))
        except Exception:  # noqa: BLE001 - whatever it is, all other services go on
            _log.exception("A service failed: %s", type(request).__name__)
            sender.tell(refused(WaggleError(UNEXPECTED)))

    def _service(self, request: Request) -> Service[Any]:
        service = self._routes.get(type(request))
        if service is None:
            raise WaggleError(UNKNOWN)
        return service


class _ReplySender:
    """Sends the replies of one service, with its request's number, and none after the last."""

    def __init__(self, number: int, send: Callable[[Reply], None], turn: threading.Lock) -> None:
        self.number = number
        self._send = send
        self._turn = turn
        self._is_done = False

    def tell(self, answer: Reply) -> None:
        """Send ``answer``, unless the last word was spoken."""
        with self._turn:
            if not self._is_done:
                self._send(msgspec.structs.replace(answer, id=self.number))
                self._is_done = answer.is_last
