"""A swarm met at hubs: one batched exchange with each per round."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import aiohttp
import msgspec

from core.engine.ports import Exchange
from core.errors import UsageError, WireError
from core.rollouts.types import RolloutGroup
from core.swarm.backoff import Timing
from core.swarm.hub_link import HubLink, open_session, parse_hub_url
from core.swarm.merging import merge
from core.swarm.outbox import Letter
from core.swarm.screen import Screen
from core.swarm.words import Meeting, describe
from core.wire.codec import MAX_EXCHANGE_ENVELOPES, Reason, SwarmName
from core.wire.envelope import Stamp, seal
from core.wire.exchange import ExchangeReply
from core.wire.identity import Identity


class HubSwarm:
    """Matches ``core.engine.ports.Swarm``; the network makes it raise nothing."""

    def __init__(
        self,
        identity: Identity,
        swarm: str,
        hubs: Sequence[str],
        ruleset: str,
        timing: Timing | None = None,
    ) -> None:
        """Meet ``swarm`` at ``hubs`` (base URLs, at least one); nothing is sent yet.

        Raises:
            UsageError: a hub's address or the swarm's name is malformed, or there is no hub.
        """
        if not hubs:
            raise UsageError("No meeting point is named. Add --hub URL, or go alone with --solo.")
        self._identity = identity
        self._asker = bytes.fromhex(identity.peer_id)
        self._swarm = _checked_name(swarm)
        self._ruleset = ruleset
        self._timing = timing or Timing()
        addresses = dict.fromkeys(parse_hub_url(url) for url in hubs)
        self._links = [HubLink(address, swarm, self._timing) for address in addresses]
        self._screen = Screen(identity.peer_id, swarm, ruleset)
        self._session: aiohttp.ClientSession | None = None
        self._sequence = 0
        self.withheld: Counter[str] = Counter()  # own groups that break a limit, by reason

    @property
    def rejected(self) -> Counter[str]:
        """Envelopes from hubs that were not used, by reason."""
        return self._screen.rejected

    @property
    def refused(self) -> Counter[str]:
        """Own envelopes that hubs did not take, by reason."""
        return sum((link.refused for link in self._links), Counter())

    async def exchange(self, own: Sequence[RolloutGroup], want: int) -> Exchange:
        """Offer ``own`` and draw up to ``want`` groups of others; see ``Swarm.exchange``."""
        letters = self._seal(own)
        for link in self._links:
            link.put(letters)
        if self._session is None:
            self._session = open_session()
        most = min(want, MAX_EXCHANGE_ENVELOPES)
        visits = (link.exchange(self._session, self._asker, most) for link in self._links)
        replies = [reply for reply in await asyncio.gather(*visits) if reply is not None]
        return self._sum_up(replies, most)

    async def aclose(self) -> None:
        """Let go of connections; what waits to be sent is lost."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _sum_up(self, replies: Sequence[ExchangeReply], want: int) -> Exchange:
        now = self._timing.wall()
        strangers = self.rejected[Reason.RULESET]
        offers = [self._screen.open_all(reply.envelopes[:want], now) for reply in replies]
        meeting = Meeting(
            hosts=tuple(link.host for link in self._links),
            answered=len(replies),
            peers=max((reply.peers for reply in replies), default=0),
            clock_is_wrong=any(link.clock_is_wrong for link in self._links),
            other_release=self.rejected[Reason.RULESET] > strangers and not any(offers),
        )
        received = merge(offers, want, self._screen.take)
        return Exchange(
            groups=tuple(one.group for one in received),
            peers=meeting.peers,
            reachable=bool(replies),
            words=describe(meeting),
        )

    def _seal(self, own: Sequence[RolloutGroup]) -> list[Letter]:
        letters = []
        for slot, group in enumerate(own):
            now = self._timing.wall()
            stamp = Stamp(self._swarm, self._ruleset, slot, self._next_sequence(now), now)
            try:
                letters.append(Letter(now, seal(self._identity, group, stamp)))
            except WireError as error:
                self.withheld[error.reason] += 1
        return letters

    def _next_sequence(self, now: float) -> int:
        """Microseconds, or the last one plus one: it grows over restarts without being kept."""
        self._sequence = max(self._sequence + 1, int(now * 1e6))
        return self._sequence


def _checked_name(swarm: str) -> str:
    try:
        return msgspec.convert(swarm, SwarmName)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"{swarm!r} is no name of a swarm. Use up to 40 small letters, digits and hyphens, "
            "such as meadow."
        ) from error
