"""Hubs of the lab's own."""

import aiohttp
import psutil
import pytest

from core.errors import SwarmError
from core.lab.scale.hub_children import hub_children


async def test_a_hub_runs_within_the_block_and_no_longer() -> None:
    """It answers, says what it costs, and is gone afterwards."""
    async with hub_children(None, 1) as (hub,):
        async with aiohttp.ClientSession() as session, session.get(f"{hub.url}/healthz") as reply:
            assert await reply.text() == "ok\n"
        spent = hub.usage()
        assert spent.cpu_s > 0
        assert spent.rss_bytes > 1 << 20
    assert not psutil.pid_exists(hub.pid)
    with pytest.raises(SwarmError, match="has ended"):
        hub.usage()


async def test_a_hub_that_does_not_start_is_told() -> None:
    """Such as on a store that is none."""
    with pytest.raises(SwarmError, match="does not start"):
        async with hub_children("nonsense", 1):
            pass
