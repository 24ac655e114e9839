"""What others' tries taught a model: cells that it never solved alone, and solves since.

A cell, a kind of puzzle at one level, was *taught by others* if

1. at least ``LEAST_FAILED`` own answers failed, and none was right since the model began, nor any
   of its base when that was measured; and no deck had shown it an answer;
2. an update then trained on a group of others of that cell (``Mix.swarm``) with a right answer; and
3. after that, ``QUESTIONS`` different own questions of it were solved, within as many answers as
   had all failed before.

Where that many answers pass and none is right, the next update on others' groups begins it anew,
with all those failures; where some are right and too few, nobody can tell, and the cell counts as
solved alone. A *kind* counts once, whatever its levels.

Why so: of a model that solves one answer in twenty, sixty failures in a row come once in twenty
times (the rule of three). Whoever keeps trying solves a hard cell at last without any help: four
questions in as many answers as all failed before tell that apart. Whatever a constant chance of
solving it is, of a hundred such cells fewer than five are taken for taught (a test tries it out).
What the model would have come to by practising *other* cells is not told apart; answers to a cell
that all fail teach nothing themselves.

Pure, and kept with the checkpoint: a run that resumes goes on with the same counts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from core.rollouts.types import Cells, ScoredGroup

LEAST_FAILED: Final = 60
"""Own answers that all failed, before others can have taught a cell: with 95 % certainty the model
then solved fewer than one in twenty."""

QUESTIONS: Final = 4
"""Different own questions to be solved afterwards."""

MOST_CELLS: Final = 10_000
"""Cells that are remembered: all that is built in, and many decks. Of more, nothing is said."""

MOST_ANSWERS: Final = 10**9
"""Answers to a cell that are counted; nobody gets there."""

_MOST_NAME: Final = 100  # characters
_RIGHT: Final = 1.0
_DIGEST: Final = 16  # hex digits, see ``Question.digest``


class CellHistory(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """How it went with one cell; short, since a checkpoint is written after every round."""

    outcome: Literal["failing", "alone", "taught"] = "failing"
    failed: int = 0  # own answers before the update below or, without one, until now; all wrong
    since: int | None = None  # own answers after an update on others' groups; None: no such update
    solved: tuple[str, ...] = ()  # digests of the own questions solved since then


_ALONE: Final = CellHistory("alone")
_TAUGHT: Final = CellHistory("taught")


class TaughtCells:
    """The histories of one model's cells."""

    def __init__(self, base: Mapping[str, float] | None = None) -> None:
        """``base``: shares that the base solved before any practice, by cell, where measured."""
        self.histories: dict[str, CellHistory] = {}
        self._solved_before = {name for name, share in (base or {}).items() if share > 0}

    def restore(self, histories: Mapping[str, CellHistory], cells: Cells) -> None:
        """Go on from what a checkpoint kept; what cannot be true of it is left out.

        ``cells``: own right answers and tries. Where a checkpoint has no history of a cell, as an
        earlier Waggle wrote none, and something of it was right, it counts as solved alone.
        """
        sound = [(name, one) for name, one in histories.items() if _is_sound(name, one)]
        self.histories = dict(sound[:MOST_CELLS])
        right = {name for name, (right, _) in cells.items() if right > 0}
        self._solved_before |= right - self.histories.keys()

    def observe(
        self,
        own: Sequence[ScoredGroup],
        of_others: Sequence[ScoredGroup],
        shown: Sequence[ScoredGroup] = (),
    ) -> None:
        """Take note of a round: what was tried, and then what its update trained on.

        ``shown``: answers of decks themselves.
        """
        for change, groups in ((_tried, own), (_helped, of_others), (_shown, shown)):
            for scored in groups:
                self._change(scored, change)

    def kinds(self) -> list[str]:
        """Kinds of puzzles of which others taught a cell: the names of their tasks, sorted."""
        taught = (name for name, one in self.histories.items() if one.outcome == "taught")
        return sorted({name.rpartition("/")[0] for name in taught})

    def _change(
        self, scored: ScoredGroup, change: Callable[[CellHistory, ScoredGroup], CellHistory]
    ) -> None:
        name = scored.question.key.cell
        history = self.histories.get(name)
        if history is None:
            if len(self.histories) >= MOST_CELLS:
                return
            history = _ALONE if name in self._solved_before else CellHistory()
        if history.outcome == "failing":
            history = change(history, scored)
        self.histories[name] = history


def _tried(history: CellHistory, scored: ScoredGroup) -> CellHistory:
    """After own answers to a question."""
    answers, is_solved = len(scored.rewards), _RIGHT in scored.rewards
    if history.since is None:
        failed = min(history.failed + answers, MOST_ANSWERS)
        return _ALONE if is_solved else replace(history, failed=failed)
    since, solved = history.since + answers, history.solved
    if is_solved:
        solved = tuple(sorted({*solved, scored.question.digest}))
    if since > history.failed:  # too late to be told from luck
        return _ALONE if solved else CellHistory(failed=min(history.failed + since, MOST_ANSWERS))
    if len(solved) == QUESTIONS:
        return _TAUGHT
    return replace(history, since=since, solved=solved)


def _helped(history: CellHistory, scored: ScoredGroup) -> CellHistory:
    """After an update that trained on a group of others; only a right answer shows anything."""
    is_first = history.since is None and history.failed >= LEAST_FAILED and _RIGHT in scored.rewards
    return replace(history, since=0) if is_first else history


def _shown(_: CellHistory, __: ScoredGroup) -> CellHistory:
    """After an update that trained on a deck's own answer: it cannot be told who taught it."""
    return _ALONE


def _is_sound(name: str, history: CellHistory) -> bool:
    """Whether counting can have led to ``history``."""
    if "/" not in name or len(name) > _MOST_NAME:
        return False
    if history.outcome != "failing":
        return history in (_ALONE, _TAUGHT)
    if not 0 <= history.failed <= MOST_ANSWERS:
        return False
    solved, since = history.solved, history.since
    if since is None:
        return not solved
    return (
        history.failed >= LEAST_FAILED
        and len(solved) <= since <= history.failed
        and len(solved) < QUESTIONS
        and list(solved) == sorted(set(solved))
        and all(len(digest) == _DIGEST for digest in solved)
    )
