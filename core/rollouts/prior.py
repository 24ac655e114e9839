"""What is expected of a question before it is answered; pure.

The share of right answers to one question is taken to be distributed as Beta(a, b) over the
questions of its cell. The mean a / (a + b) is the share p of the cell, and the concentration a + b
says how alike its questions are: E[q(1 - q)] = p(1 - p) (a + b) / (a + b + 1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

ALIKE: Final = (0.05, 0.8)
"""How alike the questions of a cell may be held to be: from all or nothing (0) to one coin (1)."""


@dataclass(frozen=True, slots=True)
class BetaPrior:
    """Of the share of right answers to one question."""

    mean: float  # in (0, 1)
    concentration: float  # a + b: so many answers to the question itself would say as much

    @classmethod
    def of_cell(cls, share: float, variance: float) -> Self:
        """Of a cell with ``share`` solved, in (0, 1).

        ``variance``: that of a try at one question of it, in [0, 1/4].
        """
        least, most = ALIKE
        alike = min(max(variance / (share * (1 - share)), least), most)
        return cls(share, alike / (1 - alike))

    def posterior_mean(self, rewards: Sequence[float]) -> float:
        """Mean once so many answers to the question earned ``rewards``, each in [0, 1]."""
        right = self.concentration * self.mean + sum(rewards)
        return right / (self.concentration + len(rewards))
