"""The decks of one home: a file each, named by its digest."""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.decks.deck import DIGEST_CHARS, Deck, canonical, decode_deck, digest_of, task_of
from core.decks.limits import MAX_DECK_BYTES, tidy
from core.errors import DeckError
from core.i18n import translatable
from core.paths import explain_os_error
from core.storage.files import read_bounded, replace_file

SUFFIX: Final = ".json"
_OF_OTHERS: Final = ".others"
"""Of an empty file beside a deck that came with an invite."""

_FEWEST: Final = 6
"""Characters of a digest by which a person may name a deck."""

_WHOLE: Final = re.compile(rf"[0-9a-f]{{{DIGEST_CHARS},}}")
"""What may be a whole digest, or as much of one as the name of a deck's task holds."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class InstalledDeck:
    """A deck that was checked, with its name among nodes."""

    deck: Deck = field(compare=False)
    digest: str  # see ``deck.digest_of``

    @property
    def data(self) -> bytes:
        """Its canonical bytes, as it is kept and handed on."""
        return canonical(self.deck)

    @property
    def task(self) -> str:
        """What the kind of puzzle is called that it makes."""
        return task_of(self.digest)


class DeckLibrary:
    """Keeps decks in a folder that belongs to it alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def install(self, data: bytes, *, of_others: bool = False) -> InstalledDeck:
        """Keep a deck by its canonical bytes; one that is there already stays whose it was.

        Raises:
            DeckError: it breaks a rule; nothing was kept.
            HomeError: it cannot be written; likewise.
        """
        installed = InstalledDeck(decode_deck(data), digest_of(data))
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self._path(installed.digest).exists():
                mark = self._mark(installed.digest)
                if of_others:
                    mark.touch(mode=0o600)
                else:  # of a try that failed, or of a deck whose removal was interrupted
                    mark.unlink(missing_ok=True)
        except OSError as error:
            raise explain_os_error(error, self._folder) from error
        replace_file(self._path(installed.digest), data)
        return installed

    def get(self, digest: str) -> InstalledDeck | None:
        """The deck with exactly this digest; None if it is not here or damaged."""
        path = self._path(digest)
        return self._read(path) if path.is_file() else None

    def is_of_others(self, deck: InstalledDeck) -> bool:
        """Whether it came with an invite, and was not the person's own before."""
        return self._mark(deck.digest).exists()

    def decks(self, begun: str = "") -> list[InstalledDeck]:
        """Those whose digests begin so, by name; what is damaged is left out, and logged.

        No other one is read: each may have megabytes.
        """
        paths = (path for path in self._paths() if path.name.startswith(begun))
        found = [deck for path in paths if (deck := self._read(path)) is not None]
        return sorted(found, key=lambda one: (one.deck.name.casefold(), one.digest))

    def called(self, name: str) -> list[InstalledDeck]:
        """The decks that a person may mean: by their name, or the beginning of a digest."""
        wanted = tidy(name).casefold()
        begun = wanted.removeprefix("deck_")
        # What may be a whole digest is never a name, or a deck could be called by another's.
        if _WHOLE.fullmatch(begun):
            return self.decks(begun)
        decks = self.decks()
        found = [one for one in decks if one.deck.name.casefold() == wanted]
        if not found and len(begun) >= _FEWEST:
            found = [one for one in decks if one.digest.startswith(begun)]
        return found

    def find(self, name: str) -> InstalledDeck:
        """The one deck that a person means, as ``called`` finds it.

        Raises:
            DeckError: there is none, or there are several.
        """
        found = self.called(name)
        if len(found) == 1:
            return found[0]
        if not found:
            raise DeckError(
                translatable(
                    "There is no deck {} here. The page Practice (Puzzles) and waggle deck list "
                    "show all.",
                    f"“{name}”",
                )
            )
        raise DeckError(
            translatable(
                "Several decks are called {}. Name it by its digest: {}.",
                f"“{name}”",
                ", ".join(one.digest[:12] for one in found),
            )
        )

    def path_of(self, deck: InstalledDeck) -> Path:
        """Its file, for the judge to read."""
        return self._path(deck.digest)

    def remove(self, deck: InstalledDeck) -> None:
        """Forget it; what a model learnt from it stays.

        Raises:
            HomeError: it cannot be removed.
        """
        try:
            self._path(deck.digest).unlink(missing_ok=True)
            self._mark(deck.digest).unlink(missing_ok=True)
        except OSError as error:
            raise explain_os_error(error, self._folder) from error

    def _paths(self) -> Iterator[Path]:
        if self._folder.is_dir():
            yield from sorted(self._folder.glob(f"*{SUFFIX}"))

    def _path(self, digest: str) -> Path:
        return self._folder / f"{digest}{SUFFIX}"

    def _mark(self, digest: str) -> Path:
        return self._folder / f"{digest}{_OF_OTHERS}"

    def _read(self, path: Path) -> InstalledDeck | None:
        try:
            return read_deck(path)
        except DeckError as error:
            _log.warning("Doing without the deck %s: %s", path.name, error)
            return None


def read_deck(path: Path) -> InstalledDeck:
    """The deck in a file of a library.

    Raises:
        DeckError: it cannot be read, or is not the one that its name promises.
    """
    try:
        data = read_bounded(path, MAX_DECK_BYTES)
    except (OSError, ValueError) as error:
        raise DeckError(
            translatable("The deck {} cannot be read ({}).", path.name, error)
        ) from error
    digest = digest_of(data)
    if path.name != f"{digest}{SUFFIX}":
        raise DeckError(
            translatable("The deck {} is not the one that it was. Add it again.", path.name)
        )
    return InstalledDeck(decode_deck(data), digest)
