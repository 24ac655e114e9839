"""Where things live: the home of a node, and the resources that come with the program."""

import errno
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from core.errors import DiskFullError, HomeError
from core.i18n import translatable

RESOURCES = Path(getattr(sys, "_MEIPASS", Path(__file__).resolve().parent.parent)) / "resources"
"""Read-only files of the program: beside the packages, or inside the frozen app."""

HOW_TO_START_OVER = translatable(
    "To start from the beginning, choose Start over… in the model's details under Models: a backup "
    "is kept. Without the window, move its folder of checkpoints away."
)
"""What to do about checkpoints that are of no use any more; follows a sentence that says why."""


class HomePath:
    """A file or folder of a home, by its name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, home: "Home", _: type["Home"]) -> Path:
        return home.root / self._name


@dataclass(frozen=True, slots=True)
class Home:
    """Everything a node keeps, but for a token in the keyring and what starts the window by itself.

    ``core.services.data_folder.remove_home`` removes those, too.
    """

    root: Path

    settings = HomePath("settings.toml")  # the settings file; absent means defaults
    identity = HomePath("identity")  # the node's private key, 0600
    hub_identity = HomePath("hub-identity")  # the private key of a hub that is hosted here, 0600
    ledger = HomePath("ledger.sqlite")  # SQLite: rounds and scores
    outbox = HomePath("outbox.sqlite")  # SQLite: what was tried and waits to be shared
    sources = HomePath("sources.json")  # meeting points that did well in earlier days
    dht = HomePath("dht")  # nodes of the BitTorrent network that were met
    checkpoints = HomePath("checkpoints")  # one folder per model
    models = HomePath("models")  # downloaded models
    decks = HomePath("decks")  # puzzles of a person's own, one file a deck
    cache = HomePath("cache")  # what can be made again from the models: copies for llama.cpp
    calibration = HomePath("calibration.json")  # which sampler is the fastest here, model by model
    round_times = HomePath("round-times.json")  # how long a round will take, model by model
    gpu_bench = HomePath("gpu-bench.json")  # what ``waggle bench gpu`` found last
    window_token = HomePath(
        "window-token"
    )  # a secret in the name of the place where the window hears of further starts, 0600
    updates = HomePath("updates")  # what is known of newer releases, and one that is being fetched
    logs = HomePath("logs")  # Text logs, rotated
    lock = HomePath("lock")  # held while a node runs here

    def prepare(self) -> None:
        """Create the folder tree; what of it was not there yet is readable by its owner only.

        Raises:
            HomeError: it cannot be created or written.
            DiskFullError: no space is left.
        """
        for folder in (self.root, self.checkpoints, self.models, self.cache, self.logs):
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                raise explain_os_error(error, folder) from error
        try:
            with tempfile.TemporaryFile(dir=self.root) as probe:  # nameless: two may start at once
                probe.write(b"waggle")
                probe.flush()
        except OSError as error:
            raise explain_os_error(error, self.root) from error


def default_home() -> Home:
    """The platform's data folder, or ``$WAGGLE_HOME`` where that is set."""
    override = os.environ.get("WAGGLE_HOME")
    return Home(
        Path(override) if override else Path(platformdirs.user_data_path("waggle", appauthor=False))
    )


_ROUNDS_ARE_KEPT = translatable("start again; everything up to the last finished round is kept")


def explain_os_error(error: OSError, path: Path, then: str = _ROUNDS_ARE_KEPT) -> HomeError:
    """Turn a failed file operation below ``path`` into a sentence for a person.

    ``then`` says what to do after freeing space, and what is kept.
    """
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFullError(
            translatable("The disk that holds {} is full. Free some space and {}.", path, then)
        )
    if (file := _in_the_way(error, path)) is not None:
        return HomeError(
            translatable(
                "{} is a file, where Waggle needs a folder. Move it away, or choose another folder "
                "for Waggle.",
                file,
            )
        )
    return HomeError(
        translatable(
            "Waggle cannot use the folder {} ({}). Make it writable, or choose another one.",
            path,
            error.strerror or error,
        )
    )


def _in_the_way(error: OSError, path: Path) -> Path | None:
    """The file in place of the folder ``path``, or of one that it lies in, where that failed."""
    if not isinstance(error, FileExistsError | NotADirectoryError):
        return None
    return next((one for one in (path, *path.parents) if one.exists() and not one.is_dir()), None)
