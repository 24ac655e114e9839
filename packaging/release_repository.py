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
"""

import argparse
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from release_draft import LIFE_DAYS, AnySigned, Draft, is_signed
from release_keys import Keys, ReleaseError
from tuf.api.metadata import (
    Metadata,
    MetaFile,
    Root,
    Signed,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)

ROLES: Final = ("root", "targets", "snapshot", "timestamp")
NEEDED: Final = {"root": 2, "targets": 1, "snapshot": 1, "timestamp": 1}
PACKAGE: Final = re.compile(r"waggle-\d+\.\d+\.\d+-[a-z]+-[a-z0-9_]+\.(tar\.xz|tar\.gz|exe)")

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
    """The folder with ``metadata/`` and ``targets/``; ``now`` is what expiry is counted from."""

    folder: Path
    keys: Keys
    now: datetime = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))

    def init(self) -> None:
        """Make the keys and the first, empty state.

        Raises:
            ReleaseError: there is one already.
        """
        if self._timestamp.exists():
            raise ReleaseError(f"{self.folder} is a repository already")
        draft = self._draft(Root(consistent_snapshot=True))
        for role in ROLES:
            draft.make_keys(role)
            draft.root.roles[role].threshold = NEEDED[role]
        draft.sign("root", Metadata(draft.root))
        draft.sign("targets", Metadata(Targets()))
        draft.sign("snapshot", Metadata(Snapshot()))
        draft.sign("timestamp", Metadata(Timestamp()))
        self._metadata.mkdir(parents=True, exist_ok=True)
        self._targets.mkdir(exist_ok=True)
        self._write(draft)

    def add(self, packages: Iterable[Path]) -> None:
        """Sign packages, and offer them from now on."""
        draft = self._draft()
        targets = self._believed_targets(draft.root)
        copies = {}
        for path in packages:
            if PACKAGE.fullmatch(path.name) is None:
                raise ReleaseError(f"{path.name} is not named as a package of Waggle is")
            if path.name in targets.signed.targets:
                raise ReleaseError(f"{path.name} was released before; a release never changes")
            info = TargetFile.from_file(path.name, str(path), ["sha256"])
            targets.signed.targets[path.name] = info
            copies[path] = self._served(info)
        self._sign_lists(draft, targets, anew=True)
        for path, served in copies.items():
            shutil.copyfile(path, served)
        self._write(draft)

    def remove(self, names: Iterable[str]) -> None:
        """Offer packages no longer; who has them keeps them."""
        draft = self._draft()
        targets = self._believed_targets(draft.root)
        gone = []
        for name in names:
            info = targets.signed.targets.pop(name, None)
            if info is None:
                raise ReleaseError(f"{name} is not offered")
            gone.append(self._served(info))
        self._sign_lists(draft, targets, anew=True)
        self._write(draft)
        for served in gone:
            served.unlink(missing_ok=True)

    def renew(self) -> None:
        """Sign snapshot and timestamp anew, before they expire; needs their two keys only.

        Targets, too, where its key is at hand and half its life is over: not each time, so that
        whoever asks for updates need not fetch the list of packages anew every week.
        """
        draft = self._draft()
        targets = self._believed_targets(draft.root)
        left = targets.signed.expires - self.now
        due = left < timedelta(days=LIFE_DAYS["targets"]) / 2
        self._sign_lists(draft, targets, anew=due and draft.has_keys("targets"))
        self._write(draft)

    def rotate(self, role: str) -> None:
        """Give ``role`` new keys; the old ones count for nothing once a node has seen it."""
        old = self._load("root", Root).signed
        root = self._load("root", Root)
        draft = self._draft(root.signed)
        for keyid in list(root.signed.roles[role].keyids):
            root.signed.revoke_key(keyid, role)
        draft.make_keys(role)
        root.signed.version += 1
        draft.sign("root", root, old, root.signed)
        if role != "root":
            # By an earlier root, too: then this rotation was cut off, and is repeated.
            targets = self._believed_targets(*self._roots())
            self._sign_lists(draft, targets, anew=role == "targets")
        self._write(draft)

    def show(self) -> dict[str, object]:
        """Versions, days of expiry, and what is offered."""
        targets = self._load("targets", Targets).signed
        return {
            "root": _told(self._load("root", Root).signed),
            "targets": _told(targets),
            "snapshot": _told(self._load("snapshot", Snapshot).signed),
            "timestamp": _told(self._load("timestamp", Timestamp).signed),
            "packages": sorted(targets.targets),
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

    def _draft(self, root: Root | None = None) -> Draft:
        return Draft(root or self._load("root", Root).signed, self.keys.signers(), self.now)

    def _version(self, role: str) -> int:
        """The one that counts: of a root the newest, of a list that which the timestamp leads to.

        A higher one is what a command left that was cut off, and is written over.
        """
        if role == "root":
            roots = self._metadata.glob("[0-9]*.root.json")
            return max((int(path.name.split(".")[0]) for path in roots), default=1)
        if role == "snapshot":
            return self._load("timestamp", Timestamp).signed.snapshot_meta.version
        return self._load("snapshot", Snapshot).signed.meta["targets.json"].version

    def _load(self, role: str, _kind: type[AnySigned]) -> Metadata[AnySigned]:
        if not self._timestamp.exists():
            raise ReleaseError(f"{self.folder} is no repository; begin with: init")
        path = self._timestamp
        if role != "timestamp":
            path = self._metadata / f"{self._version(role)}.{role}.json"
        return Metadata.from_bytes(path.read_bytes())

    def _believed_targets(self, *roots: Root) -> Metadata[Targets]:
        """What is offered, by whoever may say so: signing it anew must not vouch for others."""
        targets = self._load("targets", Targets)
        if not any(is_signed("targets", targets, root) for root in roots):
            raise ReleaseError(
                "The list of packages is not signed with the key that the root names: somebody "
                "changed it, or `rotate targets` was cut off; in that case, repeat it."
            )
        return targets

    def _roots(self) -> list[Root]:
        """All that there ever were; each is signed by the one before."""
        paths = self._metadata.glob("[0-9]*.root.json")
        return [Metadata[Root].from_bytes(path.read_bytes()).signed for path in paths]

    def _sign_lists(self, draft: Draft, targets: Metadata[Targets], *, anew: bool) -> None:
        """Snapshot and timestamp on top of those before, and below them ``targets``."""
        snapshot, stamp = self._load("snapshot", Snapshot), self._load("timestamp", Timestamp)
        if anew:
            targets.signed.version += 1
            draft.sign("targets", targets)
        snapshot.signed.version += 1
        snapshot.signed.meta["targets.json"] = MetaFile(version=targets.signed.version)
        draft.sign("snapshot", snapshot)
        stamp.signed.version += 1
        stamp.signed.snapshot_meta = MetaFile(version=snapshot.signed.version)
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
    for name, words in COMMANDS.items():
        command = commands.add_parser(name, help=words, description=words)
        command.add_argument("repository", type=Path, metavar="REPO")
        command.add_argument("--keys", type=Path, action="append", metavar="DIR", help=keys)
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
    repository = Repository(asked.repository, Keys(asked.keys or [Path("keys")]))
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
