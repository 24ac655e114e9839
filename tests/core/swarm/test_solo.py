"""Going alone."""

from core.api.swarm_view import SwarmSeen
from core.engine.ports import Swarm
from core.swarm.solo import SoloSwarm
from tests.envelopes import ANNE, group


async def test_solo_is_a_swarm_of_nobody() -> None:
    """It fits where a swarm is wanted, takes everything and brings nothing."""
    solo = SoloSwarm()
    swarm: Swarm = solo
    exchange = await swarm.exchange([group(ANNE.peer_id)], 8)
    assert (exchange.groups, exchange.peers, exchange.reachable) == ((), 0, True)
    assert exchange.words == "Practising alone."
    solo.block(ANNE.peer_id, on=True)
    assert solo.seen() == SwarmSeen()
    await solo.aclose()
