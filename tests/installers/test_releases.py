"""Releases of a frozen folder, and the source that offers them."""

import json
import sys
import urllib.request
from pathlib import Path

import pytest

from installers.releases import VERSION_FILE, copy_release, next_version, put, served_source
from tests.frozen_lookalike import make_lookalike

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the lookalike is made of scripts")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_lookalike(tmp_path / "frozen")


def test_a_release_says_its_version_and_knows_its_source(folder: Path, tmp_path: Path) -> None:
    """And the folder that it was made of stays as it is."""
    before = next_version(folder, 0)
    (tmp_path / "source").mkdir()
    with served_source(tmp_path / "source") as source:
        release = copy_release(folder, tmp_path / "release", "7.8.9", source)
        resources = release / "_internal" / "resources"
        assert source.url in (resources / "updates.toml").read_text()
        assert (resources / "updates" / "root.json").read_bytes() == source.root
    assert 'VERSION = "7.8.9"\n' in (release / VERSION_FILE).read_text()
    assert next_version(folder, 0) == before


def test_what_is_offered_can_be_fetched(folder: Path, tmp_path: Path) -> None:
    """By its name in the signed list, which is served as it is."""
    (tmp_path / "source").mkdir()
    with served_source(tmp_path / "source") as source:
        source.offer(folder, "waggle-7.8.9-linux-x86_64.tar.gz")
        with urllib.request.urlopen(f"{source.url}metadata/2.targets.json") as answer:  # noqa: S310 - loopback
            offered = json.load(answer)["signed"]["targets"]
    assert list(offered) == ["waggle-7.8.9-linux-x86_64.tar.gz"]


def test_what_is_put_into_a_copy_stays_out_of_the_original(tmp_path: Path) -> None:
    """Although both were one file; what could be run still can."""
    original, copy = tmp_path / "original", tmp_path / "copy"
    original.write_text("one")
    original.chmod(0o755)
    copy.hardlink_to(original)
    put(copy, b"another")
    assert original.read_text() == "one"
    assert copy.read_text() == "another"
    assert copy.stat().st_mode & 0o111


def test_the_next_version_counts_in_the_middle(folder: Path) -> None:
    """Releases that follow each other, of a folder that has any version."""
    put(folder / VERSION_FILE, b'VERSION = "1.9.3"\n')
    assert next_version(folder, 1) == "1.10.0"


def test_a_folder_without_a_version_is_refused(folder: Path) -> None:
    """It names the file that it lacks."""
    put(folder / VERSION_FILE, b"")
    with pytest.raises(OSError, match="holds no version"):
        next_version(folder, 1)
