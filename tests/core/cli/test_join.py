"""``waggle join``, in this process; ``end_to_end`` runs it as a program."""

import asyncio
import io
import json
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from core.cli import join
from core.cli.join import agree_to, closing_guard, finish_then_stop
from core.cli.main import main
from core.errors import UsageError
from core.wire.invite import VERSION, Invite, InvitedHub, write_invite
from tests.commands import Terminal, Typed

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer  # what bytes are written from


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Places behind others that this process asks for; it keeps its own, for later tests."""
    asked: list[int] = []

    def nice(_process: psutil.Process, value: int | None = None) -> int:
        if value is not None:
            asked.append(value)
        return 0

    monkeypatch.setattr(psutil.Process, "nice", nice)
    return asked


def test_json_is_all_that_stdout_gets(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Every line is an event; the round's has the promised figures."""
    command = ["join", "--solo", "--model", "spark", "--rounds", "1", "--seed", "1", "--json"]
    assert main([*command, "--threads", "1", "--home", str(tmp_path)]) == 0
    events = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    (played,) = [event for event in events if event["type"] == "round_finished"]
    assert {"score", "swarm_score", "useful_local", "tokens", "train_s"} <= set(played)
    assert events[-1] == {"type": "stopped", "round": 1}


def test_another_seed_than_before_is_wrong_usage(typed: Typed) -> None:
    """A home keeps its seed; the sentence says how to go on."""
    command = ("join", "--solo", "--rounds", "1", "--threads", "1")
    assert typed(*command, "--seed", "1").code == 0
    told = typed(*command, "--seed", "2")
    assert told.code == 2
    assert "seed 1, not 2" in told.err


def test_whoever_types_it_wants_it_to_run(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], places: list[int]
) -> None:
    """Rules that would never let it are for the window, and for those who ask for them.

    Nor does it stand back behind other programs.
    """
    (tmp_path / "settings.toml").write_text(f"[rules]\nschedule = {['0' * 24] * 7}\n")
    command = ["join", "--solo", "--model", "spark", "--rounds", "1", "--threads", "1", "--json"]
    assert main([*command, "--home", str(tmp_path)]) == 0
    assert b'"paused"' not in capsysbinary.readouterr().out
    assert places == []


class Impatient(io.BytesIO):
    """Whoever reads along presses Ctrl-C at the first pause."""

    def write(self, line: "Buffer") -> int:
        if b'"paused"' in bytes(line):
            signal.raise_signal(signal.SIGINT)
        return super().write(line)


def test_governed_it_obeys_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: list[int]
) -> None:
    """It makes way for others, says why it does not begin, and ends when it is told to."""
    (tmp_path / "settings.toml").write_text(f"[rules]\nschedule = {['0' * 24] * 7}\n")
    out = Impatient()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out))
    command = ["join", "--solo", "--model", "spark", "--threads", "1", "--json", "--governed"]
    assert main([*command, "--home", str(tmp_path)]) == 0
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert events[-2] == {"type": "paused", "reason": "schedule", "until": None, "detail": ""}
    assert events[-1] == {"type": "stopped", "round": 0}
    assert len(places) == 1


