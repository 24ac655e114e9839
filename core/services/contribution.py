"""This computer's contribution: looked up, and taken away as a table."""

import asyncio
import csv
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import date
from io import StringIO
from itertools import accumulate
from pathlib import Path

from core.api.contribution import (
    MOST_DAYS,
    ContributionExported,
    ContributionShown,
    Day,
    ExportContribution,
    Kind,
    Milestone,
    ShowContribution,
)
from core.api.practice import HistoryShown, ShowHistory
from core.errors import WaggleError
from core.ledger.contribution import Contribution, Newcomers, has_met_others
from core.ledger.curve import look_up_curve, look_up_last
from core.ledger.days import (
    current_streak,
    local_day,
    plausible_days,
    read_days,
    streaks,
    total,
)
from core.models.catalog.library import find_model
from core.paths import Home
from core.sensors.linux_battery import Power
from core.sensors.reading import softly
from core.sensors.senses import read_power
from core.services.energy import energy_shown, joules_of, watts_a_core
from core.services.service import SendReply, ServiceContext
from core.storage.files import deliver
from core.tasks.deck_tasks import practised_catalog, scope_of
from core.tasks.skills import Skills, load_base_skills
from core.threads import to_the_end

GOALS: Mapping[Kind, tuple[int, ...]] = {
    "rounds": (1, 100, 1_000, 10_000, 100_000, 1_000_000),
    "hours": (10, 100, 1_000, 10_000),
    "streak": (7, 30, 100, 365),
    "learners": (1, 10, 100, 1_000),
}
HOUR_S = 3_600
KWH_J = 3_600_000

Rise = Sequence[tuple[date, int]]
"""How much there was by the end of each day; days rise."""


def milestones(
    days: Sequence[Day], newcomers: Iterable[tuple[date, int]] | None, today: date
) -> tuple[Milestone, ...]:
    """Those that were reached and the next one, kind by kind.

    What this node did on days that cannot have been counts as of the first that can.
    ``newcomers`` are the others who were helped for the first time, by day; None where that is not
    known, and then nothing is said about them.
    """
    plausible = plausible_days(days, today)
    names = [day.day for day in plausible]
    known = set(names)
    elsewhen = [day for day in days if day.day not in known]
    done, by_day = [*elsewhen, *plausible], names[:1] * len(elsewhen) + names
    hours = accumulate(day.seconds for day in done)
    found = [
        *_of("rounds", _rise(by_day, accumulate(day.rounds for day in done))),
        *_of("hours", _rise(by_day, (int(seconds // HOUR_S) for seconds in hours))),
        *_of("streak", _rise(names, streaks(names)), current_streak(names, today)),
    ]
    if newcomers is not None:
        arrived = list(newcomers)
        counts = accumulate(learners for _, learners in arrived)
        found += _of("learners", _rise([day for day, _ in arrived], counts))
    return tuple(found)


def _rise(days: Sequence[date], amounts: Iterable[int]) -> Rise:
    return list(zip(days, amounts, strict=True))


def _of(kind: Kind, rise: Rise, now: int | None = None) -> list[Milestone]:
    """``now`` is how much there is today, where that is not simply the last of ``rise``."""
    found: list[Milestone] = []
    if now is None:
        now = rise[-1][1] if rise else 0
    for goal in GOALS[kind]:
        reached = next((day for day, amount in rise if amount >= goal), None)
        have = goal if reached else now
        found.append(Milestone(kind=kind, goal=goal, have=have, reached=reached))
        if reached is None:
            break
    return found


async def show_history(request: ShowHistory, context: ServiceContext, tell: SendReply) -> None:
    """Answer with what the engine would tell of the same model when it starts.

    Raises:
        HomeError: the ledger cannot be read.
    """
    tell(await asyncio.to_thread(_history, request.model, context))


def _history(model: str, context: ServiceContext) -> HistoryShown:
    scope, base = None, None
    with suppress(WaggleError):  # model or deck is not here any more, but its rounds are
        catalog = practised_catalog(context.home, context.practice().kinds)
        scope = scope_of(catalog)
        folder = find_model(model, context.home).folder
        base = Skills(catalog, load_base_skills(folder)).base_skill()
    ledger = context.home.ledger
    return HistoryShown(
        model=model,
        history=tuple(look_up_curve(ledger, model, scope)),
        round=look_up_last(ledger, model).number,
        base_skill=base,
        scope=scope,
    )


COLUMNS = (
    "day",
    "rounds",
    "practised_seconds",
    "tokens",
    "answers",
    "solved",
    "groups_shared",
    "rounds_without_counts",  # of which the three before are unknown
    "kilowatt_hours",  # an estimate, unless the processor counts them
)


async def show_contribution(
    request: ShowContribution, context: ServiceContext, tell: SendReply
) -> None:
    """Answer with all that was contributed from this home, whatever model did it.

    Raises:
        HomeError: the ledger cannot be read.
    """
    today = local_day(time.time())
    tell(await asyncio.to_thread(look_up, context.home, today, request.model))


async def export_contribution(
    request: ExportContribution, context: ServiceContext, tell: SendReply
) -> None:
    """Write the table; what was there before stays until the new one is whole.

    Raises:
        HomeError: the ledger cannot be read, or the table cannot be written.
    """

    def write() -> None:
        days = read_days(context.home.ledger)
        deliver(Path(request.path), table(days, watts_a_core(_power())).encode())

    await to_the_end(write)
    tell(ContributionExported(path=request.path))


def look_up(home: Home, today: date, model: str | None = None) -> ContributionShown:
    """All figures as the ledger has them now, and how many kinds others taught ``model``.

    Raises:
        HomeError: it cannot be read.
    """
    days = read_days(home.ledger)
    plausible = plausible_days(days, today)
    names = [day.day for day in plausible]
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
        days=tuple(plausible[-MOST_DAYS:]),
        milestones=milestones(days, helped, today),
        energy=energy_shown(plausible, today, _power()),
        taught=look_up_last(home.ledger, model).taught if model else 0,
    )


def _power() -> Power:
    return softly(read_power).value or Power(None, None)


def table(days: Sequence[Day], watts: float) -> str:
    """``days`` as CSV, with a line of names first; what is not known is left empty.

    ``watts`` is what a core is taken to draw.
    """
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for day in days:
        is_known = day.uncounted < day.rounds
        counts = (day.answers, day.solved, day.shared) if is_known else ("", "", "")
        practised, joules = round(day.seconds, 1), joules_of(day, watts)
        energy = "" if joules is None else round(joules / KWH_J, 4)
        row = (day.day.isoformat(), day.rounds, practised, day.tokens, *counts, day.uncounted)
        writer.writerow((*row, energy))
    return text.getvalue()


def _read_thanks(home: Home) -> tuple[int, list[Newcomers] | None]:
    if not has_met_others(home.ledger):
        return 0, None
    with closing(Contribution(home.ledger)) as contribution:
        return contribution.helped().groups, contribution.newcomers()


def _name(home: Home) -> str:
    """The made-up name, where this node has one; making one is the engine's business."""
    from core.wire.identity import load_or_create_identity
    from core.wire.names import friendly_name

    if not home.identity.exists():
        return ""
    with suppress(WaggleError):
        return friendly_name(load_or_create_identity(home.identity).peer_id)
    return ""
