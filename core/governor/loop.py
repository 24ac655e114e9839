"""Looks after a node: asks the sensors every few seconds, and pauses and resumes by the rules.

What the person asks for takes effect at once, even while a sensor is slow. Until it answers, its
last reading counts for a while. One that never answers holds nothing up: then nothing but time and
rules is known, and what is unknown is no reason to pause.
"""

import asyncio
import math
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, Protocol, assert_never

from core.api.events import Pause, PauseReason, Resume, Snooze
from core.governor.conditions import Conditions, Moment, Situation, this_moment
from core.governor.decide import Decision, GovernorState, Hold, Run, Wishes, decide, override
from core.settings import RulesSettings
from core.threads import aside

PERIOD_S: Final = 5.0

TIMEOUT_S: Final = 5.0
"""For all sensors together, which take some milliseconds where nothing is wrong."""


KEPT_S: Final = 120.0
"""For how long a reading counts while none comes after it.

A computer that is busy, or has just woken up, keeps a sensor waiting for tens of seconds: that is
no reason to practise on battery, nor to take back what a person has waived. A sensor that hangs for
good must not hold practice for good, either, whatever it said last.
"""


DRIFT_S: Final = 10.0
"""So far apart two clocks may get in hours before the end of a snooze is told anew."""


class ConditionSource(Protocol):
    """Says how things stand on this machine; blocking."""

    def sense(self, rules: RulesSettings) -> Conditions:
        """Ask the sensors that ``rules`` call for; never raises, what cannot be told is None."""


class Governed(Protocol):
    """Protocol of a node that can be paused; ``core.engine.loop.NodeLoop`` is one."""

    def pause(self, reason: PauseReason, until: int | None = None, detail: str = "") -> None:
        """Hold after the running round."""

    def resume(self) -> None:
        """Go on after a pause."""

    def set_share(self, share: float) -> None:
        """Work for ``share`` of the time."""


class GovernorLoop:
    """Decides for one node and one run, by what the person asked for and what the sensors say.

    Decisions reach the node whenever they change; the rules themselves are in ``governor``.
    """

    def __init__(
        self,
        senses: ConditionSource,
        rules: Callable[[], RulesSettings],
        moment: Callable[[], Moment] = this_moment,
        wait: Callable[[float], Awaitable[object]] = asyncio.sleep,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._senses = senses
        self._rules = rules  # as they are now; blocking
        self._moment = moment
        self._wait = wait
        self._timeout_s = timeout_s
        self._rules_turn = threading.Lock()  # held by whoever reads the rules
        self._turn = threading.Lock()  # held by whoever asks the sensors
        self._read = RulesSettings()  # the newest
        self._reading = (-math.inf, Conditions())  # the newest, with the clock when it began
        self._known = (Conditions(), RulesSettings())  # as of the last look
        self._wishes = Wishes()
        self._snoozed_until = 0.0  # by the clock that nobody sets
        self._course = GovernorState()
        self._node: Governed | None = None
        self._told: Decision | None = None  # to the node

    @asynccontextmanager
    async def over(self, node: Governed) -> AsyncIterator[None]:
        """Govern ``node`` from here to the end of the block."""
        self._node = node
        await self._look()
        failure: Exception | None = None
        async with asyncio.TaskGroup() as group:
            watch = group.create_task(self._watch())
            try:
                yield
            except Exception as error:  # noqa: BLE001 - raised below: the group would wrap it
                failure = error
            finally:
                watch.cancel()
                self._node = None
        if failure is not None:
            raise failure

    def obey(self, command: Pause | Resume | Snooze) -> None:
        """Do what the person asks for, before the rules are asked."""
        moment = self._moment()
        match command:
            case Pause():
                self._wishes = Wishes(paused=True)
            case Snooze():
                self._wishes = Wishes(snoozed_until=moment.unix + command.seconds)
                self._snoozed_until = moment.clock + command.seconds
            case Resume() if self._wishes.stand(moment.unix):
                self._wishes = Wishes()
            case Resume():
                self._wishes = Wishes()
                self._course = override(self._course, self._situation())
            case _:
                assert_never(command)
        self._decide()

    async def _watch(self) -> None:
        while True:
            await self._wait(PERIOD_S)
            await self._look()

    async def _look(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timeout_s):
                await aside(lambda _: _alone(self._rules_turn, self._read_rules))
                await aside(lambda _: _alone(self._turn, self._sense))
        began, conditions = self._reading
        is_old = self._moment().clock - began > KEPT_S
        self._known = Conditions() if is_old else conditions, self._read
        self._decide()

    def _read_rules(self) -> None:
        self._read = self._rules()

    def _sense(self) -> None:
        began = self._moment().clock
        self._reading = began, self._senses.sense(self._read)

    def _bound_snooze(self) -> None:
        """A clock that was set back since must not make a snooze last for a day more."""
        moment = self._moment()
        latest = moment.unix + max(0.0, self._snoozed_until - moment.clock)
        if self._wishes.snoozed_until > latest + DRIFT_S:
            self._wishes = Wishes(snoozed_until=latest)

    def _situation(self) -> Situation:
        return Situation(self._moment(), *self._known)

    def _decide(self) -> None:
        """Decide by what is known, and tell the node if that is news to it."""
        self._bound_snooze()
        self._course = decide(self._course, self._situation(), self._wishes)
        decision = self._course.decision
        if self._node is not None and decision != self._told:
            self._told = decision
            _tell(self._node, decision)


def _alone(turn: threading.Lock, ask: Callable[[], None]) -> None:
    """Ask in a thread of its own; what comes late counts at the next look.

    Not while an earlier look still waits, for a sensor or a disk that hangs: or threads pile up.
    """
    if not turn.acquire(blocking=False):
        return
    try:
        ask()
    finally:
        turn.release()


def _tell(node: Governed, decision: Decision) -> None:
    match decision:
        case Run():
            node.set_share(decision.share)
            node.resume()
        case Hold():
            node.pause(decision.reason, decision.until, decision.detail)
        case _:
            assert_never(decision)
