"""What of a repository is believed before anything is signed on top of it.

Whoever can write to its folder can put any file there: a root that names their own keys, or a
snapshot that leads back to what was withdrawn. Signing on top of that would vouch for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from release_draft import AnySigned, is_signed
from release_keys import ReleaseError
from tuf.api.exceptions import LengthOrHashMismatchError
from tuf.api.metadata import Metadata, MetaFile, Root, Snapshot, Targets, Timestamp
from tuf.api.serialization import DeserializationError


@dataclass(frozen=True)
class Lists:
    """What is offered, and what leads there; each was signed by whoever may say so."""

    targets: Metadata[Targets]
    snapshot: Metadata[Snapshot]
    timestamp: Metadata[Timestamp]


def read_roots(folder: Path, first: Path) -> list[Root]:
    """The root at ``first``, which lies elsewhere, and all newer ones in ``folder``.

    Raises:
        ReleaseError: one is not signed by the one before it, or is missing.
    """
    if not first.exists():
        raise ReleaseError(
            f"{first} is missing: the root that all others are proven by. Take it from where "
            "nobody else can write, or name another place with --root."
        )
    chain = [_read(first, Root).signed]
    names = [path.name.removesuffix(".root.json") for path in folder.glob("*.root.json")]
    for number in sorted(int(name) for name in names if name.isascii() and name.isdecimal()):
        last = chain[-1]
        if number <= last.version:
            continue
        path = folder / f"{number}.root.json"
        root = _read(path, Root, MetaFile(last.version + 1))
        if not all(is_signed("root", root, judge) for judge in (last, root.signed)):
            raise ReleaseError(
                f"{path} is not signed with the keys of the root before it: somebody changed it, "
                f"or {first} is of another repository. Nothing was signed."
            )
        chain.append(root.signed)
    return chain


def read_lists(folder: Path, roots: Sequence[Root], rotated: str = "") -> Lists:
    """What is offered by now, as the newest of ``roots`` allows.

    A list of the role ``rotated`` may be of an earlier one: that rotation was cut off, and is
    repeated. Its signature alone is worth nothing, as that key may have been stolen; the list that
    leads to it proves it by its SHA-256. A list above those that the timestamp leads to was cut off
    likewise, and is passed over.

    Raises:
        ReleaseError: a list is not signed with the key of its role, or is not the one that leads
            to it says.
    """

    def believed(
        role: str, kind: type[AnySigned], told: MetaFile | None = None
    ) -> Metadata[AnySigned]:
        path = folder / ("timestamp.json" if told is None else f"{told.version}.{role}.json")
        metadata = _read(path, kind, told)
        if told is not None and not told.hashes:
            raise ReleaseError(
                f"What leads to {path} does not say its SHA-256: it was made by an older script. "
                "Begin with a new repository: init."
            )
        judges = roots if role == rotated else roots[-1:]
        if not any(is_signed(role, metadata, judge) for judge in judges):
            raise ReleaseError(
                f"{path} is not signed with the key that the root names: somebody changed it, or "
                f"`rotate {role}` was cut off; in that case, repeat it."
            )
        return metadata

    timestamp = believed("timestamp", Timestamp)
    snapshot = believed("snapshot", Snapshot, timestamp.signed.snapshot_meta)
    targets = believed("targets", Targets, snapshot.signed.meta["targets.json"])
    return Lists(targets, snapshot, timestamp)


def _read(path: Path, kind: type[AnySigned], told: MetaFile | None = None) -> Metadata[AnySigned]:
    """What lies at ``path``, still believed by nobody.

    Raises:
        ReleaseError: it is missing or damaged, or not what its name says.
    """
    try:
        data = path.read_bytes()
        found = Metadata[AnySigned].from_bytes(data)
        if told is not None:
            told.verify_length_and_hashes(data)
    except OSError as error:
        raise ReleaseError(
            f"{path} cannot be read ({error.strerror}). Take it from where it is whole."
        ) from error
    except DeserializationError as error:
        raise ReleaseError(
            f"{path} is damaged ({error}). Take it from where it is whole."
        ) from error
    except LengthOrHashMismatchError as error:
        raise ReleaseError(
            f"{path} is not the one that was signed with what leads to it: somebody changed it."
        ) from error
    if not isinstance(found.signed, kind) or (told and told.version != found.signed.version):
        raise ReleaseError(f"{path} is not what its name says: somebody changed it.")
    return found