@pytest.mark.usefixtures("places")
def test_only_what_is_governed_leaves_memory_to_others(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The rules pause for it; whoever types a command without them wants it to run."""
    (tmp_path / "settings.toml").write_text("[rules]\nmemory_floor_mb = 1_000_000\n")
    command = ["join", "--solo", "--model", "spark", "--threads", "1", "--rounds", "1", "--json"]
    assert main([*command, "--governed", "--home", str(tmp_path)]) == 1
    assert b"are free for it" in capsysbinary.readouterr().out
    assert main([*command, "--home", str(tmp_path)]) == 0


class Node:
    def __init__(self) -> None:
        self.heard: list[str] = []
        self.news = asyncio.Event()

    async def run(self) -> None:
        """Nothing is practised."""

    def finish(self) -> None:
        self.heard.append("finish")
        self.news.set()

    def stop(self) -> None:
        self.heard.append("stop")
        self.news.set()


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the process there")
async def test_the_first_interrupt_finishes_and_the_next_stops() -> None:
    """Once means come to an end, twice means now; a termination always means now."""
    node = Node()
    before = signal.getsignal(signal.SIGINT)
    with finish_then_stop(node, hour()):
        for number in (signal.SIGINT, signal.SIGINT, signal.SIGTERM):
            await send(number, node)
    assert node.heard == ["finish", "stop", "stop"]
    assert signal.getsignal(signal.SIGINT) is before


def hour() -> threading.Timer:
    """A guard that no test waits for."""
    guard = threading.Timer(3_600, lambda: None)
    guard.daemon = True
    return guard


async def send(number: int, node: Node) -> None:
    """Send this process a signal, and wait until ``node`` has heard of it."""
    node.news.clear()
    os.kill(os.getpid(), number)
    await node.news.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the process there")
async def test_from_the_second_interrupt_on_closing_is_guarded() -> None:
    """Not before, since a round may take its time; further interrupts change nothing."""
    node, guard = Node(), hour()
    running = []
    with finish_then_stop(node, guard):
        for _ in range(3):
            await send(signal.SIGINT, node)
            running.append(guard.is_alive())
        assert not guard.finished.is_set()
    assert running == [False, True, True]
    assert guard.finished.is_set()  # closed in time: nothing is cut off


def test_interrupts_are_heard_until_all_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing waits for the model's thread, so that is where a person loses patience."""
    node, guard = Node(), hour()
    seen: list[bool] = []

    @asynccontextmanager
    async def open_slowly_closed(*_choice: object) -> AsyncIterator[Node]:
        yield node
        for _ in range(2):
            node.news.clear()
            signal.raise_signal(signal.SIGINT)
            await node.news.wait()
        seen.append(guard.is_alive())

    monkeypatch.setattr(join, "open_node", open_slowly_closed)
    monkeypatch.setattr(join, "closing_guard", lambda: guard)
    assert main(["join", "--solo", "--home", str(tmp_path)]) == 0
    assert seen == [True]
    assert guard.finished.is_set()


def test_closing_that_takes_too_long_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked of the threads that are at work; they would hold the process up."""
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    closing_guard(0.0).run()
    assert ended == [1]


PUBLIC, ROUTER, PAGE = "https://hub.example", "http://192.168.1.1", "https://hub.example/cgi/reboot"


def link(*urls: str) -> str:
    return write_invite(Invite(VERSION, "our-class", tuple(map(InvitedHub, urls)), b""))


def test_public_hubs_and_names_need_no_question() -> None:
    """Joining is agreeing to them."""
    agree_to(link(PUBLIC), ())
    agree_to("meadow", ())


@pytest.mark.parametrize("url", [ROUTER, PAGE, "http://localhost:1", "http://2130706433"])
def test_without_a_terminal_it_is_refused_with_what_to_type(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address is named, and nothing else happens."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    with pytest.raises(UsageError) as error:
        agree_to(link(PUBLIC, url), ())
    assert f"add --hub {url}" in str(error.value)


def test_what_was_typed_is_agreed_to() -> None:
    """With --hub or in the settings, however it is spelt."""
    agree_to(link(ROUTER, PAGE), [f"{ROUTER}:80/", PAGE])


@pytest.mark.parametrize("answer", ["y\n", "YES\n"])
def test_yes_is_yes(
    answer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked for each address by itself."""
    monkeypatch.setattr("sys.stdin", Terminal(2 * answer))
    agree_to(link(ROUTER, PAGE), ())
    asked = capsys.readouterr().out.splitlines()
    assert [url in line for url, line in zip((ROUTER, PAGE), asked, strict=True)] == [True] * 2


def test_beside_events_it_is_asked_on_stderr(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads events from stdout finds nothing else there."""
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    told = typed("join", "--swarm", link(ROUTER), "--json")
    assert (told.code, told.out) == (2, "")
    assert "Connect to it? [y/N]" in told.err


@pytest.mark.parametrize("answer", ["", "\n", "n\n", "yep\n"])
def test_anything_else_is_no(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of the input, too."""
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    with pytest.raises(UsageError, match="Nothing was sent"):
        agree_to(link(ROUTER), ())
