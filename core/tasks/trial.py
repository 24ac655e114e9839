"""Who pays when the judge is lost: decided for one puzzle and its answers, without I/O.

All answers go out together and results come back one by one. If the judge is lost on the way, the
first answer without a result is suspect: it goes out alone to a fresh judge, and only if that one
is lost, too, does it score 0.0. So an answer that hangs its verifier costs nobody else anything,
and a judge that was killed from outside costs nobody anything at all.

What goes out is the final answer alone, whoever thought aloud before it: the limit on an answer's
length is none on thinking, and completions that end alike are judged once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.rollouts.answers import read_answer
from core.rollouts.types import PuzzleKey, Question
from core.tasks.judge_messages import MAX_ANSWERS, Judged, Made, Work, is_judgeable

MAX_GUILTY = 3
"""Answers to one puzzle that may lose the judge before the rest is no longer looked at; honest
models write none, and each costs two judges and their time limits."""

_WRONG = Judged(0.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came back for one Work."""

    made: Made | None = None  # None: refused, unless the judge was lost
    judged: Sequence[Judged] = ()  # the first answers; all of them unless the judge was lost
    lost: bool = False


class Trial:
    """The state of judging the completions of one puzzle."""

    def __init__(self, key: PuzzleKey, digest: str | None, completions: Iterable[str] = ()) -> None:
        self._key = key
        self._digest = digest
        self._judged: dict[str, Judged] = {}
        self._waiting: list[str] = []
        self._read = {text: read_answer(text) for text in completions}
        for answer in dict.fromkeys(read.text for read in self._read.values()):  # equal ones once
            if is_judgeable(answer):
                self._waiting.append(answer)
            else:
                self._judged[answer] = _WRONG
        self._made: Made | None = None
        self._suspicious = False
        self._guilty = 0
        self._over = False

    def next_work(self) -> Work | None:
        """What the judge should do now; None when there is nothing left to do."""
        if self._over or (self._made is not None and not self._waiting):
            return None
        count = 1 if self._suspicious else MAX_ANSWERS
        return Work(self._key, self._digest, tuple(self._waiting[:count]))

    def record(self, outcome: Outcome) -> None:
        """Take in what came of the last ``next_work``."""
        if outcome.made is not None:
            self._made = outcome.made
        done = len(outcome.judged)
        self._judged.update(zip(self._waiting[:done], outcome.judged, strict=True))
        del self._waiting[:done]
        if outcome.made is None and not outcome.lost:
            self._give_up()
        elif outcome.lost and self._suspicious:
            self._blame(outcome)
        self._suspicious = outcome.lost and not self._suspicious

    def question(self) -> Question | None:
        """The question as made here; None if it could not be made or the trial was given up."""
        made = self._made
        if made is None:
            return None
        return Question(self._key, made.prompt, made.held_out, made.lesson)

    def rewards(self, completions: Iterable[str]) -> tuple[float, ...]:
        """The rewards of ``completions``, of which each was given at the start."""
        return tuple(self._judged[self._read[text].text].reward for text in completions)

    def unusual(self, completions: Iterable[str]) -> frozenset[int]:
        """Which of ``completions``, by index, are right in another form than they should have."""
        return frozenset(i for i, text in enumerate(completions) if self._is_unusual(text))

    def _is_unusual(self, completion: str) -> bool:
        read = self._read[completion]
        judged = self._judged[read.text]
        return judged.reward > 0.0 and (judged.unusual or not read.as_asked)

    def _blame(self, outcome: Outcome) -> None:
        """The judge was lost again with one answer only: it, or the puzzle itself, is to blame."""
        self._guilty += 1
        if outcome.made is None or not self._waiting or self._guilty > MAX_GUILTY:
            self._give_up()
        else:
            self._judged[self._waiting.pop(0)] = _WRONG

    def _give_up(self) -> None:
        self._over = True
        self._made = None
