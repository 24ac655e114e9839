"""The swarm by all ways at once: hubs, and nodes that can be asked directly.

Once a round: own envelopes into the outbox, one batched exchange with up to three hubs, one pull
from up to eight nodes, everything screened, joined so that nobody alone decides what is practised.
Whom to ask is decided by ``core.swarm.membership``; this file carries it out.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.api.swarm_view import SwarmSeen
from core.engine.ports import Exchange
from core.net.addresses import parse_hub_url
from core.net.asking import TIMEOUT
from core.rollouts.types import PeerId, RolloutGroup
from core.swarm.backoff import Timing
from core.swarm.contacts import DIRECT, ContactPoint, Contacts
from core.swarm.exchange.audit import Auditor
from core.swarm.exchange.direct_link import Asker, own_of
from core.swarm.exchange.fanout import Fanout, FanoutRequest, Found, Sessions
from core.swarm.exchange.hub_link import Wish
from core.swarm.exchange.merging import RoundReplies, merge
from core.swarm.exchange.outbox import Outbox, tolerated
from core.swarm.exchange.receipts import Delivery, ReceiptReader, ReceiptSender, ReceiptStore
from core.swarm.exchange.sealing import Sealer
from core.swarm.exchange.served import ServedItems
from core.swarm.exchange.validation import GARBAGE, EnvelopeValidator, Self
from core.swarm.membership import WITHHOLDING_BAN_S, Ban, Membership, Source
from core.swarm.peer_stats import PeerStats, SwarmSnapshot
from core.swarm.ports import Finder, NoReceiptLog, ReceiptLog
from core.swarm.status_text import NO_WAY, describe, meeting_at
from core.wire.codec import MAX_EXCHANGE_ENVELOPES, Reason
from core.wire.identity import Identity

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """Clocks, files and proxy of a network; tests bring their own."""

    timing: Timing = field(default_factory=Timing)
    outbox: Path | None = None  # file; None: in memory
    receipt_log: ReceiptLog = field(default_factory=NoReceiptLog)
    proxy: str = ""  # to hubs outside; empty: none


class SwarmNetwork:
    """Matches ``core.engine.ports.Swarm``; the network makes it raise nothing."""

    def __init__(self, identity: Identity, own: Self, options: NetworkOptions) -> None:
        """Nothing is sent yet, and nobody known: see ``members`` and ``finders``.

        Raises:
            HomeError: the outbox cannot be opened.
        """
        key = bytes.fromhex(identity.peer_id)
        membership = None if own.keys is None else own.keys.membership(key)
        self.members = Membership()
        self.finders: list[Finder] = []
        self.when_moved: list[Callable[[], None]] = []  # told of another network, see ``hurry``
        self.served = ServedItems()  # for whoever serves others directly
        self.own = own
        self._timing = options.timing
        self._outbox = Outbox(options.outbox, own.swarm)
        self.served.put(self._outbox.recent())
        self._sealer = Sealer(identity, own, options.timing)
        self._sealer.go_on_after(self._outbox.last_sequence())
        self._validator = EnvelopeValidator(own)
        self._fanout = Fanout(Asker(identity, own.swarm, membership), options.timing)
        self._wish = Wish(key, 0, membership=membership)
        self._auditor = Auditor(own, options.timing)
        self._receipt_sender = ReceiptSender(identity, own.swarm)
        self._peer_stats = PeerStats()
        self._contacts = Contacts(options.timing.steady)
        reader = ReceiptReader(
            own.peer, own.swarm, self._outbox.was_sent, self._contacts, self._is_blocked
        )
        self._receipts = ReceiptStore(reader, options.receipt_log)
        self.counters = {  # see ``turned_away``; whoever serves and finds adds its own
            "envelopes": self._validator.rejected,
            "receipts": reader.rejected,
            "own groups": self._sealer.withheld,
        }
        self._sessions = Sessions(options.proxy)
        self._withholding: tuple[Source, Ban] | None = None  # the latest

    @property
    def turned_away(self) -> dict[str, Counter[str]]:
        """What was not taken, by what it is and by reason.

        Own envelopes were not taken by those of the hubs that are still known; pulls brought
        nothing from those of the nodes.
        """
        refused = sum((link.refused for link in self._fanout.hubs.values()), Counter[str]())
        failed = sum((link.failed for link in self._fanout.nodes.values()), Counter[str]())
        return {**self.counters, "own envelopes": refused, "pulls": failed}

    async def exchange(
        self, own: Sequence[RolloutGroup], want: int, score: float | None = None
    ) -> Exchange:
        """Offer ``own`` and draw up to ``want`` groups of others; see ``Swarm.exchange``."""
        most = min(want, MAX_EXCHANGE_ENVELOPES)
        began, now = self._timing.steady(), self._timing.wall()
        self._keep_own(own, now)
        await self._update_members()
        hubs = self.members.choose("hub", now, self._timing.rng)
        chosen = self.members.choose("node", now, self._timing.rng)
        nodes = [source for source in chosen if not self._is_blocked(source.peer)]
        round_ = RoundReplies()
        receipts = self._receipt_sender.write(now, {one.peer for one in nodes if one.peer})
        # No hub of a private swarm hears what its members can do.
        told = score if self.own.keys is None else None
        wish = replace(self._wish, want=most, receipts=tuple(receipts.values()), score=told)
        request = FanoutRequest(wish, self._outbox, receipts)
        found = await self._fanout.ask_all(self._sessions, hubs + nodes, request)
        for source, one in zip(hubs + nodes, found, strict=True):
            self._validate(source, one, round_)
        self._receipt_sender.delivered(round_.thanked)
        self._receipts.read(round_.receipts, now)
        left = self._time_left(began)
        if left > 0:
            with suppress(TimeoutError):  # a round is held up for as long as others answer
                async with asyncio.timeout(left):
                    await self._audit(hubs)
        return self._result(round_, hubs, most)

    def learnt_from(self, groups: Sequence[RolloutGroup]) -> None:
        """An update trained on these groups of others: their authors are told."""
        self._receipt_sender.learnt(groups)
        self._peer_stats.learnt(groups)

    def block(self, peer: PeerId, *, on: bool) -> None:
        """Drop everything of ``peer`` from now on, or take it again."""
        blocked = self._validator.blocked
        self._validator.blocked = blocked | {peer} if on else blocked - {peer}

    def _is_blocked(self, peer: PeerId | None) -> bool:
        return peer in self._validator.blocked

    def seen(self) -> SwarmSeen:
        """The peers met in this run, and every hub."""
        return self._peer_stats.show(
            SwarmSnapshot(
                self.own.swarm,
                self.members.all(),
                {address: link.failure for address, link in self._fanout.hubs.items()},
                self._validator.blocked,
                self._timing.wall(),
            )
        )

    def take_receipt(self, one: Delivery) -> None:
        """Somebody who asked this node directly says to have learnt from it."""
        learner = PeerId(one.receipt.learner.hex())
        if not self._is_blocked(learner):
            self._contacts.note(learner, ContactPoint(DIRECT, one.place))
        self._receipts.believe([one.receipt], self._timing.wall())

    def hurry(self) -> None:
        """This computer is on another network now: nobody is waited for any longer."""
        self._fanout.hurry()
        for tell in self.when_moved:
            tell()

    async def aclose(self) -> None:
        """Let go of connections and files; what waits to be sent stays on disk."""
        for kind, by_reason in self.turned_away.items():
            if by_reason:
                told = ", ".join(f"{reason} {n}" for reason, n in by_reason.most_common())
                _log.info("Turned away of %s: %s", kind, told)
        await self._sessions.aclose()
        self._outbox.close()

    def _keep_own(self, groups: Sequence[RolloutGroup], now: float) -> None:
        """Put own groups where others get them from."""
        letters = self._sealer.seal_all(groups)
        self.served.put(letters)
        with tolerated():
            self._outbox.put(letters)
        with tolerated():
            self._outbox.handed_out(self.served.collect_picked())
            has_hubs = any(source.kind == "hub" for source in self.members.all())
            self.served.put(self._outbox.refresh(now, self._sealer.reseal, for_hubs=has_hubs))

    def _time_left(self, began: float) -> float:
        """Seconds of ``TIMEOUT`` that an exchange still has."""
        return (TIMEOUT.total or 0.0) - (self._timing.steady() - began)

    async def _update_members(self) -> None:
        for finder in self.finders:
            sources = list(await finder.look())
            self.members.keep_only(finder.origin, [source.address for source in sources])
            for source in sources:
                self.members.add(source)
        self._fanout.keep_only(self.members)

    def _validate(self, source: Source, found: Found | None, round_: RoundReplies) -> None:
        """Screen what a source handed out, and judge the source by it."""
        if found is None:
            if source.address not in self._fanout.refusing(Reason.RATE):
                self.members.failed(source.address)
            elif source.kind == "hub":  # which is there, and would not say so again
                link = self._fanout.hubs[source.address]
                round_.add_hub(source, link.key, link.peers)
            return
        now = self._timing.wall()
        good, refused = self._validator.open_all(found.envelopes, now, found.sites)
        bad = sum(refused[reason] for reason in GARBAGE)
        if source.kind == "node":  # there, nobody speaks for others
            handed_on, good = len(good), own_of(source.peer, good)
            bad += handed_on - len(good)
            round_.nodes.append(good)
        else:
            key = self._fanout.hubs[source.address].key
            round_.add_hub(source, key, found.peers, good)
        origin = source.address if source.kind == "hub" else DIRECT
        for one in good:
            round_.origins.setdefault(one.label, source)
            self._contacts.note(one.group.author, ContactPoint(origin, one.group.site))
        round_.refused += refused
        round_.receipts += found.receipts
        round_.thanked.update(found.thanked)
        _tell_ban(self.members.answered(source.address, now, len(good), bad))

    async def _audit(self, hubs: Sequence[Source]) -> None:
        """Now and then, see whether a hub hands on what is left there."""
        for source in hubs:
            link, session = self._fanout.hubs.get(source.address), self._sessions.to(source)
            if link is not None and await self._auditor.finds_fault(session, source, link):
                now = self._timing.wall()
                ban = self.members.ban(source.address, "withholds", now, WITHHOLDING_BAN_S)
                self._withholding = (source, ban) if ban else None
                _tell_ban(ban)

    def _result(self, round_: RoundReplies, hubs: Sequence[Source], want: int) -> Exchange:
        offers = round_.offers()
        received = merge(offers, want, self._validator.take)
        self._receipt_sender.note(received)
        self._peer_stats.note(received, round_.origins, self._timing.wall())
        lines = [(s, at) for s in hubs if (at := self._fanout.hubs.get(s.address)) is not None]
        alive = self.members.alive_nodes(self._timing.wall())
        meets_other = self._fanout.refusing(Reason.VERSION) or round_.refused[Reason.RULESET]
        meeting = replace(
            meeting_at(lines),
            answered=len(round_.claimed),
            peers=max(self._contacts.alive([*round_.claimed.values()]), alive),
            nodes=alive,
            other_release=bool(meets_other) and not any(offers),
            withheld_by=self._withheld_by(),
            trouble=self._trouble(),
        )
        return Exchange(
            groups=tuple(one.group for one in received),
            peers=meeting.peers,
            reachable=bool(round_.claimed or alive or not hubs),
            words=describe(meeting),
            learners=self._receipts.learners,
        )

    def _trouble(self) -> str | None:
        if not self.finders and not len(self.members):
            return NO_WAY
        return next((finder.trouble for finder in self.finders if finder.trouble), None)

    def _withheld_by(self) -> str | None:
        """The host of a hub that is left out for withholding, and not for another thing since."""
        if self._withholding is None:
            return None
        source, ban = self._withholding
        is_left_out = source.banned_until == ban.until and source.is_banned(self._timing.wall())
        return parse_hub_url(source.address).host if is_left_out else None


def _tell_ban(ban: Ban | None) -> None:
    if ban is not None:
        _log.warning("Leaving %s alone for a while: it %s", ban.address, ban.reason)
