"""The puzzles that pass by: the newest are kept, and can be held still; pure."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from msgspec.structs import replace as changed

from core.api.preview import PuzzleTried

MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Feed:
    """Puzzles, the newest first, at most ``MOST`` of each."""

    shown: tuple[PuzzleTried, ...] = ()
    waiting: tuple[PuzzleTried, ...] = ()  # came while it was held
    is_held: bool = False

    def take(self, puzzle: PuzzleTried) -> "Feed":
        """Put ``puzzle`` on top, or let it wait."""
        if self.is_held:
            return replace(self, waiting=(puzzle, *self.waiting)[:MOST])
        return replace(self, shown=(puzzle, *self.shown)[:MOST])

    def hold(self) -> "Feed":
        """Change nothing that is shown until it goes on."""
        return replace(self, is_held=True)

    def go_on(self) -> "Feed":
        """Show what waited."""
        return Feed(shown=(*self.waiting, *self.shown)[:MOST])

    def without(self, peers: Collection[str]) -> "Feed":
        """Show nothing of ``peers``; what the own model answered stays."""
        return replace(
            self, shown=_without(self.shown, peers), waiting=_without(self.waiting, peers)
        )

    def only(self, task: str, level: int) -> "Feed":
        """Keep what is shown or waits of that kind and level; it goes on."""
        kept = (
            puzzle for puzzle in self.go_on().shown if (puzzle.task, puzzle.level) == (task, level)
        )
        return Feed(shown=tuple(kept))


def _without(puzzles: tuple[PuzzleTried, ...], peers: Collection[str]) -> tuple[PuzzleTried, ...]:
    mended = (
        changed(puzzle, peer="", name="", theirs=()) if puzzle.peer in peers else puzzle
        for puzzle in puzzles
    )
    return tuple(puzzle for puzzle in mended if puzzle.own or puzzle.theirs)
