"""The engine's side of the isolated judge: questions and rewards, whatever the answers do to it.

One judge process at a time. Its replies are awaited against the clock; when it is lost, it is
killed, a fresh one goes on, and ``trial`` decides which answer pays.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from core.decks.library import DeckLibrary
from core.errors import DeckError, PuzzleError, RulesetError, ScorerError, UnknownTaskError
from core.i18n import retold, translatable
from core.rollouts.types import PuzzleKey, Question, RolloutGroup, ScoredGroup
from core.storage.bounded import BoundedDict
from core.tasks.catalog import SEEDS, TaskCatalog
from core.tasks.confinement import Confinement
from core.tasks.judge_child import ChildLostError, JudgeChild, judge_command
from core.tasks.judge_messages import Greeting, Judged, Made, Ready, Work, WorkRefused, is_digest
from core.tasks.trial import Outcome, Trial

_MOST_DEADLY: Final = 4096
"""Puzzles remembered for losing the judge; a stranger can name any number of keys."""

_MOST_LOSSES: Final = 5
"""Judges lost in a row without a reply, but for puzzles that strangers named."""


@dataclass(frozen=True, slots=True)
class JudgeTimeouts:
    """How much the judge is granted; times in seconds."""

    start_s: float = 60.0  # cold disks and virus scanners
    question_s: float = 10.0
    answer_s: float = 1.0
    busy_s: float = 300.0  # then a fresh judge takes over, long before its processor time is up


class IsolatedScorer:
    """Makes questions and judges answers in a process that an answer cannot get out of.

    Matches ``core.engine.ports.Scorer``. Use it as an async context manager, or call ``start``
    and ``close``; for one event loop.
    """

    def __init__(
        self,
        catalog: TaskCatalog,
        library: Path | None = None,
        *,
        timeouts: JudgeTimeouts | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        """Prepare.

        Args:
            catalog: what can be asked.
            library: folder of the decks in it; not needed where it has none.
            timeouts: how much the judge is granted.
            command: starts another judge than that of this release.
        """
        self._catalog = catalog
        self._timeouts = timeouts or JudgeTimeouts()
        self._command = command or judge_command(_deck_files(catalog, library))
        self._lock = asyncio.Lock()  # one conversation at a time
        self._child: JudgeChild | None = None
        self._confinement: Confinement | None = None  # None: the child has not greeted yet
        self._losses = 0
        self._deadly = BoundedDict[PuzzleKey, int](_MOST_DEADLY)  # judges lost while making it
        self._busy_s = 0.0
        self._closed = False

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def start(self) -> None:
        """Start the judge; it loads in the background, and the first request waits for it.

        Raises:
            ScorerError: the system starts no process.
        """
        async with self._lock:
            await self._present()

    async def close(self) -> None:
        """End the judge; a request under way fails."""
        self._closed = True
        if self._child is not None:
            await self._child.end()
        async with self._lock:
            await self._drop()

    async def confinement(self) -> Confinement:
        """Which protections are on around the judge, and which are not and why.

        Raises:
            ScorerError: the judge cannot be started.
            RulesetError: its puzzles are not those of the protocol.
            DeckError: it cannot read one of the decks.
        """
        async with self._lock:
            _, confinement = await self._greeted()
        return confinement

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        """Make the questions of ``keys``, in order.

        Raises:
            UnknownTaskError: a key names a task or level outside the catalogue.
            PuzzleError: a puzzle cannot be made.
            ScorerError: the judge cannot be kept alive.
            RulesetError: the judge's puzzles are not those of the protocol.
            DeckError: it cannot read one of the decks.
        """
        for key in keys:
            self._catalog.preset(key)
        return [await self._ask(key) for key in keys]

    async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
        """Judge every completion; groups of unknown puzzles or other questions are left out.

        So is a group whose puzzle or answers lose the judge again and again.

        Raises:
            ScorerError: the judge cannot be kept alive.
            RulesetError: its puzzles are not those of the protocol.
            DeckError: it cannot read one of the decks.
        """
        judged = [await self._judge(group) for group in groups if self._is_sound(group)]
        return [group for group in judged if group is not None]

    async def _ask(self, key: PuzzleKey) -> Question:
        trial = Trial(key, digest=None)
        await self._hold(trial)
        question = trial.question()
        if question is None:
            raise PuzzleError(
                translatable(
                    "Puzzle {} of seed {} of task {}, level {}, "
                    "cannot be made. Choose another task, and report this.",
                    key.index,
                    key.seed,
                    key.task,
                    key.level,
                )
            )
        return question

    async def _judge(self, group: RolloutGroup) -> ScoredGroup | None:
        texts = [completion.text for completion in group.completions]
        trial = Trial(group.key, group.digest, texts)
        await self._hold(trial)
        question = trial.question()
        if question is None:
            return None
        return ScoredGroup(question, group, trial.rewards(texts), trial.unusual(texts))

    def _is_sound(self, group: RolloutGroup) -> bool:
        """Whether there is any sense in showing the group to the judge."""
        try:
            self._catalog.preset(group.key)
        except UnknownTaskError:
            return False
        in_range = 0 <= group.key.seed < SEEDS and 0 <= group.key.index < SEEDS
        is_deadly = self._deadly.get(group.key, 0) > 1  # one loss may have come from outside
        return in_range and not is_deadly and bool(group.completions) and is_digest(group.digest)

    async def _hold(self, trial: Trial) -> None:
        while (work := trial.next_work()) is not None:
            async with self._lock:
                trial.record(await self._attempt(work))

    async def _attempt(self, work: Work) -> Outcome:
        """One conversation; a broken-off one leaves no child, since replies would be mixed up."""
        made: Made | None = None
        judged: list[Judged] = []
        try:
            child, _ = await self._greeted()
            began = asyncio.get_running_loop().time()
            await child.send(work, self._timeouts.answer_s)
            made = await self._made(child)
            for _ in work.answers if made is not None else ():
                judged.append(await self._judged(child))  # noqa: PERF401 - kept when one fails
            self._busy_s += asyncio.get_running_loop().time() - began
            if self._busy_s > self._timeouts.busy_s:
                await self._drop()
        except ChildLostError:
            if made is None and work.digest is not None:  # of a group: it may be a stranger's
                self._deadly[work.key] = self._deadly.get(work.key, 0) + 1
                await self._drop()
            else:
                await self._count_loss()
            return Outcome(made, judged, lost=True)
        except BaseException:
            await self._drop()
            raise
        return Outcome(made, judged)

    async def _made(self, child: JudgeChild) -> Made | None:
        reply = await child.reply(self._timeouts.question_s)
        if isinstance(reply, Judged):
            raise ChildLostError
        self._losses = 0
        return None if isinstance(reply, WorkRefused) else reply

    async def _judged(self, child: JudgeChild) -> Judged:
        reply = await child.reply(self._timeouts.answer_s)
        if not isinstance(reply, Judged):
            raise ChildLostError
        return reply

    async def _present(self) -> JudgeChild:
        """The child, started if there is none."""
        if self._closed:
            raise ScorerError(translatable("The judge of answers was closed. Start Waggle again."))
        if self._child is None:
            self._child = await JudgeChild.spawn(self._command)
            self._busy_s = 0.0
        return self._child

    async def _greeted(self) -> tuple[JudgeChild, Confinement]:
        """The child, ready for work, and how it is confined."""
        while True:
            child = await self._present()
            if self._confinement is not None:
                return child, self._confinement
            try:
                self._confinement = _explain(await child.greeting(self._timeouts.start_s))
            except ChildLostError:
                await self._count_loss()
            except BaseException:
                await self._drop()
                raise

    async def _drop(self) -> None:
        child, self._child, self._confinement = self._child, None, None
        if child is not None:
            await child.end()

    async def _count_loss(self) -> None:
        await self._drop()
        self._losses += 1
        if self._losses >= _MOST_LOSSES:
            self._losses = 0
            raise ScorerError(
                translatable(
                    "The judge of answers ended {} times without a word. "
                    "Restart the computer; if that does not help, install Waggle again.",
                    _MOST_LOSSES,
                )
            )


def _deck_files(catalog: TaskCatalog, library: Path | None) -> list[Path]:
    if library is None:
        return []
    return [DeckLibrary(library).path_of(deck) for deck in catalog.decks.values()]


def _explain(greeting: Greeting) -> Confinement:
    """What the judge says of its confinement, or the error that it started with."""
    if isinstance(greeting, Ready):
        return Confinement(greeting.active, greeting.missing)
    words = retold(greeting.words, greeting.remarks)
    if greeting.cause == "ruleset":
        raise RulesetError(words)
    if greeting.cause == "deck":
        raise DeckError(words)
    raise ScorerError(
        translatable("The judge of answers cannot start ({}). Install Waggle again.", words)
    )
