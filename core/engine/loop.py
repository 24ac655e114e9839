"""Round after round: resume, pause, save, stop.

The order at the end of a round is the promise of "nothing is lost": first the ledger (recording a
round again replaces it), then the checkpoint, then the word to the world. A crash in between
repeats one round; it can neither skip nor double one.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import msgspec

from core.api import events
from core.api.preview import Preview, WatchPuzzles
from core.engine.awake import awake_s
from core.engine.plan import RoundPlan
from core.engine.ports import Exchange, Ledger, Meter, NoMeter, Progress
from core.engine.presence import Presence
from core.engine.round import Parts, Round, play_round
from core.engine.sizing import RoundSizer
from core.engine.swarm_monitor import SwarmMonitor, SwarmWatch
from core.errors import UsageError
from core.i18n import remarks_of, translatable
from core.rollouts.types import PeerId, TaskId

MOST_REST_S = 1_800.0
"""However long a round took; a tenth of the time holds for rounds of up to three minutes, half of
it for those of half an hour. A round may still seem to have taken a whole night: what a person
calls sleep is waking to some computers."""

TOLD_REST_S = 60.0
"""A rest that is shorter is over before anybody looked at the clock."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of one run of the loop."""

    rounds: int | None = None  # stop after this many rounds of this run; None: until told
    seed: int | None = None  # insisted on; None: the checkpoint's, else the plan's
    recipe: str | None = None  # likewise
    solo: bool = False


@dataclass(frozen=True, slots=True)
class LoopContext:
    """Ledger, listener, names and clocks of a loop, beside the parts of a round."""

    ledger: Ledger
    emit: Callable[[events.Event], None]
    name_of: Callable[[PeerId], str]  # friendly name of a node
    watch: SwarmWatch
    now: Callable[[], float] = time.time  # unix seconds
    title_of: Callable[[TaskId], str] = str  # of a kind of puzzle
    clock: Callable[[], float] = awake_s  # seconds, whatever is done to the time of day
    meter: Meter = field(default_factory=NoMeter)


