"""Services that are loaded when they are first asked for: what is cheap waits for nothing heavy."""

import asyncio
from importlib import import_module
from typing import Any, cast

from core.api.requests import Request
from core.services.service import SendReply, Service, ServiceContext


class LazyService:
    """The service ``name`` of the module ``module`` in ``core.services``."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = f"core.services.{module}", name

    async def __call__(self, request: Request, place: ServiceContext, tell: SendReply) -> None:
        """Load it in a thread, so that other services go on meanwhile; then let it work."""
        service = await asyncio.to_thread(self.load)
        await service(request, place, tell)

    def load(self) -> Service[Any]:
        """The service itself."""
        return cast("Service[Any]", getattr(import_module(self._module), self._name))
