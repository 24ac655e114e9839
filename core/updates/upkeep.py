"""Sees to newer releases: what is known, what is new, and how one is made ready to be installed."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

from filelock import Timeout
from msgspec.structs import replace

from core.api.updates import Obstacle, UpdatesShown, UpdateStage
from core.children import python_command
from core.errors import UpdateError
from core.i18n import translatable
from core.paths import Home, explain_os_error
from core.storage.files import remove_unless_open
from core.updates import releases
from core.updates.installation import Installation, obstacle, this_installation
from core.updates.memory import Known, recall, remember, switch_lock
from core.updates.places import Places
from core.updates.source import ReleaseSource, load_source
from core.version import VERSION

if TYPE_CHECKING:  # TUF is loaded when it is needed: the helper starts without it
    from core.updates.client import UpdateClient

EVERY_S: Final = 20 * 3_600.0
"""The window asks by itself at most so often."""

Progress = Callable[[UpdateStage, int, int], None]
"""(what is being done, bytes that are there, bytes of the whole package)."""

_UNPACKED: Final[tuple[releases.Form, ...]] = ("tar.xz", "tar.gz")
_SETUP: Final[tuple[releases.Form, ...]] = ("exe",)


@dataclass(frozen=True, slots=True)
class UpdateOptions:
    """Which Waggle this is, and whom it asks."""

    installation: Callable[[], Installation] = this_installation
    source: Callable[[], ReleaseSource | None] = load_source
    version: str = VERSION
    platform: str = field(default_factory=releases.this_platform)
    pauses_s: tuple[float, ...] = (1.0, 3.0, 10.0)  # before another try, where the line breaks


class Upkeep:
    """Upkeep of this installation, on behalf of ``home``; one caller at a time."""

    def __init__(self, home: Home, options: UpdateOptions) -> None:
        self._home = home
        self._options = options
        self._installation = options.installation()

    def show(self) -> UpdatesShown:
        """The update status without asking the source; leftovers of a cut-off update are put right.

        Raises:
            UpdateError: what is built in is damaged.
        """
        self._tidy()
        return self._shown(recall(self._home.updates))

    def is_due(self, now: float) -> bool:
        """Whether the last look is long ago; ``now`` in seconds since 1970."""
        return not 0 <= now - recall(self._home.updates).looked_at < EVERY_S

    def look(self, now: float, stop: Event) -> UpdatesShown:
        """Ask the source what there is; where it cannot be installed anyway, nobody is asked.

        Raises:
            UpdateError: the source cannot be reached, or is not to be believed.
            HomeError: the disk refuses.
            StoppedError: ``stop`` was set.
        """
        before = recall(self._home.updates)
        source = self._usable_source()
        if source is None:
            return self._shown(before)
        _, _, known = self._find(source, before, stop, now)
        is_news = bool(known.newest) and known.newest != before.newest
        return replace(self._shown(known), is_news=is_news)

    def get(self, now: float, stop: Event, progress: Progress) -> UpdatesShown:
        """Make the newest release ready; the answer holds the command that puts it in place.

        Raises:
            UpdateError: there is none, it cannot be had, or it is not to be believed.
            HomeError: the disk refuses.
            StoppedError: ``stop`` was set; what was fetched is kept.
        """
        known = recall(self._home.updates)
        if self._is_staged(known):
            return self._ready(known, None)
        source = self._usable_source()
        if source is None:
            raise UpdateError(
                translatable("Waggle does not update itself here. Update it as you installed it.")
            )
        progress("looking", 0, 0)
        client, package, known = self._find(source, known, stop, now)
        if package is None:
            raise UpdateError(
                translatable(
                    "Waggle {} is the newest. There is nothing to do.", self._options.version
                )
            )
        path = client.fetch(package.name, lambda *sizes: progress("downloading", *sizes))
        if package.form in _SETUP:
            return self._ready(known, path)
        return self._ready(self._stage(client, path, known, stop, progress), None)

    def _find(
        self, source: ReleaseSource, known: Known, stop: Event, now: float
    ) -> "tuple[UpdateClient, releases.Package | None, Known]":
        """Whom to ask further, the package to install, and what is known by now."""
        from core.updates.client import UpdateClient
        from core.updates.transport import Transport

        with self._folder():
            client = UpdateClient(
                source, self._home.updates, Transport(stop), self._options.pauses_s
            )
            forms = _SETUP if self._installation.kind == "inno" else _UNPACKED
            package = releases.newest(
                client.look(),
                releases.Installable(self._options.platform, forms),
                self._above(known),
            )
            found = "" if package is None else releases.version_in_words(package.version)
            known = replace(
                known,
                looked_at=now,
                newest=found,
                held_up=known.held_up and known.newest == found,
                size=0 if package is None else client.size_of(package.name),
            )
            remember(self._home.updates, known)
        return client, package, known

    def _stage(
        self, client: "UpdateClient", path: Path, known: Known, stop: Event, progress: Progress
    ) -> Known:
        from core.updates.staging import FailedTrialError, stage

        progress("unpacking", known.size, known.size)
        try:
            stage(path, known.newest, self._installation, stop)
        except FailedTrialError:  # or it would be unpacked again at each look
            remember(self._home.updates, replace(known, failed=known.newest, staged=""))
            client.forget_packages()
            raise
        client.forget_packages()
        known = replace(known, staged=known.newest)
        remember(self._home.updates, known)
        return known

    def _is_staged(self, known: Known) -> bool:
        version = releases.parse_version(known.staged)
        return (
            version is not None
            and version > self._above(known)
            and known.staged == known.newest
            and self._obstacle() == "none"
            and Places(self._installation.place).new.is_dir()
        )

    def _ready(self, known: Known, setup: Path | None) -> UpdatesShown:
        """The update status with the command line that installs the newest."""
        here = self._installation
        command = (
            *python_command("core.updates.switch"),
            *("--place", str(here.place), "--inside", str(here.inside)),
            *("--version", known.newest, "--home", str(self._home.root)),
            *("--after", str(os.getppid())),
            *(() if setup is None else ("--setup", str(setup))),
        )
        return replace(self._shown(known), command=command, starting=("--start",))

    def _shown(self, known: Known) -> UpdatesShown:
        version = releases.parse_version(known.newest)
        is_newer = version is not None and version > self._above(known)
        return UpdatesShown(
            installed=self._options.version,
            place=str(self._installation.place),
            obstacle=self._obstacle(),
            newest=known.newest if is_newer else "",
            size=known.size if is_newer else 0,
            looked_at=known.looked_at,
            failed=known.failed,
            held_up=known.held_up,
        )

    def _usable_source(self) -> ReleaseSource | None:
        return self._options.source() if self._obstacle() == "none" else None

    def _obstacle(self) -> Obstacle:
        here = obstacle(self._installation)
        return "unbuilt" if here == "none" and self._options.source() is None else here

    def _above(self, known: Known) -> releases.Version:
        """Only what is newer is an update, also than what failed: or two bad ones took turns."""
        versions = (releases.parse_version(text) for text in (self._options.version, known.failed))
        return max(version or (0, 0, 0) for version in versions)

    def _forget_old_packages(self) -> None:
        """A setup cannot remove itself, and one that is still at work is removed another time."""
        newest = self._above(recall(self._home.updates))
        for path in list((self._home.updates / "packages").glob("*")):
            package = releases.read_package(path.name)
            if package is not None and package.version <= newest:
                with suppress(OSError):
                    remove_unless_open(path)

    def _tidy(self) -> None:
        self._forget_old_packages()
        if self._installation.kind not in ("tarball", "dmg") or self._obstacle() != "none":
            return
        places = Places(self._installation.place)
        # It may still be tried out; the lock may be one of another account.
        unless_held = suppress(Timeout, PermissionError)
        with self._folder(), unless_held, switch_lock(self._home, places.lock):
            places.heal()
            places.clear_drafts()
            known = recall(self._home.updates)
            if known.staged and not self._is_staged(known):  # else another home may have staged it
                places.clear()
                remember(self._home.updates, replace(known, staged=""))

    @contextmanager
    def _folder(self) -> Iterator[None]:
        """Make sure that there is a folder to remember things in."""
        try:
            self._home.updates.mkdir(parents=True, exist_ok=True, mode=0o700)
            yield
        except OSError as error:
            raise explain_os_error(error, self._home.updates) from error
