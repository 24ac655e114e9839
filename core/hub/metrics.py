"""Counters of a hub, and its page for Prometheus."""

from collections import Counter
from dataclasses import dataclass, field

from core.hub.store import StoreStats

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(slots=True)
class HubCounters:
    """Envelopes and requests since the hub started."""

    accepted: int = 0  # envelopes
    served: int = 0  # envelopes handed out
    exchanges: int = 0  # answered
    receipts: int = 0  # taken
    rejected: Counter[str] = field(default_factory=Counter)  # envelopes, by reason
    refused_receipts: Counter[str] = field(default_factory=Counter)  # by reason
    refused: Counter[str] = field(default_factory=Counter)  # whole requests, by reason


def render(tally: HubCounters, stats: StoreStats) -> str:
    """The figures in Prometheus' text format."""
    lines = [
        *_metric("accepted_total", "counter", "Envelopes taken.", tally.accepted),
        *_metric("served_total", "counter", "Envelopes handed out.", tally.served),
        *_metric("exchanges_total", "counter", "Exchanges answered.", tally.exchanges),
        *_by_reason("rejected_total", "Envelopes not taken.", tally.rejected),
        *_metric("receipts_total", "counter", "Receipts taken.", tally.receipts),
        *_by_reason("refused_receipts_total", "Receipts not taken.", tally.refused_receipts),
        *_by_reason("refused_total", "Requests not answered.", tally.refused),
        *_metric("authors", "gauge", "Authors with a living item.", stats.authors),
        *_metric("items", "gauge", "Living items.", stats.items),
        *_metric("bytes", "gauge", "Bytes of living items.", stats.bytes),
    ]
    return "\n".join(lines) + "\n"


def _metric(name: str, kind: str, words: str, value: int) -> list[str]:
    return [*_head(name, kind, words), f"waggle_hub_{name} {value}"]


def _by_reason(name: str, words: str, counts: Counter[str]) -> list[str]:
    rows = [f'waggle_hub_{name}{{reason="{why}"}} {n}' for why, n in sorted(counts.items())]
    return [*_head(name, "counter", words), *rows]


def _head(name: str, kind: str, words: str) -> list[str]:
    return [f"# HELP waggle_hub_{name} {words}", f"# TYPE waggle_hub_{name} {kind}"]
