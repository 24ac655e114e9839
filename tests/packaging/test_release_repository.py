"""The script that makes and keeps the update source."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from core.errors import UpdateError
from core.updates.client import UpdateClient
from core.updates.transport import Transport
from tests.update_source import UpdateSource, load_script

NAME = "waggle-0.2.0-linux-x86_64.tar.xz"
ALL_KEYS = ("new", "root1", "root2", "keys", "online")
script = load_script()

Run = Callable[..., int]
Look = Callable[[], list[str]]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    path.write_bytes(b"a package")
    return path


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """One command on the repository, with the keys at hand."""

    def call(command: str, *more: str, keys: tuple[str, ...] = ("keys",)) -> int:
        folders = [argument for name in keys for argument in ("--keys", str(tmp_path / name))]
        places = [str(tmp_path / "web"), "--root", str(tmp_path / "root.json"), *folders]
        code: int = script.main([command, *places, *more])
        return code

    return call


@pytest.fixture
def source(tmp_path: Path) -> Iterator[UpdateSource]:
    """The repository that ``run`` works on, served, and its keys parted as the manual says."""
    with UpdateSource(tmp_path).running() as running:
        places = {"root-1": "root1", "root-2": "root2", "root-3": "root3"}
        for key, place in (places | {"snapshot-1": "online", "timestamp-1": "online"}).items():
            (tmp_path / place).mkdir(exist_ok=True)
            (tmp_path / "keys" / f"{key}.pem").rename(tmp_path / place / f"{key}.pem")
        yield running


@pytest.fixture
def look(source: UpdateSource, tmp_path: Path) -> Look:
    """What a Waggle is offered that remembers what it has seen before."""
    return lambda: UpdateClient(source.source(), tmp_path / "seen", Transport(Event()), ()).look()


def tree(folder: Path) -> dict[str, bytes]:
    """All files, and what is in them."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@contextmanager
def cut_before(repository: Path, name: str) -> Iterator[None]:
    """No file of metadata of that name can be written meanwhile."""
    obstacle = repository / "metadata" / f"{name}.draft"
    obstacle.mkdir()
    yield
    obstacle.rmdir()


