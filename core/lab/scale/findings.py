"""What a simulation shows, in figures and sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import numpy as np

from core.lab.scale.load_report import quantile
from core.lab.scale.simulation import RoundFigures, SimulationResult
from core.lab.scale.world import SimulationPlan

ENVELOPE_BYTES: Final = 5_200
"""As light clients seal them: eight answers of 600 characters."""

RECOVERED: Final = 0.9
"""Of the exchange rate before the hubs went down."""

_FEW_ROUNDS: Final = 5
"""An author that was there for less says little about evenness."""


@dataclass(frozen=True, slots=True)
class ScaleFindings:
    """Of honest nodes, all rounds after the warm-up unless said otherwise; shares in [0, 1]."""

    plan: SimulationPlan
    honest_share: float  # of the items used
    honest_share_in_outage: float | None
    by_hostile_hubs_early: float  # share of the items used that hostile hubs gave: first quarter
    by_hostile_hubs_late: float  # the same: last quarter
    found_out: float  # share of those who asked a hostile hub, who banned it
    admitted: int  # hostile authors that one honest hub hears
    exchange_rate: float  # items used of those wanted, without the outage
    exchange_rate_in_outage: float | None
    recovery_s: float | None  # from the outage's end until the rate is back; None: not in time
    hub_spread: float | None  # chi-square per degree of freedom of a hub's draws: 1 is chance
    largest_over_mean: float  # use of an author for its time there: largest over mean
    requests: float  # of a node in a round
    bytes_up: float  # the same, bodies only
    bytes_down: float
    company_p50_s: float  # from arriving to the first honest item
    company_p99_s: float
    lonely: int  # who still had none at the end
    witness_honest_share: float  # of nodes that follow the product's own code


def find(course: SimulationResult) -> ScaleFindings:
    """Sum up a simulation."""
    plan = course.plan
    calm = [one for one in course.rounds if one.number not in plan.outage]
    storm = [one for one in course.rounds if one.number in plan.outage]
    quarter = max(1, len(course.rounds) // 4)
    waits = sorted(float(wait) for wait in course.waits)
    spreads = [one.spread for one in course.rounds if one.spread is not None]
    witnesses = course.witnesses
    return ScaleFindings(
        plan=plan,
        honest_share=_share(course.rounds, lambda one: one.honest, lambda one: one.used),
        honest_share_in_outage=_share(storm, lambda one: one.honest, lambda one: one.used)
        if storm
        else None,
        by_hostile_hubs_early=_by_hostile_hubs(course.rounds[:quarter]),
        by_hostile_hubs_late=_by_hostile_hubs(course.rounds[-quarter:]),
        found_out=course.found_out,
        admitted=course.admitted,
        exchange_rate=_rate(calm, plan),
        exchange_rate_in_outage=_rate(storm, plan) if storm else None,
        recovery_s=_recovery_s(course),
        hub_spread=fmean(spreads) if spreads else None,
        largest_over_mean=_largest_over_mean(course),
        requests=_per_node(course.rounds, lambda one: one.requests),
        bytes_up=ENVELOPE_BYTES * _per_node(course.rounds, lambda one: one.items_up),
        bytes_down=ENVELOPE_BYTES * _per_node(course.rounds, lambda one: one.items_down),
        company_p50_s=plan.period_s * quantile(waits, 0.5),
        company_p99_s=plan.period_s * quantile(waits, 0.99),
        lonely=course.lonely,
        witness_honest_share=sum(one.honest for one in witnesses)
        / max(1, sum(one.used for one in witnesses)),
    )


Figure = Callable[[RoundFigures], float]


def _share(rounds: Sequence[RoundFigures], part: Figure, whole: Figure) -> float:
    return sum(map(part, rounds)) / max(1.0, sum(map(whole, rounds)))


def _by_hostile_hubs(rounds: Sequence[RoundFigures]) -> float:
    return _share(rounds, lambda one: one.from_hostile_hubs, lambda one: one.used)


def _per_node(rounds: Sequence[RoundFigures], figure: Figure) -> float:
    return _share(rounds, figure, lambda one: one.nodes)


def _rate(rounds: Sequence[RoundFigures], plan: SimulationPlan) -> float:
    return _per_node(rounds, lambda one: one.used) / plan.want


def _recovery_s(course: SimulationResult) -> float | None:
    """Seconds from the outage's end to the end of the first round that is as good as before."""
    plan = course.plan
    if not plan.outage:
        return 0.0
    before = _rate([one for one in course.rounds if one.number < plan.outage.start], plan)
    for one in course.rounds:
        if one.number >= plan.outage.stop and _rate([one], plan) >= RECOVERED * before:
            return (one.number - plan.outage.stop + 1) * plan.period_s
    return None


