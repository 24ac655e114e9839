"""Makes and keeps the repository that Waggle finds its updates in; see docs/updates.md.

A plain folder of signed files (TUF), to be served by any web server:

    release_repository.py init REPO --keys KEYS
    release_repository.py add REPO --keys KEYS --keys ONLINE dist/waggle-0.2.0-linux-x86_64.tar.xz
    release_repository.py remove REPO --keys KEYS --keys ONLINE waggle-0.2.0-linux-x86_64.tar.xz
    release_repository.py renew REPO --keys ONLINE
    release_repository.py rotate REPO --keys NEW --keys ROOT1 --keys ROOT2 --keys ONLINE snapshot
    release_repository.py show REPO

A command signs all that it changes before it writes the first file, and ``timestamp.json`` is
written last: until then nothing but a new root counts, here as for whoever asks for updates.
What lies in the folder is proven first, by a root that does not lie there: ``--root``, which
``init`` writes.
"""

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from release_draft import LIFE_DAYS, Draft
from release_keys import Keys, ReleaseError
from release_trust import Lists, read_lists, read_roots
from tuf.api.metadata import (
    Metadata,
    Root,
    Signed,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)

from core.updates.releases import read_package

ROLES: Final = ("root", "targets", "snapshot", "timestamp")
NEEDED: Final = {"root": 2, "targets": 1, "snapshot": 1, "timestamp": 1}
PLATFORMS: Final = {
    f"{system}-{machine}"
    for system in ("linux", "macos", "windows")
    for machine in ("x86_64", "arm64")
}
BUILT_IN: Final = Path(__file__).resolve().parent.parent / "resources" / "updates" / "root.json"
WITHDRAWN: Final = "withdrawn"
"""The field of the list of packages that keeps the names of those that are offered no longer."""

COMMANDS: Final = {
    "init": "make keys and an empty repository",
    "add": "sign packages and offer them",
    "remove": "offer packages no longer",
    "renew": "sign anew what expires, as far as its keys are at hand",
    "rotate": "replace the keys of a role",
    "show": "versions, expiry, and what is offered",
}


