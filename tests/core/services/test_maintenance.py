"""Services that care for what is kept here, as the window asks for them."""

import os
import sys
import zipfile
from pathlib import Path

import psutil
import pytest

from core.api.maintenance import (
    AutostartShown,
    BackUpIdentity,
    FoldersMeasured,
    LookAround,
    LookedAround,
    MakeSupportFile,
    MeasureFolders,
    RemoveEverything,
    RestoreIdentity,
    SetAutostart,
    ShowAutostart,
)
from core.api.programs import ListPrograms, ProgramsListed
from core.api.requests import Done, Reply, Request
from core.errors import HomeError, HomeInUseError, UsageError, WaggleError
from core.paths import Home
from core.services.data_folder import BEFORE
from core.services.maintenance import list_programs
from core.services.service import ServiceContext
from core.storage.files import DRAFT_SUFFIX
from core.storage.home_lock import hold
from core.wire.identity import load_or_create_identity, save_identity
from core.wire.names import friendly_name
from tests.asking_services import answer_to, answers_to
from tests.envelopes import ANNE, BOB
from tests.posix import is_private

pytestmark = pytest.mark.usefixtures("memory_keyring")


@pytest.fixture
def home(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home of Anne's, on a system that is nobody's."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    save_identity(ANNE, home.identity)
    return home


async def words(request: Request, home: Home) -> str:
    """The words at the end of a service."""
    return (await answer_to(request, ServiceContext(home), Done)).words


async def refusal(request: Request, home: Home, error: type[WaggleError]) -> str:
    """The words by which it is refused."""
    with pytest.raises(error) as caught:
        await answers_to(request, ServiceContext(home))
    return str(caught.value)


def name_in(home: Home) -> str:
    return friendly_name(load_or_create_identity(home.identity).peer_id)


async def test_everything_is_looked_at(home: Home) -> None:
    """As ``waggle doctor`` does it."""
    found = await answer_to(LookAround(), ServiceContext(home), LookedAround)
    assert {"memory", "disk", "judge"} <= {one.area for one in found.findings}


async def test_what_is_kept_is_measured(home: Home) -> None:
    """With the folder's place, and the name by which others know this node."""
    (home.models / "weights").write_bytes(bytes(700))
    found = await answer_to(MeasureFolders(), ServiceContext(home), FoldersMeasured)
    assert (found.root, found.name) == (str(home.root), friendly_name(ANNE.peer_id))
    assert {one.part: one.size for one in found.parts}["models"] == 700


@pytest.mark.parametrize("content", [None, b"damaged"])
async def test_who_has_no_identity_has_no_name(home: Home, content: bytes | None) -> None:
    """Nor is one made by looking; there is nothing to back up, either."""
    home.identity.unlink()
    if content is not None:
        home.identity.write_bytes(content)
    found = await answer_to(MeasureFolders(), ServiceContext(home), FoldersMeasured)
    assert found.name == ""
    await refusal(BackUpIdentity(path=str(home.root / "backup")), home, HomeError)
    assert home.identity.exists() == (content is not None)


async def test_an_identity_moves_to_another_computer(home: Home, tmp_path: Path) -> None:
    """The backup says what it is, only its owner reads it, and its text does no harm."""
    backup = tmp_path / "my identity.txt"
    told = await words(BackUpIdentity(path=str(backup)), home)
    assert str(backup) in told
    assert "Keep that file to yourself" in told
    text = backup.read_text()
    assert text.startswith(f"The identity of {friendly_name(ANNE.peer_id)} in Waggle.")
    assert is_private(backup)
    other = Home(tmp_path / "other")
    other.prepare()
    told = await words(RestoreIdentity(path=str(backup)), other)
    assert name_in(other) == friendly_name(ANNE.peer_id)
    assert "kept" not in told


async def test_who_was_here_before_is_kept_beside(home: Home, tmp_path: Path) -> None:
    """Their unsent letters go: they were signed by somebody else."""
    backup = tmp_path / "bob"
    save_identity(BOB, backup)
    home.outbox.write_bytes(b"letters")
    told = await words(RestoreIdentity(path=str(backup)), home)
    (kept,) = home.root.glob(f"{BEFORE}*")
    assert str(kept) in told
    assert name_in(home) == friendly_name(BOB.peer_id)
    assert not home.outbox.exists()
    await words(RestoreIdentity(path=str(kept)), home)
    assert name_in(home) == friendly_name(ANNE.peer_id)


async def test_a_key_that_cannot_be_written_leaves_the_one_that_is_here(
    home: Home, tmp_path: Path
) -> None:
    """Or the next start would make up somebody new."""
    save_identity(BOB, tmp_path / "bob")
    home.identity.with_suffix(DRAFT_SUFFIX).mkdir()  # is in the way
    await refusal(RestoreIdentity(path=str(tmp_path / "bob")), home, HomeError)
    assert name_in(home) == friendly_name(ANNE.peer_id)


async def test_a_damaged_key_gives_way_to_a_backup(home: Home, tmp_path: Path) -> None:
    """That is what backups are for."""
    save_identity(BOB, tmp_path / "bob")
    home.identity.write_bytes(b"damaged")
    await words(RestoreIdentity(path=str(tmp_path / "bob")), home)
    assert name_in(home) == friendly_name(BOB.peer_id)


async def test_the_same_identity_again_changes_nothing(home: Home) -> None:
    """Nothing is put aside."""
    await words(RestoreIdentity(path=str(home.identity)), home)
    assert name_in(home) == friendly_name(ANNE.peer_id)
    assert list(home.root.glob(f"{BEFORE}*")) == []


@pytest.mark.parametrize("content", [b"", b"a letter to a friend", os.urandom(9_000)])
async def test_any_other_file_is_refused(home: Home, tmp_path: Path, content: bytes) -> None:
    """And the key that is here stays."""
    (tmp_path / "other").write_bytes(content)
    told = await refusal(RestoreIdentity(path=str(tmp_path / "other")), home, UsageError)
    assert "is no backup" in told
    await refusal(RestoreIdentity(path=str(tmp_path / "nowhere")), home, HomeError)
    assert name_in(home) == friendly_name(ANNE.peer_id)


async def test_a_running_node_stays_who_it_is(home: Home, tmp_path: Path) -> None:
    """Neither its key nor its home is taken away under it."""
    save_identity(BOB, tmp_path / "bob")
    with hold(home):
        await refusal(RestoreIdentity(path=str(tmp_path / "bob")), home, HomeInUseError)
        await refusal(RemoveEverything(), home, HomeInUseError)
    assert name_in(home) == friendly_name(ANNE.peer_id)


async def test_what_cannot_be_written_is_told(home: Home, tmp_path: Path) -> None:
    """With what to do."""
    nowhere = str(tmp_path / "no" / "file")
    told = await refusal(BackUpIdentity(path=nowhere), home, HomeError)
    assert told.endswith("Choose another place.")
    await refusal(MakeSupportFile(path=nowhere), home, HomeError)


async def test_a_support_file_is_made(home: Home, tmp_path: Path) -> None:
    """As ``waggle doctor --bundle`` does it."""
    path = tmp_path / "help.zip"
    assert "Look into it before you hand it on" in await words(
        MakeSupportFile(path=str(path)), home
    )
    assert zipfile.is_zipfile(path)


@pytest.mark.skipif(os.name == "nt", reason="it would change the real registry")
async def test_everything_is_removed(home: Home) -> None:
    """And it is said where other things were left."""
    (home.root / "thesis.odt").write_text("years of work")
    assert "is left what Waggle did not make" in await words(RemoveEverything(), home)
    (home.root / "thesis.odt").unlink()
    assert await words(RemoveEverything(), home) == (
        "Everything that Waggle kept on this computer is removed."
    )


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="it would change this system")
async def test_starting_with_the_computer_is_the_systems_word(home: Home, tmp_path: Path) -> None:
    """Read where the desktop reads it; what stands in its way is told in words."""
    file = tmp_path / "config" / "autostart" / "waggle.desktop"
    for request, on in (
        (ShowAutostart(), False),
        (SetAutostart(on=True), True),
        (ShowAutostart(), True),
        (SetAutostart(on=False), False),
    ):
        assert await answers_to(request, ServiceContext(home)) == [AutostartShown(on=on)]
        assert file.exists() is on
    file.parent.rmdir()
    file.parent.write_text("")
    for request in (ShowAutostart(), SetAutostart(on=True)):
        assert "does not let Waggle" in await refusal(request, home, HomeError)


async def test_this_very_program_is_among_those_that_run(tmp_path: Path) -> None:
    """In alphabetical order, each once, and never one that could be no rule."""
    told: list[Reply] = []
    await list_programs(ListPrograms(id=1), ServiceContext(Home(tmp_path)), told.append)
    (answer,) = told
    assert isinstance(answer, ProgramsListed)
    assert psutil.Process().name() in answer.names
    assert list(answer.names) == sorted(set(answer.names), key=str.casefold)
    assert not any("/" in name for name in answer.names)  # as threads of the kernel have
