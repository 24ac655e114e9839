"""What somebody changed in a repository is not signed anew."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tuf.api.metadata import Metadata, MetaFile, Snapshot, TargetFile, Targets, Timestamp

from tests.update_source import PLATFORM, UpdateSource, load_script

script = load_script("release_trust")
NAME = f"waggle-0.2.0-{PLATFORM}.tar.xz"


@pytest.fixture
def source(tmp_path: Path) -> UpdateSource:
    """One that offered a package, and offers it no longer: all its lists are version 3."""
    source = UpdateSource(tmp_path / "source")
    source.release("0.2.0")
    source.repository.remove([NAME])
    return source


@pytest.fixture
def metadata(source: UpdateSource) -> Path:
    return source.web / "metadata"


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """The metadata of somebody else, in itself without fault and as old."""
    other = UpdateSource(tmp_path / "stranger")
    for _ in range(2):
        other.repository.renew()
    other.repository.rotate("root")
    return other.web / "metadata"


Change = Callable[[Path, Path], object]


def lead_back(metadata: Path, _: Path) -> None:
    """Name the list in which the package was offered."""
    path = metadata / "3.snapshot.json"
    snapshot = Metadata[Snapshot].from_file(str(path))
    snapshot.signed.meta["targets.json"] = MetaFile(version=2)
    snapshot.to_file(str(path))


def copy(name: str, to: str) -> Change:
    """Give what was signed in earlier days a newer name."""
    return lambda metadata, _: shutil.copyfile(metadata / name, metadata / to)


def take(name: str) -> Change:
    """Put a stranger's file in the place of the own one."""
    return lambda metadata, stranger: shutil.copyfile(stranger / name, metadata / name)


def test_what_was_signed_is_believed(source: UpdateSource, metadata: Path) -> None:
    """From the root elsewhere on, over those that followed it, whatever lies at its name here."""
    source.repository.rotate("root")
    (metadata / "1.root.json").unlink()
    roots = script.read_roots(metadata, source.root)
    assert [root.version for root in roots] == [1, 2]
    lists = script.read_lists(metadata, roots)
    assert [lists.targets.signed.version, lists.timestamp.signed.version] == [3, 3]


@pytest.mark.parametrize(
    "change",
    [
        take("2.root.json"),
        lambda metadata, stranger: shutil.copytree(stranger, metadata, dirs_exist_ok=True),
        lead_back,
        copy("2.snapshot.json", "3.snapshot.json"),
        copy("2.targets.json", "3.targets.json"),
        copy("timestamp.json", "3.snapshot.json"),
        *map(take, ("3.snapshot.json", "timestamp.json")),
        lambda metadata, _: (metadata / "3.targets.json").write_text("{"),
    ],
)
def test_what_somebody_changed_is_not_signed_anew(
    source: UpdateSource, metadata: Path, stranger: Path, change: Change
) -> None:
    """A root of theirs, a list that leads back or is older than its name, half a file."""
    change(metadata, stranger)
    before = {path: path.read_bytes() for path in metadata.iterdir()}
    for command in (source.repository.renew, lambda: source.repository.rotate("root")):
        with pytest.raises(script.ReleaseError):
            command()
    assert {path: path.read_bytes() for path in metadata.iterdir()} == before


@pytest.mark.parametrize("is_cut_off", [True, False])
def test_a_list_of_a_thief_is_not_signed_anew(
    source: UpdateSource, metadata: Path, *, is_cut_off: bool
) -> None:
    """Neither while the stolen key counts nor where the rotation is repeated that ended that."""
    (stolen,) = script.read_roots(metadata, source.root)[-1].roles["targets"].keyids
    if is_cut_off:
        before = (metadata / "timestamp.json").read_bytes()
        source.repository.rotate("targets")
        (metadata / "timestamp.json").write_bytes(before)
    path = metadata / "3.targets.json"
    targets = Metadata[Targets].from_file(str(path))
    targets.signed.targets[NAME] = TargetFile.from_data(NAME, b"bad", ["sha256"])
    targets.sign(source.repository.keys.signers()[stolen])
    targets.to_file(str(path))
    with pytest.raises(script.ReleaseError, match=r"3\.targets\.json is not the one"):
        source.repository.rotate("targets")


def test_a_list_without_the_hash_of_the_next_is_not_believed(
    source: UpdateSource, metadata: Path
) -> None:
    """A version says nothing of what is in it."""
    (root,) = script.read_roots(metadata, source.root)
    path = metadata / "timestamp.json"
    stamp = Metadata[Timestamp].from_file(str(path))
    stamp.signed.snapshot_meta = MetaFile(version=3)
    stamp.sign(source.repository.keys.signers()[root.roles["timestamp"].keyids[0]])
    stamp.to_file(str(path))
    with pytest.raises(script.ReleaseError, match="SHA-256"):
        script.read_lists(metadata, [root])


def test_a_root_that_replaced_the_first_one_is_not_followed(
    source: UpdateSource, metadata: Path, stranger: Path
) -> None:
    """The next one goes on from the root elsewhere, which names the own keys."""
    take("1.root.json")(metadata, stranger)
    source.repository.rotate("root")
    roots = script.read_roots(metadata, source.root)
    assert roots[0].roles["targets"].keyids == roots[1].roles["targets"].keyids


def test_a_root_between_two_others_is_missed(source: UpdateSource, metadata: Path) -> None:
    """A Waggle that has seen the one before it could not go on."""
    for _ in range(2):
        source.repository.rotate("root")
    (metadata / "2.root.json").unlink()
    with pytest.raises(script.ReleaseError, match=r"3\.root\.json"):
        script.read_roots(metadata, source.root)


@pytest.mark.parametrize("name", ["2x.root.json", "².root.json", "2.old.root.json"])
def test_a_file_that_only_resembles_a_root_is_passed_over(
    source: UpdateSource, metadata: Path, name: str
) -> None:
    """A copy that somebody kept would end every command."""
    (metadata / name).write_text("{}")
    assert [root.version for root in script.read_roots(metadata, source.root)] == [1]


def test_a_list_that_is_missing_is_told_in_words(source: UpdateSource, metadata: Path) -> None:
    """Which it is, and what to do."""
    (metadata / "3.targets.json").unlink()
    with pytest.raises(script.ReleaseError, match=r"3\.targets\.json cannot be read .* Take it"):
        source.repository.renew()


def test_nothing_is_believed_without_a_root_from_elsewhere(
    source: UpdateSource, metadata: Path
) -> None:
    """Those in the folder prove nothing about themselves."""
    source.root.unlink()
    with pytest.raises(script.ReleaseError, match="--root"):
        script.read_roots(metadata, source.root)
