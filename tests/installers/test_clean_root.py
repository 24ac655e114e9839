"""A clean root is told apart from what happens in it, and its machine sees nothing else."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from installers.clean_root import USER_HOME, CleanRoot, Machine, machine_on
from tests.posix import is_root_of_linux

ROOT = Path(__file__).resolve().parents[2]


def test_what_stays_is_listed_and_what_passes_is_not(tmp_path: Path) -> None:
    """Files, folders and links anywhere but in the places that no disk keeps."""
    for name in ("etc/passwd", "tmp/scratch", "usr/tmp/kept", "run/lock"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "bin").symlink_to("usr/bin")
    found = CleanRoot(tmp_path).listing()
    assert found == {"etc", "etc/passwd", "usr", "usr/tmp", "usr/tmp/kept", "bin"}


def test_paths_of_the_root_are_found_from_outside(tmp_path: Path) -> None:
    """An absolute path in there is one below the folder here."""
    assert CleanRoot(tmp_path).inside(Path("/usr/lib")) == tmp_path / "usr" / "lib"


def test_a_command_gets_no_variable_of_ours() -> None:
    """Neither PATH nor anything else that leads here; only what it is given."""
    command = Machine(1).command("waggle", "join", DISPLAY=":7")
    at = command.index("-i")
    assert command[at + 1 :] == [
        f"--chdir={USER_HOME}",
        f"HOME={USER_HOME}",
        "LANG=C.UTF-8",
        "PATH=/usr/bin:/bin",
        "DISPLAY=:7",
        "waggle",
        "join",
    ]


PROGRAMS = ("echo", "pivot_root", "sh", "sleep", "umount")  # what runs once it is the root


@pytest.fixture
def small_root(tmp_path: Path) -> CleanRoot:
    """A root of a few programs of this system, with the libraries that they need."""
    if not is_root_of_linux():
        pytest.skip("needs Linux and root")
    for folder in ("dev", "mnt", "proc", "sys", "tmp"):
        (tmp_path / folder).mkdir()
    for name in PROGRAMS:
        program = shutil.which(name)
        if program is None:
            pytest.skip(f"needs {name}")
        told = subprocess.run(["ldd", program], capture_output=True, check=True, text=True)  # noqa: S603, S607 - our own
        for path in [program, *re.findall(r"(/\S+) \(0x", told.stdout)]:
            copy = tmp_path / path.lstrip("/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    return CleanRoot(tmp_path)


def test_the_machine_sees_neither_this_folder_nor_a_network(small_root: CleanRoot) -> None:
    """Its root is its own, and only the loopback is there."""
    with machine_on(small_root) as machine:
        at = Path(f"/proc/{machine.pid}")
        assert not Path(f"{at}/root{ROOT}").exists()
        devices = (at / "net" / "dev").read_text("ascii").splitlines()[2:]
        assert [line.split(":")[0].strip() for line in devices] == ["lo"]
        assert machine.processes() == []
    assert not at.exists()
