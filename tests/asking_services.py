"""Services that are asked as the helper asks them."""

from typing import TypeVar

from core.api.pipe import encode
from core.api.protocol import decode_answer
from core.api.requests import Reply, Request
from core.helper.routes import ROUTES
from core.services.service import ServiceContext

R = TypeVar("R", bound=Reply)


async def answers_to(request: Request, place: ServiceContext) -> list[Reply]:
    """All that is told to whoever asks."""
    told: list[Reply] = []
    await ROUTES[type(request)](request, place, told.append)
    return told


async def answer_to(request: Request, place: ServiceContext, kind: type[R]) -> R:
    """The one answer there is, of that kind, and that it can be sent."""
    (answer,) = await answers_to(request, place)
    assert isinstance(answer, kind)
    sent: object = decode_answer(encode(answer))
    assert sent == answer
    return answer
