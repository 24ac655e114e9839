"""Everything that can go wrong in words a person can act on.

    WaggleError                 exit code 1
    ├── UsageError              exit code 2: the caller asked for something that does not exist
    │   ├── DeckError            a deck of puzzles breaks a rule
    │   ├── UnknownModelError
    │   └── UnknownTaskError
    ├── SettingsError           settings.toml cannot be read
    ├── HomeError               the data folder cannot be used
    │   ├── HomeInUseError      another Waggle runs on it
    │   └── DiskFullError
    ├── ModelError              a model's files are missing or damaged
    │   └── BusyError           trying it out took too long; another time it may go well
    ├── MemoryShortError        a model needs more memory than there is, whatever is given up
    ├── CheckpointError         a checkpoint is damaged or belongs to another model
    ├── RulesetError            the puzzles installed here are not those of the protocol
    ├── ScorerError             the isolated judge cannot be started or keeps dying
    │   └── PuzzleError         it cannot make this one puzzle
    ├── WireError               bytes of a stranger break a rule of the protocol
    ├── LabError                an experiment of the lab cannot go on
    ├── UpdateError             a newer release cannot be had, or is not to be trusted
    └── SwarmError              a hub cannot be reached or refuses

A message is one sentence that says what happened, and one that says what to do.
Errors are caught only where someone can act on them: by the loop (retry, go on alone),
by the command line (print, exit code) and by the window (show).
"""

from typing import ClassVar


class WaggleError(Exception):
    """Root of all errors that Waggle explains; ``str(error)`` is fit for a person."""

    exit_code: ClassVar[int] = 1


class UsageError(WaggleError):
    """The caller asked for something that does not exist or makes no sense."""

    exit_code: ClassVar[int] = 2


class DeckError(UsageError):
    """A deck, or a table that should become one, breaks a rule or a limit."""


class UnknownModelError(UsageError):
    """No model of that name is in the catalogue."""


class UnknownTaskError(UsageError):
    """No task, or no level of a task, of that name is in the catalogue."""


class SettingsError(WaggleError):
    """The settings file is no valid TOML, or a value has the wrong type or range."""


class HomeError(WaggleError):
    """The data folder cannot be created, read or written."""


class HomeInUseError(HomeError):
    """Another running Waggle holds the lock of this data folder."""


class DiskFullError(HomeError):
    """No space is left to keep what was learnt."""


class ModelError(WaggleError):
    """A model's files are missing, damaged, or of an architecture that is not supported."""


class BusyError(ModelError):
    """Trying something out took too long, perhaps on a busy computer; another time it may do."""


class MemoryShortError(WaggleError):
    """A model needs more memory than there is, even after everything that can be given up."""


class CheckpointError(WaggleError):
    """No readable checkpoint among those kept, or one that belongs to another model."""


class RulesetError(WaggleError):
    """The installed puzzle library differs from the release that the swarm speaks."""


class ScorerError(WaggleError):
    """The isolated scorer process cannot be started, or died too often."""


class PuzzleError(ScorerError):
    """A puzzle cannot be made; others can."""


class WireError(WaggleError):
    """Bytes from outside break a rule of the protocol; ``reason`` is a short stable word."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason


class LabError(WaggleError):
    """An experiment of the lab cannot go on."""


class UpdateError(WaggleError):
    """A newer release cannot be looked for, fetched or put in place; the old one stays as it is."""


class SwarmError(WaggleError):
    """A hub cannot be reached, refuses, or answers nonsense."""
