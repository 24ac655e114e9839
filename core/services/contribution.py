"""What this computer has contributed: looked up, and taken away as a table."""

import asyncio
import csv
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import date
from io import StringIO
from pathlib import Path

from core.api.contribution import (
    MOST_DAYS,
    ContributionExported,
    ContributionShown,
    Day,
    ExportContribution,
    ShowContribution,
)
from core.errors import WaggleError
from core.ledger.contribution import Contribution, Newcomers, has_met_others
from core.ledger.days import current_streak, local_day, read_days, streaks, total
from core.paths import Home
from core.services.delivery import deliver
from core.services.milestones import milestones
from core.services.service import SendReply, ServiceContext

COLUMNS = (
    "day",
    "rounds",
    "practised_seconds",
    "tokens",
    "answers",
    "solved",
    "groups_shared",
    "rounds_without_counts",  # of which the three before are unknown
)


async def show_contribution(_: ShowContribution, place: ServiceContext, tell: SendReply) -> None:
    """Answer with all that was contributed from this home, whatever model did it.

    Raises:
        HomeError: the ledger cannot be read.
    """
    tell(await asyncio.to_thread(look_up, place.home, local_day(time.time())))


async def export_contribution(
    request: ExportContribution, place: ServiceContext, tell: SendReply
) -> None:
    """Write the table; what was there before stays until the new one is whole.

    Raises:
        HomeError: the ledger cannot be read, or the table cannot be written.
    """
    days = await asyncio.to_thread(read_days, place.home.ledger)
    await asyncio.to_thread(deliver, Path(request.path), table(days).encode())
    tell(ContributionExported(path=request.path, days=len(days)))


def look_up(home: Home, today: date) -> ContributionShown:
    """All figures as the ledger has them now.

    Raises:
        HomeError: it cannot be read.
    """
    days = read_days(home.ledger)
    names = [day.day for day in days]
    thanks, newcomers = _read_thanks(home)
    helped = None if newcomers is None else [(local_day(n.at), n.learners) for n in newcomers]
    return ContributionShown(
        today=today,
        name=_name(home),
        totals=total(days),
        learners=None if helped is None else sum(learners for _, learners in helped),
        thanks=thanks,
        first_day=names[0] if names else None,
        active_days=len(names),
        streak=current_streak(names, today),
        longest_streak=max(streaks(names), default=0),
        days=tuple(days[-MOST_DAYS:]),
        milestones=milestones(days, helped, today),
    )


def table(days: Sequence[Day]) -> str:
    """``days`` as CSV, with a line of names first; what is not known is left empty."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for day in days:
        is_known = day.uncounted < day.rounds
        counts = (day.answers, day.solved, day.shared) if is_known else ("", "", "")
        practised = round(day.seconds, 1)
        writer.writerow(
            (day.day.isoformat(), day.rounds, practised, day.tokens, *counts, day.uncounted)
        )
    return text.getvalue()


def _read_thanks(home: Home) -> tuple[int, list[Newcomers] | None]:
    if not has_met_others(home.ledger):
        return 0, None
    with closing(Contribution(home.ledger)) as book:
        return book.helped().groups, book.newcomers()


def _name(home: Home) -> str:
    """The made-up name, where this node has one; making one is the engine's business."""
    from core.wire.identity import load_or_create_identity
    from core.wire.names import friendly_name

    if not home.identity.exists():
        return ""
    with suppress(WaggleError):
        return friendly_name(load_or_create_identity(home.identity).peer_id)
    return ""