def _largest_over_mean(course: SimulationResult) -> float:
    long_enough = course.alive >= _FEW_ROUNDS
    if not np.any(long_enough):
        return 0.0
    use = course.times_used[long_enough] / course.alive[long_enough]
    return float(use.max() / use.mean()) if use.any() else 0.0


def headings(findings: Sequence[ScaleFindings]) -> list[str]:
    """Of the table: one column for each size."""
    return ["figure", *(f"{one.plan.nodes:,}" for one in findings), "what it says"]


def rows(findings: Sequence[ScaleFindings]) -> list[list[str]]:
    """For people: a line for each figure, with a sentence."""
    return [[name, *(show(one) for one in findings), words] for name, show, words in _LINES]


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _seconds(value: float | None) -> str:
    return "not in time" if value is None else f"{value:.0f} s"


def _kilobytes(value: float) -> str:
    return f"{value / 1_000:.0f} KB"


_LINES: Final[list[tuple[str, Callable[[ScaleFindings], str], str]]] = [
    ("honest items", lambda one: _percent(one.honest_share), "of all that honest nodes used"),
    (
        "… in the outage",
        lambda one: _percent(one.honest_share_in_outage),
        "the same while hubs are down",
    ),
    (
        "… real code",
        lambda one: _percent(one.witness_honest_share),
        "of nodes that follow the product's own code",
    ),
    (
        "hostile hubs, first",
        lambda one: _percent(one.by_hostile_hubs_early),
        "of all that was used came from hostile hubs, in the first quarter",
    ),
    ("… last", lambda one: _percent(one.by_hostile_hubs_late), "the same in the last quarter"),
    (
        "… found out",
        lambda one: _percent(one.found_out),
        "of those who asked a hostile hub have banned it",
    ),
    (
        "Sybils heard",
        lambda one: f"{one.admitted:,}",
        "hostile authors that one honest hub lets speak",
    ),
    ("exchange rate", lambda one: _percent(one.exchange_rate), "of the items wanted were used"),
    (
        "… in the outage",
        lambda one: _percent(one.exchange_rate_in_outage),
        "the same while hubs are down",
    ),
    ("recovery", lambda one: _seconds(one.recovery_s), "after the outage until it is as before"),
    (
        "evenness",
        lambda one: "-" if one.hub_spread is None else f"{one.hub_spread:.2f}",
        "spread of one hub's draws over its authors; 1.00 is pure chance",
    ),
    (
        "loudest author",
        lambda one: f"{one.largest_over_mean:.1f} times",
        "as often used as the mean author",
    ),
    ("requests", lambda one: f"{one.requests:.1f}", "of a node in a round"),
    ("up", lambda one: _kilobytes(one.bytes_up), "of a node in a round, to all its hubs"),
    ("down", lambda one: _kilobytes(one.bytes_down), "of a node in a round, from all it asked"),
    (
        "company",
        lambda one: f"{one.company_p50_s:.0f} / {one.company_p99_s:.0f} s",
        "from arriving to the round with the first honest item, median and p99",
    ),
]
