"""The helper as a process of its own, on its real pipes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.api.models import FetchModel, VerifyModel
from core.api.pipe import MAX_LINE, encode
from core.api.protocol import decode_answer
from core.api.requests import Cancel, Cancelled, Done, Refused, Reply
from core.api.swarm import CheckHub
from core.helper.dispatcher import UNKNOWN
from core.helper.main import read_requests, sender
from core.paths import Home
from tests.fake_helper import PROGRESS, PUT_AWAY_FILE, Act
from tests.waggle_process import Process, running


@contextmanager
def real_helper(home: Path) -> Iterator[Process]:
    with running(["core.helper", "--home", str(home)], home / "stderr.txt") as process:
        yield process


@contextmanager
def fake_helper(home: Path) -> Iterator[Process]:
    with running(["tests.fake_helper", "--home", str(home)], home / "stderr.txt") as process:
        yield process


def hear(process: Process) -> Reply:
    return decode_answer(process.out.readline())


def test_a_request_is_answered_and_the_end_of_stdin_is_the_leash(tmp_path: Path) -> None:
    """Garbage is logged and passed over, a refusal comes back in words, and it ends with 0."""
    with real_helper(tmp_path) as process:
        assert process.popen.stdin is not None
        process.popen.stdin.write(b'garbage\n\xff\n{"type":"stopped","round":1}\n')
        process.say(VerifyModel(id=5, model="no-such-model"))
        answer = hear(process)
        assert isinstance(answer, Refused)
        assert answer.id == 5
        process.let_go()
        assert process.wait() == 0
    log = (Home(tmp_path).logs / "helper.log").read_text(encoding="utf-8")
    assert log.count("Ignoring a line") == 3


def test_services_are_put_away_when_the_window_dies(tmp_path: Path) -> None:
    """What runs is told to end, and does so before the process goes."""
    with fake_helper(tmp_path) as process:
        process.say(Act(id=1, deed="work"))
        assert hear(process).id == 1
        process.let_go()
        assert process.wait() == 0
    assert (tmp_path / PUT_AWAY_FILE).exists()


def test_a_thread_left_behind_does_not_hold_the_process(tmp_path: Path) -> None:
    """Work that cannot be interrupted is cut off a moment after the window is gone."""
    with fake_helper(tmp_path) as process:
        process.say(Act(id=1, deed="block"))
        assert hear(process).id == 1
        process.let_go()
        assert process.wait() == 1


def test_cancelling_is_heard_through_the_pipe(tmp_path: Path) -> None:
    """A service that is under way is ended by the window's wish, and the helper goes on."""
    with fake_helper(tmp_path) as process:
        process.say(Act(id=1, deed="work"))
        assert not hear(process).is_last
        process.say(Cancel(id=2, request=1))
        assert hear(process) == Cancelled(id=1)
        process.say(Act(id=3, deed="greet"))
        assert hear(process) == Done(id=3, words="hello")


def test_an_answer_that_fits_no_line_is_a_refusal(tmp_path: Path) -> None:
    """The window would drop the line and wait for ever."""
    with fake_helper(tmp_path) as process:
        process.say(Act(id=1, deed="overflow"))
        assert isinstance(hear(process), Refused)


def test_the_sender_writes_whole_lines_or_nothing() -> None:
    """One line an answer; one that is too long leaves the channel as it was."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb", buffering=0) as channel:
        send = sender(channel)
        with pytest.raises(ValueError, match="bytes"):
            send(Done(words="x" * MAX_LINE))
        send(PROGRESS)
    with os.fdopen(reader, "rb") as heard:
        assert heard.read() == encode(PROGRESS)


def test_a_window_that_is_gone_is_no_error() -> None:
    """The last words of a service meet a broken pipe."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb", buffering=0) as channel:
        sender(channel)(Done())


def test_a_request_with_a_value_that_is_not_allowed_is_refused(tmp_path: Path) -> None:
    """Whoever made it hears so, by its number."""
    with real_helper(tmp_path) as process:
        process.say(CheckHub(id=5, url="x" * 401))
        answer = hear(process)
    assert isinstance(answer, Refused)
    assert (answer.id, answer.words) == (5, UNKNOWN)


async def test_requests_are_read_line_by_line_and_garbage_is_skipped() -> None:
    """A line that is no request costs nothing but itself."""
    reader, writer = os.pipe()
    first, second = Cancel(id=1, request=2), FetchModel(id=2, model="spark")
    os.write(writer, encode(first) + b"garbage\n\xff\n" + encode(second))
    os.close(writer)
    with os.fdopen(reader, "rb", buffering=0) as source:
        assert [request async for request in read_requests(source)] == [first, second]
