"""What was measured of hubs under load, in figures and sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.lab.scale.load import LoadPlan, LoadResult

HEADINGS: Final = ("figure", "value", "what it says")
_PERCENT: Final = 100.0


@dataclass(frozen=True, slots=True)
class LoadReport:
    """The figures of one run; times in ms, bytes of bodies, all of the measured seconds only."""

    plan: LoadPlan
    seconds: float
    exchanges: int  # answered
    exchanges_per_s: float
    p50_ms: float
    p90_ms: float
    p99_ms: float
    max_ms: float
    failures: dict[str, int]  # requests, by reason
    not_taken: dict[str, int]  # own envelopes, by verdict
    not_good: dict[str, int]  # envelopes of others, by reason
    requests_per_round: float  # of a client
    up_per_round: float
    down_per_round: float
    drawn_per_round: float  # good envelopes of others
    authors: int  # distinct ones drawn
    largest_share: float  # of one author in all that was drawn
    hub_cpu_ms: tuple[float, ...]  # per exchange that all hubs answered, of each hub
    hub_load: tuple[float, ...]  # of a core, of each hub
    hub_rss_mb: tuple[float, ...]
    driver_load: float  # of a core; near 1, this program and not the hub is measured
    driver_late_p99_ms: float  # how late this program began a round


def report(measured: LoadResult) -> LoadReport:
    """Sum up; every figure is 0 where nothing was answered."""
    stats, seconds = measured.stats, measured.seconds
    latencies = stats.latencies_s
    answered, rounds, drawn = len(latencies), max(1, stats.rounds), stats.authors.total()
    return LoadReport(
        plan=measured.plan,
        seconds=seconds,
        exchanges=answered,
        exchanges_per_s=answered / seconds if seconds else 0.0,
        p50_ms=1_000 * quantile(latencies, 0.5),
        p90_ms=1_000 * quantile(latencies, 0.9),
        p99_ms=1_000 * quantile(latencies, 0.99),
        max_ms=1_000 * quantile(latencies, 1.0),
        failures=dict(stats.failures),
        not_taken=dict(stats.not_taken),
        not_good=dict(stats.not_good),
        requests_per_round=stats.requests / rounds,
        up_per_round=stats.bytes_up / rounds,
        down_per_round=stats.bytes_down / rounds,
        drawn_per_round=drawn / rounds,
        authors=len(stats.authors),
        largest_share=max(stats.authors.values(), default=0) / max(1, drawn),
        hub_cpu_ms=tuple(1_000 * cost.cpu_s / max(1, answered) for cost in measured.costs),
        hub_load=tuple(cost.cpu_s / seconds if seconds else 0.0 for cost in measured.costs),
        hub_rss_mb=tuple(cost.rss_bytes / 2**20 for cost in measured.costs),
        driver_load=measured.driver_cpu_s / seconds if seconds else 0.0,
        driver_late_p99_ms=1_000 * quantile(stats.late_s, 0.99),
    )


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that ``share`` of all do not exceed; 0 where there are none."""
    return float(np.quantile(values, share, method="inverted_cdf")) if values else 0.0


def rows(figures: LoadReport) -> list[tuple[str, str, str]]:
    """For people: each figure with a sentence."""
    one = figures
    return [
        ("exchanges", f"{one.exchanges:,}", f"answered in {one.seconds:.0f} s"),
        ("a second", f"{one.exchanges_per_s:.1f}", "over all hubs"),
        (
            "latency",
            " / ".join(f"{ms:.0f}" for ms in (one.p50_ms, one.p90_ms, one.p99_ms, one.max_ms)),
            "ms at p50, p90, p99, max, connection included",
        ),
        ("failures", _counts(one.failures), "requests that were not answered"),
        ("not taken", _counts(one.not_taken), "own envelopes that the hub refused"),
        ("not good", _counts(one.not_good), "envelopes of others that clients refused"),
        ("requests", f"{one.requests_per_round:.2f}", "of a client in a round, audits included"),
        ("up", f"{one.up_per_round / 1_000:.1f} KB", "of a client in a round, bodies only"),
        ("down", f"{one.down_per_round / 1_000:.1f} KB", "the same"),
        ("drawn", f"{one.drawn_per_round:.1f}", "good groups of others, in a round"),
        ("authors", f"{one.authors:,}", "distinct ones whose groups came"),
        ("largest share", f"{one.largest_share:.3%}", "of one author in all that came"),
        ("hub", _each(one.hub_cpu_ms, "{:.1f} ms"), "processor time for an exchange, of each hub"),
        ("", _each(one.hub_load, "{:.0%}"), "of a core, of each hub"),
        ("", _each(one.hub_rss_mb, "{:.0f} MB"), "memory at the end, of each hub"),
        (
            "this program",
            f"{one.driver_load:.0%} of a core",
            f"and began rounds up to {one.driver_late_p99_ms:.0f} ms late (p99)",
        ),
    ]


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {reason}" for reason, count in counts.items()) or "none"


def _each(values: Sequence[float], form: str) -> str:
    return ", ".join(form.format(value) for value in values) or "not measured"