class NodeLoop:
    """Plays rounds until it has played enough or is told to end."""

    def __init__(
        self, plan: RoundPlan, parts: Parts, context: LoopContext, options: RunOptions
    ) -> None:
        self._plan = plan
        self._sizer = RoundSizer(plan)  # until ``_begin`` knows where to go on
        self._parts = parts
        self._context = context
        self._options = options
        self._presence = Presence()
        self._swarm: events.SwarmChanged | None = None  # as told last
        self._pause: events.Paused | None = None  # wanted now; it begins when no round runs
        self._ahead: events.PauseAhead | None = None  # as told last; None: nothing to tell
        self._last: int | None = None  # number of the last round; None: until told to end
        self._share = 1.0  # of the time
        self._worked_s, self._over_at = 0.0, 0.0  # of the last round: its length, when it was over
        self._finishing = False
        self._stopping = False
        self.ended = False  # said that it stopped, and plays no more
        self._changed = asyncio.Event()  # something was asked for: rests and pauses look again
        self._task: asyncio.Task[object] | None = None
        self._blocked: set[PeerId] = set()  # blocked in this run
        self.monitor = SwarmMonitor(context.watch, context.emit)
        self.preview: Preview | None = None  # None: nobody watches the puzzles

    def pause(self, reason: events.PauseReason, until: int | None = None, detail: str = "") -> None:
        """Hold after the running round; what may be said about it is that of ``Paused``."""
        self._pause = events.Paused(reason=reason, until=until, detail=detail)
        self._tell_ahead()
        self._changed.set()

    def resume(self) -> None:
        """Go on after a pause."""
        self._pause = None
        self._tell_ahead()
        self._changed.set()

    def set_share(self, share: float) -> None:
        """Work for ``share`` of the time, in (0, 1], and rest after each round for what is left."""
        self._share = share
        self._changed.set()

    def block(self, peer: PeerId, *, on: bool) -> None:
        """Learn nothing from ``peer`` after the running round, or learn from it again."""
        (self._blocked.add if on else self._blocked.discard)(peer)
        self.monitor.block(peer, on=on)

    def watch_puzzles(self, wish: WatchPuzzles) -> None:
        """Show puzzles as they are tried, of the kind and level that are wished for."""
        context = self._context
        self.preview = Preview(context.title_of, context.name_of, wish=wish) if wish.on else None

    def finish(self) -> None:
        """Complete the running round, save, and end."""
        self._finishing = True
        self._tell_ahead()
        self._changed.set()

    def stop(self) -> None:
        """Drop the running round and end; all finished rounds are safe already."""
        self._stopping = True
        self._changed.set()
        if self._task is not None and not self.ended:  # what follows a run is not ours to cancel
            self._task.cancel()

    async def run(self) -> Progress:
        """Resume from the newest checkpoint and play; the progress reached is on disk.

        Raises:
            UsageError: another seed or recipe is insisted on than the checkpoint's.
            WaggleError: whatever the parts cannot get over; finished rounds are safe.
        """
        self._task = asyncio.current_task()
        progress = Progress(self._plan.seed, 0, self._plan.recipe)
        try:
            progress = await self._begin()
            if self._options.rounds is not None:
                self._last = progress.round + self._options.rounds
            while not self._ended(progress):
                if self._pause is not None:
                    await self._wait_out_pause()
                elif (left_s := self._rest_left_s()) > 0:
                    await self._rest(progress.round + 1, left_s)
                else:
                    progress = await self._advance(progress)
        except asyncio.CancelledError:
            if not self._stopping or self._task is None:
                raise
            self._task.uncancel()
        self.ended = True
        self._context.emit(events.Stopped(round=progress.round))
        return progress

    def _ended(self, progress: Progress) -> bool:
        enough = self._last is not None and progress.round >= self._last
        return enough or self._finishing or self._stopping

    async def _begin(self) -> Progress:
        found = await self._parts.on_model_thread(self._parts.learner.resume)
        progress = found or Progress(self._plan.seed, 0, self._plan.recipe)
        self._refuse_other_run(progress)
        self._plan = replace(self._plan, seed=progress.seed, recipe=progress.recipe)
        self._sizer = RoundSizer(self._plan, given_up=progress.given_up, solo=self._options.solo)
        self._parts.skills.restore(progress)
        self._parts.taught.restore(progress.taught, progress.cells)
        self._context.ledger.forget_after(progress.round)
        self._context.emit(
            events.Started(
                model=self._plan.model,
                round=progress.round,
                peer=self._plan.author,
                name=self._context.name_of(self._plan.author),
                solo=self._options.solo,
                history=tuple(self._context.ledger.points(self._plan.scope)),
                base_skill=self._parts.skills.base_skill(),
                scope=self._plan.scope,
            )
        )
        return progress

    def _refuse_other_run(self, progress: Progress) -> None:
        for what, asked, kept in (
            ("seed", self._options.seed, progress.seed),
            ("recipe", self._options.recipe, progress.recipe),
        ):
            if asked is not None and asked != kept:
                raise UsageError(
                    translatable(
                        "The model {} has already practised here with {} {}, "
                        "not {}. Leave out --{} to go on with it, "
                        "or choose another folder with --home.",
                        self._plan.model,
                        what,
                        kept,
                        asked,
                        what,
                    )
                )

    async def _advance(self, progress: Progress) -> Progress:
        """Play and save one round."""
        number, began = progress.round + 1, self._context.clock()
        self._drop_blocked()
        self._ahead = None if number == self._last else events.PauseAhead()
        played = await play_round(number, self._sizer.next, self._parts, self._context.emit)
        took = self._context.clock() - began
        self._sizer.note(took)
        done = replace(self._parts.progress(progress, number), given_up=self._sizer.given_up)
        self._context.emit(events.PhaseEntered(round=number, phase="saving"))
        await self._save(done, played)
        self._report_swarm(played.exchange)
        self._show_puzzles(played)
        self._over_at = self._context.clock()
        self._worked_s = self._over_at - began
        return done

    async def _save(self, done: Progress, played: Round) -> None:
        cost = self._context.meter.read()  # saving counts with the next round, or a pause
        finished = cost.of(msgspec.structs.replace(played.finished, at=self._context.now()))
        self._context.ledger.record(finished)
        await self._parts.on_model_thread(self._parts.learner.save, done)
        self._ahead = None
        self._context.emit(finished)
        self._context.emit(events.Checkpointed(round=done.round))

    def _drop_blocked(self) -> None:
        """Drop the groups in the pool that were written by nodes blocked in this run.

        Between rounds only: within one the model thread may be at the pool.
        """
        waiting = [one for one in self._parts.pool if one.group.author in self._blocked]
        self._parts.pool.discard(waiting)

    def _report_swarm(self, exchange: Exchange) -> None:
        """Tell who came and went, and how the swarm changed, by what the round exchanged."""
        if self._options.solo:
            return
        change = self._presence.update((g.author for g in exchange.groups), self._context.clock())
        for peer in change.joined:
            self._context.emit(events.PeerJoined(peer=peer, name=self._context.name_of(peer)))
        for peer in change.left:
            self._context.emit(events.PeerLeft(peer=peer, name=self._context.name_of(peer)))
        swarm = events.SwarmChanged(
            reachable=exchange.reachable,
            peers=exchange.peers,
            words=str(exchange.words),
            learners=exchange.learners,
            remarks=remarks_of(exchange.words),
        )
        if swarm != self._swarm:
            self._swarm = swarm
            self._context.emit(swarm)
        self.monitor.look()

    def _show_puzzles(self, played: Round) -> None:
        """Tell some of the round's puzzles with answers, if somebody watches."""
        if self.preview is not None:
            for puzzle in self.preview.choose(played.finished.round, played.own, played.received):
                self._context.emit(puzzle)

    def _tell_ahead(self) -> None:
        """Tell what follows the running round, if there is one and that has changed."""
        if self._ahead is None:
            return
        ahead, pause = events.PauseAhead(), self._pause
        if pause is not None and not self._finishing:
            ahead = events.PauseAhead(reason=pause.reason, detail=pause.detail)
        if ahead != self._ahead:
            self._ahead = ahead
            self._context.emit(ahead)

    def _rest_left_s(self) -> float:
        """Seconds still to rest after the last round, by its length and the share of the time."""
        rest_s = min(self._worked_s * (1 / self._share - 1), MOST_REST_S)
        return rest_s - (self._context.clock() - self._over_at)

    async def _rest(self, number: int, left_s: float) -> None:
        """Leave the machine alone, until that is over or something is told."""
        self._changed.clear()
        until = round(self._context.now() + left_s) if left_s >= TOLD_REST_S else None
        self._context.emit(events.PhaseEntered(round=number, phase="resting", until=until))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), left_s)

    async def _wait_out_pause(self) -> None:
        """Hold until told otherwise; a changed reason is told again."""
        told: events.Paused | None = None
        while self._pause is not None and not (self._finishing or self._stopping):
            self._changed.clear()
            if self._pause != told:
                told = self._pause
                self._context.emit(told)
            await self._changed.wait()
        self._context.meter.read()  # what a pause took is no round's
        if not (self._finishing or self._stopping):
            self._context.emit(events.Resumed())
