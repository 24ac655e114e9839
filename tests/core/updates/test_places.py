"""The folders beside an installation, cut off at every point."""

import os
import sys
from pathlib import Path

import pytest

from core.updates.places import Exchange, Places, exchange, remove


class PowerCutError(Exception):
    """Everything ends here."""


def cannot(_one: Path, _other: Path) -> bool:
    """As on a disk that knows no such step."""
    return False


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = Places(tmp_path / "waggle")
    for folder, version in ((made.place, "old"), (made.new, "new")):
        folder.mkdir()
        (folder / "version").write_text(version)
        (folder / "install.toml").write_text('kind = "tarball"\n')
    return made


def version(folder: Path) -> str:
    return (folder / "version").read_text()


@pytest.mark.parametrize("swapping", [exchange, cannot])
def test_the_new_one_takes_the_place(places: Places, swapping: Exchange) -> None:
    """And the old one lies beside it until it is not needed any more."""
    places.swap(swapping)
    assert (version(places.place), version(places.old)) == ("new", "old")
    assert not places.new.exists()


@pytest.mark.parametrize("swapping", [exchange, cannot])
def test_the_old_one_can_be_put_back(places: Places, swapping: Exchange) -> None:
    """And nothing of the new one is left."""
    places.swap(swapping)
    places.put_back(swapping)
    assert version(places.place) == "old"
    assert [path.name for path in places.place.parent.iterdir()] == ["waggle"]


def test_a_switch_cut_off_between_its_renames_is_healed(places: Places) -> None:
    """There is no Waggle for a moment, and the old one comes back."""
    places.place.rename(places.old)
    places.heal()
    assert version(places.place) == "old"
    assert not places.old.exists()
    places.swap(cannot)
    assert version(places.place) == "new"


def test_a_switch_cut_off_at_its_end_is_healed(places: Places) -> None:
    """What is in place stays; what was there before goes."""
    places.swap()
    places.heal()
    assert version(places.place) == "new"
    assert [path.name for path in places.place.parent.iterdir()] == ["waggle"]


def test_an_exchange_cut_off_before_its_rename_is_healed(places: Places) -> None:
    """The new one is in place, the old one has the other's name."""

    def cut(one: Path, other: Path) -> bool:
        exchange(one, other)
        raise PowerCutError

    with pytest.raises(PowerCutError):
        places.swap(cut)
    places.heal()
    places.clear()
    assert places.place.is_dir()
    assert [path.name for path in places.place.parent.iterdir()] == ["waggle"]


def test_healing_a_sound_place_changes_nothing(places: Places) -> None:
    """What is ready to be put in place stays ready."""
    places.heal()
    assert (version(places.place), version(places.new)) == ("old", "new")


def test_drafts_are_cleared_away(places: Places) -> None:
    """With what was ready; neither a young one, which may be in use, nor what else lies beside."""
    for name in (".waggle.part-x1", "waggle.part-2"):
        (places.place.parent / name).mkdir()
        os.utime(places.place.parent / name, (1.0, 1.0))
    (places.place.parent / ".waggle.part-young").mkdir()
    places.clear()
    places.clear_drafts()
    left = sorted(path.name for path in places.place.parent.iterdir())
    assert left == [".waggle.part-young", "waggle", "waggle.part-2"]


@pytest.mark.parametrize("name", ["waggle.new", "waggle.old"])
def test_what_is_no_waggle_is_never_touched(places: Places, name: str) -> None:
    """A person may have kept something of their own under that name."""
    own = places.place.with_name(name)
    if own.exists():
        own.rename(places.place.with_name("elsewhere"))
    own.mkdir()
    (own / "letters").write_text("mine")
    assert places.in_the_way == own
    places.heal()
    places.clear()
    with pytest.raises(FileExistsError):
        places.swap()
    assert (own / "letters").read_text() == "mine"
    assert version(places.place) == "old"


def test_a_link_is_no_waggle(places: Places, tmp_path: Path) -> None:
    """Wherever it leads to."""
    places.old.symlink_to(tmp_path / "nowhere")
    assert places.in_the_way == places.old


def test_what_is_not_there_can_be_removed(tmp_path: Path) -> None:
    """Nothing happens."""
    remove(tmp_path / "nothing")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot")
def test_two_folders_change_names(tmp_path: Path) -> None:
    """In one step; where the disk cannot, nothing has changed."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "name").write_text(name)
    could = exchange(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "a" / "name").read_text() == ("b" if could else "a")
    assert (tmp_path / "b" / "name").read_text() == ("a" if could else "b")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot")
def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """And no reason to try another way."""
    (tmp_path / "a").mkdir()
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "a", tmp_path / "b")
