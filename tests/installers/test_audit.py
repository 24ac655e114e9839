"""What must not be is found where it is."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from installers import audit
from tests.posix import is_root_of_linux

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
needs_root = pytest.mark.skipif(not is_root_of_linux(), reason="only root owns what root owns")


@needs_root
@pytest.mark.parametrize("mode", [0o666, 0o664, 0o4755, 0o2755])
def test_a_file_that_others_can_change_is_found(tmp_path: Path, mode: int) -> None:
    """Also one that runs as somebody else."""
    tmp_path.chmod(0o755)
    plain, loose = tmp_path / "plain", tmp_path / "loose"
    plain.touch(0o644)
    loose.touch()
    loose.chmod(mode)
    (found,) = audit.writable(tmp_path)
    assert found.startswith(str(loose))


@needs_root
def test_a_file_of_somebody_else_is_found(tmp_path: Path) -> None:
    """Its owner could make it writable at any time."""
    tmp_path.chmod(0o755)
    (tmp_path / "theirs").touch(0o644)
    shutil.chown(tmp_path / "theirs", 1000)
    assert len(audit.writable(tmp_path)) == 1


@needs_root
def test_a_link_is_no_door(tmp_path: Path) -> None:
    """Every link has mode 777, and nobody can write through that."""
    tmp_path.chmod(0o755)
    (tmp_path / "link").symlink_to("elsewhere")
    assert audit.writable(tmp_path) == []


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_port_that_takes_calls_is_found(kind: socket.SocketKind) -> None:
    """TCP and UDP alike; gone once it is closed."""
    with socket.socket(socket.AF_INET, kind) as ear:
        ear.bind(("127.0.0.1", 0))
        if kind is socket.SOCK_STREAM:
            ear.listen()
        port = f":{ear.getsockname()[1]:04X}"
        assert any(told.endswith(port) for told in audit.listening(os.getpid()))
    assert not any(told.endswith(port) for told in audit.listening(os.getpid()))


def test_a_connection_that_was_made_from_here_is_no_open_port() -> None:
    """Whoever calls others listens to nobody."""
    with (
        socket.create_server(("127.0.0.1", 0)) as ear,
        socket.create_connection(ear.getsockname()) as call,
    ):
        port = f":{call.getsockname()[1]:04X}"
        assert not any(told.endswith(port) for told in audit.listening(os.getpid()))


def test_code_from_elsewhere_is_found() -> None:
    """This Python is none of the system's own, as far as this test says."""
    found = audit.foreign_code([os.getpid()], ("/nowhere/",))
    assert any("python" in path or "libc" in path for path in found)
    assert audit.foreign_code([os.getpid()], ("/",)) == set()


def test_a_process_that_has_ended_runs_nothing() -> None:
    """It may end between two looks."""
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    assert audit.foreign_code([done.pid], ()) == set()
    assert audit.locked_in([done.pid]) == []


def test_this_process_is_not_locked_in() -> None:
    """So a judge that is not would be seen."""
    assert audit.locked_in([os.getpid()]) == []


def test_a_key_that_others_can_read_is_found(tmp_path: Path) -> None:
    """And a data folder that they can enter."""
    home = tmp_path / "waggle"
    home.mkdir(0o700)
    (home / "identity").touch(0o600)
    assert audit.readable_by_others(home) == []
    (home / "identity").chmod(0o640)
    assert audit.readable_by_others(home) == [str(home / "identity")]
    home.chmod(0o755)
    assert len(audit.readable_by_others(home)) == 2


@pytest.mark.skipif(
    not all(map(shutil.which, ("cc", "readelf"))), reason="no C compiler, or no binutils"
)
def test_a_library_that_is_searched_elsewhere_is_found(tmp_path: Path) -> None:
    """In words that say where."""
    source = tmp_path / "a.c"
    source.write_text("int a;", "ascii")
    command = ["cc", "-shared", "-Wl,-rpath,/tmp/libs", "-o", str(tmp_path / "a.so"), str(source)]
    subprocess.run(command, check=True)  # noqa: S603 - our own command line
    assert audit.searched_elsewhere(tmp_path) == [f"{tmp_path}/a.so searches /tmp/libs"]
