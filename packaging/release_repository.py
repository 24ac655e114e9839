"""Makes and keeps the repository that Waggle finds its updates in; see docs/updates.md.

A plain folder of signed files (TUF), to be served by any web server:

    release_repository.py init REPO --keys KEYS
    release_repository.py add REPO --keys KEYS dist/waggle-0.2.0-linux-x86_64.tar.xz
    release_repository.py renew REPO --keys ONLINE
    release_repository.py rotate REPO --keys KEYS root
    release_repository.py show REPO
"""

import argparse
import json
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, TypeVar

from release_keys import Keys, ReleaseError
from tuf.api.exceptions import UnsignedMetadataError
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
LIFE_DAYS: Final = {"root": 730, "targets": 365, "snapshot": 30, "timestamp": 30}
KEYS_OF: Final = {"root": 3, "targets": 1, "snapshot": 1, "timestamp": 1}
NEEDED: Final = {"root": 2, "targets": 1, "snapshot": 1, "timestamp": 1}
PACKAGE: Final = re.compile(r"waggle-\d+\.\d+\.\d+-[a-z]+-[a-z0-9_]+\.(tar\.xz|tar\.gz|exe)")

COMMANDS: Final = {
    "init": "make keys and an empty repository",
    "add": "sign packages and offer them",
    "remove": "offer packages no longer",
    "renew": "sign snapshot and timestamp anew, before they expire",
    "rotate": "replace the keys of a role",
    "show": "versions, expiry, and what is offered",
}

AnySigned = TypeVar("AnySigned", Root, Targets, Snapshot, Timestamp)


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
        if (self._metadata / "root.json").exists():
            raise ReleaseError(f"{self.folder} is a repository already")
        self._metadata.mkdir(parents=True, exist_ok=True)
        self._targets.mkdir(exist_ok=True)
        root = Root(consistent_snapshot=True)
        for role in ROLES:
            for _ in range(KEYS_OF[role]):
                root.add_key(self.keys.make(role).public_key, role)
            root.roles[role].threshold = NEEDED[role]
        self._publish_root(Metadata(root), [root])
        self._sign_and_write("targets", Metadata(Targets()))
        self._publish_snapshot(None)

    def add(self, packages: Iterable[Path]) -> None:
        """Sign packages, and offer them from now on."""
        targets = self._load("targets", Targets)
        for path in packages:
            if PACKAGE.fullmatch(path.name) is None:
                raise ReleaseError(f"{path.name} is not named as a package of Waggle is")
            if path.name in targets.signed.targets:
                raise ReleaseError(f"{path.name} was released before; a release never changes")
            info = TargetFile.from_file(path.name, str(path), ["sha256"])
            shutil.copyfile(path, self._targets / f"{info.hashes['sha256']}.{path.name}")
            targets.signed.targets[path.name] = info
        self._publish("targets", targets)
        self.renew()

    def remove(self, names: Iterable[str]) -> None:
        """Offer packages no longer; who has them keeps them."""
        targets = self._load("targets", Targets)
        for name in names:
            info = targets.signed.targets.pop(name, None)
            if info is None:
                raise ReleaseError(f"{name} is not offered")
            (self._targets / f"{info.hashes['sha256']}.{name}").unlink(missing_ok=True)
        self._publish("targets", targets)
        self.renew()

    def renew(self) -> None:
        """Sign snapshot and timestamp anew, before they expire; needs their two keys only."""
        self._publish_snapshot(self._load("snapshot", Snapshot))

    def rotate(self, role: str) -> None:
        """Give ``role`` new keys; the old ones count for nothing once a node has seen it."""
        old = self._load("root", Root)
        root = self._load("root", Root)
        for keyid in list(root.signed.roles[role].keyids):
            root.signed.revoke_key(keyid, role)
        for _ in range(KEYS_OF[role]):
            root.signed.add_key(self.keys.make(role).public_key, role)
        self._publish_root(root, [old.signed, root.signed])
        if role == "targets":
            self._publish("targets", self._load("targets", Targets))
        if role != "root":
            self.renew()

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

    def _load(self, role: str, _kind: type[AnySigned]) -> Metadata[AnySigned]:
        if role == "timestamp":
            return Metadata.from_file(str(self._metadata / "timestamp.json"))
        versions = [
            int(path.name.split(".")[0]) for path in self._metadata.glob(f"[0-9]*.{role}.json")
        ]
        if not versions:
            raise ReleaseError(f"{self.folder} is no repository; begin with: init")
        return Metadata.from_file(str(self._metadata / f"{max(versions)}.{role}.json"))

    def _publish(self, role: str, metadata: Metadata[AnySigned]) -> None:
        """A version more, signed with the keys that the root names."""
        metadata.signed.version += 1
        self._sign_and_write(role, metadata)

    def _sign_and_write(self, role: str, metadata: Metadata[AnySigned]) -> None:
        metadata.signed.expires = self.now + timedelta(days=LIFE_DAYS[role])
        root = self._load("root", Root).signed
        self._sign(metadata, role, [root])
        name = "timestamp.json" if role == "timestamp" else f"{metadata.signed.version}.{role}.json"
        _write(self._metadata / name, metadata.to_bytes())

    def _publish_snapshot(self, before: Metadata[Snapshot] | None) -> None:
        """Snapshot and timestamp, on top of those ``before``."""
        snapshot = before or Metadata(Snapshot(version=1))
        stamp = self._load("timestamp", Timestamp) if before else Metadata(Timestamp(version=1))
        targets = self._load("targets", Targets).signed
        snapshot.signed.meta["targets.json"] = MetaFile(version=targets.version)
        snapshot.signed.version += before is not None
        stamp.signed.snapshot_meta = MetaFile(version=snapshot.signed.version)
        stamp.signed.version += before is not None
        self._sign_and_write("snapshot", snapshot)
        self._sign_and_write("timestamp", stamp)

    def _publish_root(self, root: Metadata[Root], judges: Sequence[Root]) -> None:
        """Signed by the old keys and the new ones; the newest also lies under a plain name."""
        if judges[0] is not root.signed:
            root.signed.version += 1
        root.signed.expires = self.now + timedelta(days=LIFE_DAYS["root"])
        self._sign(root, "root", judges)
        _write(self._metadata / f"{root.signed.version}.root.json", root.to_bytes())
        _write(self._metadata / "root.json", root.to_bytes())

    def _sign(self, metadata: Metadata[AnySigned], role: str, judges: Sequence[Root]) -> None:
        """Sign with every key at hand that a judge names for ``role``; each must be satisfied."""
        metadata.signatures.clear()
        at_hand = self.keys.signers()
        for keyid in {keyid for judge in judges for keyid in judge.roles[role].keyids}:
            if keyid in at_hand:
                metadata.sign(at_hand[keyid], append=True)
        for judge in judges:
            try:
                judge.verify_delegate(role, metadata.signed_bytes, metadata.signatures)
            except UnsignedMetadataError as error:
                needed = judge.roles[role].threshold
                raise ReleaseError(
                    f"{role} needs {needed} of its keys, and not so many are in the folders that "
                    "--keys names. Nothing was changed in the repository."
                ) from error


def _told(signed: Signed) -> str:
    return f"version {signed.version}, until {signed.expires:%Y-%m-%d}"


def _write(path: Path, data: bytes) -> None:
    draft = path.with_suffix(".draft")
    draft.write_bytes(data)
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