@dataclass
class Repository:
    """The folder with ``metadata/`` and ``targets/``; ``now`` is what expiry is counted from.

    ``root`` lies elsewhere: where nobody can write who can write to ``folder``.
    """

    folder: Path
    keys: Keys
    root: Path
    now: datetime = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))

    def init(self) -> None:
        """Make the keys and the first, empty state.

        Raises:
            ReleaseError: there is one already.
        """
        if self._timestamp.exists():
            raise ReleaseError(f"{self.folder} is a repository already")
        if self.root.exists():
            raise ReleaseError(f"{self.root} is of a repository already; --root names another")
        draft = self._draft(Root(consistent_snapshot=True))
        for role in ROLES:
            draft.make_keys(role)
            draft.root.roles[role].threshold = NEEDED[role]
        draft.sign("root", Metadata(draft.root))
        snapshot, stamp = Snapshot(), Timestamp()
        snapshot.meta["targets.json"] = draft.sign("targets", Metadata(Targets()))
        stamp.snapshot_meta = draft.sign("snapshot", Metadata(snapshot))
        draft.sign("timestamp", Metadata(stamp))
        self._metadata.mkdir(parents=True, exist_ok=True)
        self._targets.mkdir(exist_ok=True)
        self._write(draft)
        self.root.parent.mkdir(parents=True, exist_ok=True)
        _write(self.root, draft.files["root.json"])

    def add(self, packages: Iterable[Path]) -> None:
        """Sign packages, and offer them from now on."""
        roots, lists = self._state()
        offered = lists.targets.signed.targets
        withdrawn = lists.targets.signed.unrecognized_fields.get(WITHDRAWN, [])
        copies = {}
        for path in packages:
            package = read_package(path.name)
            if package is None or package.platform not in PLATFORMS:
                raise ReleaseError(f"{path.name} is not named as a package of Waggle is")
            if path.name in offered or path.name in withdrawn:
                raise ReleaseError(f"{path.name} was released before; a release never changes")
            offered[path.name] = TargetFile.from_file(path.name, str(path), ["sha256"])
            copies[path] = self._served(offered[path.name])
        draft = self._draft(roots[-1])
        self._sign_lists(draft, lists, anew=True)
        for path, served in copies.items():
            shutil.copyfile(path, served)
        self._write(draft)

    def remove(self, names: Iterable[str]) -> None:
        """Offer packages no longer, nor others of their names; who has them keeps them."""
        roots, lists = self._state()
        targets = lists.targets.signed
        gone = []
        for name in names:
            info = targets.targets.pop(name, None)
            if info is None:
                raise ReleaseError(f"{name} is not offered")
            targets.unrecognized_fields.setdefault(WITHDRAWN, []).append(name)
            gone.append(self._served(info))
        draft = self._draft(roots[-1])
        self._sign_lists(draft, lists, anew=True)
        self._write(draft)
        for served in gone:
            served.unlink(missing_ok=True)

    def renew(self) -> None:
        """Sign snapshot and timestamp anew, before they expire; needs their two keys only.

        Targets, too, where its key is at hand and half its life is over: not each time, so that
        whoever asks for updates need not fetch the list of packages anew every week.
        """
        roots, lists = self._state()
        draft = self._draft(roots[-1])
        left = lists.targets.signed.expires - self.now
        due = left < timedelta(days=LIFE_DAYS["targets"]) / 2
        self._sign_lists(draft, lists, anew=due and draft.has_keys("targets"))
        self._write(draft)

    def rotate(self, role: str) -> None:
        """Give ``role`` new keys; the old ones count for nothing once a node has seen it."""
        roots, lists = self._state(rotated=role)
        old, root = roots[-1], deepcopy(roots[-1])
        draft = self._draft(root)
        for keyid in list(root.roles[role].keyids):
            root.revoke_key(keyid, role)
        draft.make_keys(role)
        root.version += 1
        draft.sign("root", Metadata(root), old, root)
        if role != "root":
            self._sign_lists(draft, lists, anew=role == "targets")
        self._write(draft)

    def show(self) -> dict[str, object]:
        """Versions, days of expiry, and what is offered."""
        roots, lists = self._state()
        return {
            "root": _told(roots[-1]),
            "targets": _told(lists.targets.signed),
            "snapshot": _told(lists.snapshot.signed),
            "timestamp": _told(lists.timestamp.signed),
            "packages": sorted(lists.targets.signed.targets),
        }

    @property
    def _metadata(self) -> Path:
        return self.folder / "metadata"

    @property
    def _targets(self) -> Path:
        return self.folder / "targets"

    @property
    def _timestamp(self) -> Path:
        return self._metadata / "timestamp.json"

    def _served(self, info: TargetFile) -> Path:
        return self._targets / f"{info.hashes['sha256']}.{info.path}"

    def _draft(self, root: Root) -> Draft:
        return Draft(root, self.keys.signers(), self.now)

    def _state(self, rotated: str = "") -> tuple[list[Root], Lists]:
        """All roots from the trusted one on, and what is offered."""
        if not self._timestamp.exists():
            raise ReleaseError(f"{self.folder} is no repository; begin with: init")
        roots = read_roots(self._metadata, self.root)
        return roots, read_lists(self._metadata, roots, rotated)

    def _sign_lists(self, draft: Draft, lists: Lists, *, anew: bool) -> None:
        """Snapshot and timestamp on top of those before, and below them the targets."""
        targets, snapshot, stamp = lists.targets, lists.snapshot, lists.timestamp
        if anew:
            targets.signed.version += 1
            snapshot.signed.meta["targets.json"] = draft.sign("targets", targets)
        snapshot.signed.version += 1
        stamp.signed.snapshot_meta = draft.sign("snapshot", snapshot)
        stamp.signed.version += 1
        draft.sign("timestamp", stamp)

    def _write(self, draft: Draft) -> None:
        """The keys first: what they are named by is of no use without them."""
        for role, key in draft.new_keys:
            self.keys.save(role, key)
        for name, data in draft.files.items():
            _write(self._metadata / name, data)


def _told(signed: Signed) -> str:
    return f"version {signed.version}, until {signed.expires:%Y-%m-%d}"


def _write(path: Path, data: bytes) -> None:
    draft = path.with_suffix(".draft")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    keys = "folder with private keys; may be repeated, new ones go into the first"
    root = "the root that is believed, outside of REPO (default: resources/updates/root.json)"
    for name, words in COMMANDS.items():
        command = commands.add_parser(name, help=words, description=words)
        command.add_argument("repository", type=Path, metavar="REPO")
        command.add_argument("--keys", type=Path, action="append", metavar="DIR", help=keys)
        command.add_argument("--root", type=Path, default=BUILT_IN, metavar="FILE", help=root)
        if name == "add":
            command.add_argument("packages", type=Path, nargs="+", metavar="FILE")
        if name == "remove":
            command.add_argument("names", nargs="+", metavar="NAME")
        if name == "rotate":
            command.add_argument("role", choices=ROLES)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    asked = _parser().parse_args(arguments)
    repository = Repository(asked.repository, Keys(asked.keys or [Path("keys")]), asked.root)
    try:
        match asked.command:
            case "add":
                repository.add(asked.packages)
            case "remove":
                repository.remove(asked.names)
            case "rotate":
                repository.rotate(asked.role)
            case "init":
                repository.init()
            case "renew":
                repository.renew()
        print(json.dumps(repository.show(), indent=2))  # noqa: T201 - this is its answer
    except (ReleaseError, OSError) as error:
        print(f"release_repository: {error}", file=sys.stderr)  # noqa: T201 - likewise
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
