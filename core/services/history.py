"""How a model did in earlier sessions, looked up without an engine."""

import asyncio

from core.api.curves import thin
from core.api.history import HistoryShown, ShowHistory
from core.ledger.curve import look_up_curve
from core.services.service import SendReply, ServiceContext


async def show_history(request: ShowHistory, place: ServiceContext, tell: SendReply) -> None:
    """Answer with what the engine would tell of the same model when it starts.

    Raises:
        HomeError: the ledger cannot be read.
    """
    points = await asyncio.to_thread(look_up_curve, place.home.ledger, request.model)
    tell(HistoryShown(model=request.model, history=thin(points)))