def test_a_release_from_the_first_key_to_the_file(
    run: Run, package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is served lies under the name of its hash, so that caches never mix releases."""
    assert run("init") == 0
    assert run("add", str(package)) == 0
    (served,) = (tmp_path / "web" / "targets").iterdir()
    assert served.name.endswith(f".{NAME}")
    assert served.read_bytes() == b"a package"
    capsys.readouterr()
    assert run("show") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["packages"] == [NAME]
    assert told["targets"].startswith("version 2")


def test_one_root_key_may_be_lost(run: Run, tmp_path: Path) -> None:
    """Two of three are enough to replace all of them; one is not."""
    run("init")
    (tmp_path / "keys" / "root-1.pem").unlink()
    assert run("rotate", "root") == 0
    for lost in ("root-4.pem", "root-5.pem"):
        (tmp_path / "keys" / lost).unlink()
    before = sorted(path.name for path in (tmp_path / "web" / "metadata").iterdir())
    assert run("rotate", "root") == 1
    assert sorted(path.name for path in (tmp_path / "web" / "metadata").iterdir()) == before


def test_renewing_needs_the_online_keys_only(run: Run, tmp_path: Path) -> None:
    """The others stay locked away."""
    run("init")
    online = tmp_path / "online"
    online.mkdir()
    for role in ("snapshot", "timestamp"):
        (tmp_path / "keys" / f"{role}-1.pem").rename(online / f"{role}-1.pem")
    assert run("renew") == 1
    assert run("renew", keys=("online",)) == 0


def test_a_release_never_changes(run: Run, package: Path) -> None:
    """Whoever has it could not tell what it is any more."""
    run("init")
    assert run("add", str(package)) == 0
    package.write_bytes(b"another one of the same name")
    assert run("add", str(package)) == 1


def test_a_file_that_is_no_package_is_refused(run: Run, tmp_path: Path) -> None:
    """No Waggle would ever look at it: nor is there one for that machine or version."""
    run("init")
    for name in ("waggle.zip", NAME.replace("x86_64", "aarch64"), NAME.replace("0.2.0", "0.02.0")):
        other = tmp_path / name
        other.write_bytes(b"")
        assert run("add", str(other)) == 1


def test_a_release_can_be_withdrawn(run: Run, package: Path, tmp_path: Path) -> None:
    """Its file goes, too, and its name never comes again."""
    run("init")
    run("add", str(package))
    assert run("remove", NAME) == 0
    assert list((tmp_path / "web" / "targets").iterdir()) == []
    assert run("remove", NAME) == 1
    assert run("renew") == 0
    assert run("add", str(package)) == 1


def test_a_repository_is_made_once(run: Run, tmp_path: Path) -> None:
    """Anything else would orphan every Waggle out there."""
    assert run("show") == 1
    assert run("init") == 0
    root = (tmp_path / "web" / "metadata" / "root.json").read_bytes()
    assert run("init") == 1
    assert (tmp_path / "web" / "metadata" / "root.json").read_bytes() == root
    assert (tmp_path / "root.json").read_bytes() == root
    (tmp_path / "web" / "metadata" / "timestamp.json").unlink()
    assert run("init") == 1


def test_a_refused_command_changes_nothing(
    run: Run, source: UpdateSource, package: Path, tmp_path: Path
) -> None:
    """Not a byte, whichever key is missing; and no key is made for nothing."""
    assert run("add", str(package), keys=("keys", "online")) == 0
    newer = package.rename(tmp_path / NAME.replace("0.2.0", "0.3.0"))
    before = tree(tmp_path)
    for keys in (("keys",), ("online",), ("nowhere",)):
        assert run("add", str(newer), keys=keys) == 1
        assert run("remove", NAME, keys=keys) == 1
    missing = tmp_path / NAME.replace("0.2.0", "0.4.0")
    for files in ((newer, missing), (newer, source.web), (newer, newer)):
        assert run("add", *map(str, files), keys=("keys", "online")) == 1
    assert run("renew", keys=("keys",)) == 1
    for role in ("targets", "snapshot", "timestamp"):
        assert run("rotate", role, keys=("new", "root1", "root2", "keys")) == 1
    for role in ("root", "targets", "snapshot", "timestamp"):
        assert run("rotate", role, keys=("new", "root1", "keys", "online")) == 1
    assert tree(tmp_path) == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("role", ["root", "targets", "snapshot", "timestamp"])
def test_new_keys_are_believed(run: Run, look: Look, package: Path, role: str) -> None:
    """By whoever has seen the old ones, and what they sign from then on, too."""
    assert run("add", str(package), keys=("keys", "online")) == 0
    assert look() == [NAME]
    for _ in range(2):
        assert run("rotate", role, keys=ALL_KEYS) == 0
        assert look() == [NAME]
    assert run("remove", NAME, keys=ALL_KEYS) == 0
    assert look() == []


@pytest.mark.parametrize("name", ["2.targets", "2.snapshot", "timestamp"])
def test_a_release_that_was_cut_off_can_be_repeated(
    run: Run, look: Look, package: Path, tmp_path: Path, name: str
) -> None:
    """Until then it is not offered, also not by the renewal of every week."""
    keys = ("keys", "online")
    with cut_before(tmp_path / "web", name):
        assert run("add", str(package), keys=keys) == 1
    assert look() == []
    assert run("renew", keys=("online",)) == 0
    assert look() == []
    assert run("add", str(package), keys=keys) == 0
    assert look() == [NAME]


def test_what_is_still_offered_can_be_fetched(
    run: Run, look: Look, package: Path, tmp_path: Path
) -> None:
    """A withdrawal that was cut off has deleted nothing."""
    keys = ("keys", "online")
    run("add", str(package), keys=keys)
    packages = tree(tmp_path / "web" / "targets")
    with cut_before(tmp_path / "web", "timestamp"):
        assert run("remove", NAME, keys=keys) == 1
    assert look() == [NAME]
    assert tree(tmp_path / "web" / "targets") == packages
    assert run("remove", NAME, keys=keys) == 0
    assert look() == []
    assert tree(tmp_path / "web" / "targets") == {}


@pytest.mark.parametrize(
    ("role", "name"),
    [("root", "2.root"), ("root", "root"), ("targets", "2.targets")]
    + [(role, name) for role in ("targets", "snapshot") for name in ("2.root", "root")]
    + [(role, "2.snapshot") for role in ("targets", "snapshot", "timestamp")]
    + [(role, "timestamp") for role in ("targets", "snapshot", "timestamp")],
)
def test_a_rotation_that_was_cut_off_can_be_repeated(
    run: Run, look: Look, tmp_path: Path, role: str, name: str
) -> None:
    """Whatever a Waggle has seen meanwhile, it believes the source again afterwards."""
    look()
    with cut_before(tmp_path / "web", name):
        assert run("rotate", role, keys=ALL_KEYS) == 1
    with suppress(UpdateError):
        look()
    assert run("rotate", role, keys=ALL_KEYS) == 0
    assert look() == []


def test_the_first_state_that_was_cut_off_can_be_made_again(run: Run, tmp_path: Path) -> None:
    """Nobody has seen it yet."""
    (tmp_path / "web" / "metadata").mkdir(parents=True)
    with cut_before(tmp_path / "web", "1.snapshot"):
        assert run("init") == 1
    assert run("init") == 0
    assert run("renew") == 0


def test_damage_is_told_in_words(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And by the name of the file."""
    run("init")
    (tmp_path / "web" / "metadata" / "timestamp.json").write_text("{")
    assert run("renew") == 1
    assert "timestamp.json is damaged" in capsys.readouterr().err


def test_renewing_keeps_the_list_of_packages_valid(source: UpdateSource, tmp_path: Path) -> None:
    """Where its key is at hand and half its year is over; nobody else touches it."""
    keys = {name: script.Keys([tmp_path / name]) for name in ("keys", "online")}
    both = script.Keys([tmp_path / "keys", tmp_path / "online"])
    start = source.repository.now

    def version_after(days: int, at_hand: object) -> str:
        now = start + timedelta(days=days)
        repository = script.Repository(source.web, at_hand, source.root, now)
        repository.renew()
        assert repository.show()["timestamp"].endswith(f"{repository.now + timedelta(30):%Y-%m-%d}")
        told: str = repository.show()["targets"]
        return told

    first = f"version 1, until {start + timedelta(days=365):%Y-%m-%d}"
    assert version_after(100, both) == first
    assert version_after(300, keys["online"]) == first
    assert version_after(300, both) == f"version 2, until {start + timedelta(days=665):%Y-%m-%d}"


def test_nobody_else_is_vouched_for(
    run: Run, source: UpdateSource, package: Path, tmp_path: Path
) -> None:
    """A list of packages that somebody changed is not signed anew."""
    stranger = UpdateSource(tmp_path / "stranger")
    stranger.repository.add([package])
    targets = source.web / "metadata" / "1.targets.json"
    targets.write_bytes((stranger.web / "metadata" / "2.targets.json").read_bytes())
    before = tree(source.web)
    assert run("add", str(package), keys=("keys", "online")) == 1
    assert run("renew", keys=("keys", "online")) == 1
    assert run("rotate", "targets", keys=("keys", "online")) == 1
    assert tree(source.web) == before
