"""What the page Home asks before anything runs: how a model did in earlier sessions."""

from typing import Annotated

from msgspec import Meta

from core.api.curves import MAX_POINTS
from core.api.events import Point
from core.api.models import ModelName
from core.api.requests import Reply, Request


class ShowHistory(Request, frozen=True, tag="show_history"):
    """Which rounds of ``model`` are known here? Answered by ``HistoryShown``."""

    model: ModelName


class HistoryShown(Reply, frozen=True, tag="history_shown"):
    """The rounds of ``model`` as ``Started`` would tell them; none where it never practised."""

    model: ModelName
    history: Annotated[tuple[Point, ...], Meta(max_length=MAX_POINTS)]
