"""The page for Prometheus."""

import re
from collections import Counter

from core.hub.metrics import HubCounters, render
from core.hub.store import StoreStats


def test_every_figure_is_on_the_page() -> None:
    """Counters by reason and gauges, each with its type, one per line."""
    rejected, refused = Counter(clock=2, signature=1), Counter(rate=4)
    tally = HubCounters(5, 7, 3, receipts=6, rejected=rejected, refused=refused)
    page = render(tally, StoreStats(authors=2, items=5, bytes=900))
    assert "waggle_hub_accepted_total 5\n" in page
    assert 'waggle_hub_rejected_total{reason="clock"} 2\n' in page
    assert 'waggle_hub_refused_total{reason="rate"} 4\n' in page
    assert "waggle_hub_receipts_total 6\n" in page
    assert "waggle_hub_items 5\n" in page
    assert "waggle_hub_bytes 900\n" in page


def test_every_line_is_valid() -> None:
    """Prometheus can read the page of a fresh hub, too."""
    line = re.compile(r'# (HELP|TYPE) waggle_hub_\w+ .+|waggle_hub_\w+(\{reason="[a-z]+"\})? \d+')
    for tally in (HubCounters(), HubCounters(rejected=Counter(size=1))):
        page = render(tally, StoreStats(0, 0, 0))
        assert page.endswith("\n")
        assert all(line.fullmatch(row) for row in page.splitlines())
