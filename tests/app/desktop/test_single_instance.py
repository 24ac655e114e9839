"""One window per home, whatever the one before died of."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from app.desktop.single_instance import (
    MOST_BYTES,
    Opening,
    SingleInstance,
    address_of,
    lock_of,
    tell,
)
from core.paths import Home
from tests.posix import is_private

ROOT = Path(__file__).resolve().parents[3]
LINK = "waggle://join/abc-DEF_123"


@pytest.fixture
def first(home: Home, qtbot: QtBot) -> Iterator[SingleInstance]:
    assert qtbot
    made = SingleInstance(home)
    assert made.claim(Opening())
    yield made
    made.release()


def start_again(home: Home, *code: str) -> subprocess.Popen[str]:
    """Another process that claims ``home`` and prints whether it got it."""
    lines = (
        "import sys, os",
        "from pathlib import Path",
        "from PySide6.QtCore import QCoreApplication",
        "from app.desktop.single_instance import Opening, SingleInstance",
        "from core.paths import Home",
        "app = QCoreApplication([])",
        f"one = SingleInstance(Home(Path({str(home.root)!r})))",
        f"print(one.claim(Opening(link={LINK!r})), flush=True)",
        *code,
    )
    return subprocess.Popen(  # noqa: S603 - this interpreter on a text of our own
        [sys.executable, "-c", "\n".join(lines)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def test_a_second_start_hands_over_and_is_not_the_first(
    first: SingleInstance, home: Home, qtbot: QtBot
) -> None:
    """Its arguments arrive in the first one, whole."""
    heard: list[Opening] = []
    first.asked.connect(heard.append)
    second = start_again(home)
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [Opening(link=LINK)]
    said, _ = second.communicate(timeout=60)
    assert said.strip() == "False"


@pytest.mark.parametrize(("background", "ways"), [(False, 1), (True, 0)])
def test_a_second_start_lets_the_first_come_to_the_front(
    first: SingleInstance, home: Home, qtbot: QtBot, *, background: bool, ways: int
) -> None:
    """Before that one hears of it, and unless nobody asked to see the window."""
    order: list[str] = []
    first.asked.connect(lambda _: order.append("heard"))
    given = partial(order.append, "gave way")
    opening = Opening(background=background)
    with ThreadPoolExecutor(1) as other:
        told = other.submit(tell, address_of(home), opening, given)
        qtbot.waitUntil(lambda: "heard" in order)
        assert told.result()
    assert order == ["gave way"] * ways + ["heard"]


def test_two_homes_have_two_windows(first: SingleInstance, tmp_path: Path) -> None:
    """Another folder is another node."""
    assert first
    other = SingleInstance(Home(tmp_path / "other"))
    assert other.claim(Opening())
    other.release()


@pytest.mark.skipif(os.name == "nt", reason="pipes of dead processes vanish there by themselves")
def test_one_that_was_killed_is_no_hindrance(home: Home, qtbot: QtBot) -> None:
    """Its socket lies there, nobody answers, and the next start takes over."""
    assert qtbot
    killed = start_again(home, "os.kill(os.getpid(), 9)")
    said, _ = killed.communicate(timeout=60)
    assert said.strip() == "True"
    assert Path(address_of(home)).exists()
    following = SingleInstance(home)
    assert following.claim(Opening())
    following.release()


def test_who_lets_go_makes_room(first: SingleInstance, home: Home) -> None:
    """A window that is about to close takes no more guests."""
    first.release()
    following = SingleInstance(home)
    assert following.claim(Opening())
    following.release()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=2 * MOST_BYTES))
def test_whatever_is_sent_does_no_harm(
    first: SingleInstance, home: Home, qtbot: QtBot, line: bytes
) -> None:
    """Noise is hung up on, and the next guest is heard as well."""
    heard: list[Opening] = []
    first.asked.connect(heard.append)
    guest = QLocalSocket()
    guest.connectToServer(address_of(home))
    guest.write(line + b"\n")
    qtbot.waitUntil(lambda: guest.state() is QLocalSocket.LocalSocketState.UnconnectedState)
    first.asked.disconnect(heard.append)
    assert all(isinstance(one, Opening) for one in heard)


@pytest.mark.parametrize("link", ["http://example.org", "waggle://join/", "waggle://join/a b"])
def test_only_invites_are_links(link: str) -> None:
    """Another program may hand over anything that looks like a link."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode({"link": link}), type=Opening)


@pytest.mark.parametrize(
    "address", ["waggle-ab12", str(Path(tempfile.gettempdir(), "waggle-ab12"))]
)
def test_two_starts_wait_at_the_same_file(address: str) -> None:
    """Whatever folder each was started in, also where an address is a bare name."""
    assert lock_of(address) == str(Path(tempfile.gettempdir(), "waggle-ab12.lock"))


def test_the_place_cannot_be_guessed(home: Home) -> None:
    """It hangs on a secret that the home keeps for its owner, and a new secret moves it."""
    before = address_of(home)
    assert is_private(home.window_token)
    assert len(home.window_token.read_bytes()) == 32
    assert address_of(home) == before
    home.window_token.unlink()
    assert address_of(home) != before


def test_nothing_else_is_left_of_the_secret(home: Home) -> None:
    """No draft of it lies about, in which somebody might read it."""
    before = set(home.root.iterdir())
    address_of(home)
    assert set(home.root.iterdir()) - before == {home.window_token}


def test_starts_at_once_meet_in_one_place(tmp_path: Path) -> None:
    """Also on a home that none of them has seen yet."""
    starts = 8
    with ThreadPoolExecutor(starts) as threads:
        for number in range(25):
            fresh = Home(tmp_path / str(number))
            assert len(set(threads.map(address_of, [fresh] * starts))) == 1


def test_a_home_without_a_secret_has_a_place(tmp_path: Path) -> None:
    """Where none can be kept, every start still goes to the same one."""
    (tmp_path / "file").write_text("in the way")
    homes = [Home(tmp_path / "file" / name) for name in ("one", "other")]
    assert [address_of(home) for home in homes] == [address_of(home) for home in homes]
    assert len({address_of(home) for home in homes}) == 2


def test_nobody_at_home_is_told_nothing(home: Home) -> None:
    """Where no window listens, telling says so at once."""
    assert not tell(address_of(home), Opening())
