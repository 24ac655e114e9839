"""Requests and replies about this computer's contribution: figures, days, milestones."""

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.api.models import ModelName
from core.api.requests import FilePath, Reply, Request

MOST_DAYS = 400
MOST_MILESTONES = 32

Kind = Literal["rounds", "hours", "streak", "learners"]

_Count = Annotated[int, Meta(ge=0)]
_Amount = Annotated[float, Meta(ge=0)]


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Sums over rounds of all models together."""

    rounds: _Count = 0
    seconds: _Amount = 0.0  # spent practising
    tokens: _Count = 0  # sampled
    answers: _Count = 0  # to puzzles, own ones
    solved: _Count = 0  # of the answers
    shared: _Count = 0  # groups offered while others were there
    uncounted: _Count = 0  # rounds of which the last three are not known
    joules: _Amount = 0.0  # that the processor counted
    unmeasured_s: _Amount = 0.0  # processor seconds of rounds for which it did not
    unmetered: _Count = 0  # rounds of which the last two are not known


class Day(Figures, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One day on which there was practice."""

    day: date  # by this computer's time zone


class Milestone(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A goal of rounds, hours, days or learners, reached or next."""

    kind: Kind
    goal: _Count  # rounds, hours, days in a row, or others who learnt from this model
    have: _Count
    reached: date | None = None  # None: not yet


class EnergyShown(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What practising takes of electricity, and what the battery says now."""

    day_joules: _Amount  # on a day with practice
    is_today: bool  # of today so far, since no day before is known; else a mean of the last ones
    estimated_s: _Amount  # processor seconds in it that are an estimate; 0: all was measured
    watts_a_core: _Amount  # that these were multiplied by
    draw_w: _Amount | None = None  # of the whole computer, now, on battery; None: nobody tells
    battery_h: _Amount | None = None  # how long it lasts at that; None: the same


class ShowContribution(Request, frozen=True, tag="show_contribution"):
    """Look up what was contributed so far; it is asked again and again while practice goes on."""

    model: ModelName | None = None  # whose rounds tell what others taught it; None: nobody's


class ContributionShown(Reply, frozen=True, tag="contribution_shown"):
    """The figures of this computer's contribution."""

    today: date
    name: Annotated[str, Meta(max_length=64)]  # made-up name of this node; empty before it has one
    totals: Figures
    learners: _Count | None  # others who say to have learnt from here; None while never in a swarm
    thanks: _Count  # how often they said so
    first_day: date | None  # None before the first round
    active_days: _Count
    streak: _Count  # days in a row up to today, or to yesterday while today may still come
    longest_streak: _Count
    days: Annotated[tuple[Day, ...], Meta(max_length=MOST_DAYS)]  # with practice, the newest last
    milestones: Annotated[tuple[Milestone, ...], Meta(max_length=MOST_MILESTONES)]
    energy: EnergyShown | None = None  # None: no round of which it is known
    taught: _Count = 0  # kinds of puzzles that others taught the model that was asked about


class ExportContribution(Request, frozen=True, tag="export_contribution"):
    """Write all days as a table, one row a day, in place of what is there."""

    path: FilePath


class ContributionExported(Reply, frozen=True, tag="contribution_exported"):
    """The table is written."""

    path: str
