"""The script that makes and keeps the update source."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.update_source import load_script

NAME = "waggle-0.2.0-linux-x86_64.tar.xz"
script = load_script()

Run = Callable[..., int]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    path.write_bytes(b"a package")
    return path


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """One command on the repository, with the keys at hand."""

    def call(command: str, *more: str, keys: str = "keys") -> int:
        repository = str(tmp_path / "web")
        code: int = script.main([command, repository, "--keys", str(tmp_path / keys), *more])
        return code

    return call


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
    assert run("renew", keys="online") == 0


def test_a_release_never_changes(run: Run, package: Path) -> None:
    """Whoever has it could not tell what it is any more."""
    run("init")
    assert run("add", str(package)) == 0
    package.write_bytes(b"another one of the same name")
    assert run("add", str(package)) == 1


def test_a_file_that_is_no_package_is_refused(run: Run, tmp_path: Path) -> None:
    """No Waggle would ever look at it."""
    run("init")
    other = tmp_path / "waggle.zip"
    other.write_bytes(b"")
    assert run("add", str(other)) == 1


def test_a_release_can_be_withdrawn(run: Run, package: Path, tmp_path: Path) -> None:
    """Its file goes, too."""
    run("init")
    run("add", str(package))
    assert run("remove", NAME) == 0
    assert list((tmp_path / "web" / "targets").iterdir()) == []
    assert run("remove", NAME) == 1


def test_a_repository_is_made_once(run: Run, tmp_path: Path) -> None:
    """Anything else would orphan every Waggle out there."""
    assert run("show") == 1
    assert run("init") == 0
    root = (tmp_path / "web" / "metadata" / "root.json").read_bytes()
    assert run("init") == 1
    assert (tmp_path / "web" / "metadata" / "root.json").read_bytes() == root
