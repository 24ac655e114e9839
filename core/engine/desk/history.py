"""What the page Home asks before anything runs: how a model did in earlier sessions."""

from typing import Annotated

from msgspec import Meta

from core.engine.curves import MAX_POINTS
from core.engine.desk.base import Answer, Request
from core.engine.desk.models import ModelName
from core.engine.events import Point


class ShowHistory(Request, frozen=True, tag="show_history"):
    """Which rounds of ``model`` are known here? Answered by ``HistoryShown``."""

    model: ModelName


class HistoryShown(Answer, frozen=True, tag="history_shown"):
    """The rounds of ``model`` as ``Started`` would tell them; none where it never practised."""

    model: ModelName
    history: Annotated[tuple[Point, ...], Meta(max_length=MAX_POINTS)]
