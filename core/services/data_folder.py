"""The data folder: its size, and the removal of all that Waggle made in it.

``--home`` may name a folder in which other things lie: what has none of Waggle's own names stays.
What lies in a folder of Waggle's own, such as ``models``, goes with it.
"""

import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from core.api.maintenance import DiskUsage, Part
from core.errors import HomeInUseError, WaggleError
from core.i18n import translatable
from core.paths import Home, HomePath
from core.services.autostart import open_autostart
from core.storage.files import DRAFT_SUFFIX, size_of
from core.storage.home_lock import hold

BEFORE: Final = "identity-before-"
"""Begins the names of keys that a restored one took the place of."""

_MORE: Final = ("exams", "gpu-bench.md", "hub.sqlite", "hub.sqlite-decks", "window.json")
"""Made by parts that know the folder only."""

_BESIDE: Final = ("-journal", "-shm", "-wal")  # what SQLite puts beside a database


_PRACTISES: Final = translatable(
    "This cannot be done while Waggle practises. Stop practice on Home, then try again."
)


@contextmanager
def at_rest(home: Home, words: str = _PRACTISES) -> Iterator[None]:
    """Keep every node off ``home`` meanwhile.

    Raises:
        HomeInUseError: one runs; the message is ``words``.
    """
    try:
        with hold(home):
            yield
    except HomeInUseError as error:
        raise HomeInUseError(words) from error


def measure(home: Home) -> tuple[DiskUsage, ...]:
    """The bytes of each part; one that is not there has 0, and all of them are what would go."""
    parts: dict[Part, tuple[Path, ...]] = {
        "models": (home.models,),
        "learnt": (home.checkpoints,),
        "decks": (home.decks,),
        "records": (*made_beside(home.ledger), *made_beside(home.outbox)),
        "copies": (home.cache,),
        "logs": (home.logs,),
    }
    named = {path for paths in parts.values() for path in paths}
    parts["rest"] = tuple(path for path in made_by_us(home) if path not in named)
    return tuple(DiskUsage(part, sum(map(size_of, paths))) for part, paths in parts.items())


def remove_home(home: Home) -> bool:
    """Delete all that Waggle keeps, inside the folder and outside; whether anything is left.

    Raises:
        HomeInUseError: a node runs.
    """
    with at_rest(home):
        with suppress(OSError):
            open_autostart(home).set(on=False)
        _forget_token()
        _let_go_of_logs(home)
        for path in made_by_us(home):
            remove(path)
    remove(home.lock)
    with suppress(OSError):  # something is left in it
        home.root.rmdir()
    return home.root.exists()


def remove(path: Path) -> None:
    """Delete a file, or a folder with all that is in it; what cannot be deleted stays.

    A link is cut, and what it leads to stays.
    """
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):
        path.unlink(missing_ok=True)


def made_beside(path: Path) -> list[Path]:
    """The file at ``path`` and what may have come to lie beside it."""
    beside = [path.with_name(f"{path.name}{suffix}") for suffix in _BESIDE]
    cut_off = path.parent.glob(f"{path.name}.????????{DRAFT_SUFFIX}")  # folders of draft_beside
    return [path, path.with_suffix(DRAFT_SUFFIX), *beside, *cut_off]


def made_by_us(home: Home) -> list[Path]:
    """Paths of all that Waggle made, but for the lock, which is held meanwhile.

    ``installers/linux/uninstall.sh`` knows the same names.
    """
    named = [name for name, member in vars(Home).items() if isinstance(member, HomePath)]
    known = [getattr(home, name) for name in named] + [home.root / name for name in _MORE]
    found = [path for one in known for path in made_beside(one)]
    return [path for path in found if path != home.lock] + [*home.root.glob(f"{BEFORE}*")]


def _forget_token() -> None:
    from core.models.download.hub_token import keep_token

    with suppress(WaggleError):  # there is no keyring, so there is no token in it
        keep_token("")


def _let_go_of_logs(home: Home) -> None:
    """Close this process's own log, which Windows would not delete while it is open."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if (
            isinstance(handler, RotatingFileHandler)
            and home.logs in Path(handler.baseFilename).parents
        ):
            root.removeHandler(handler)
            handler.close()
