"""What a process that reads a stranger's work may take."""

import subprocess
import sys
from dataclasses import replace

import pytest

from core.children import python_command
from core.models.policy.confined import (
    MAX_REPLY,
    ConfinedError,
    ProcessLimits,
    UntriedError,
    may_pass,
    run_confined,
)

LIMITS = ProcessLimits(seconds=2, memory=256_000_000)


def python(code: str) -> tuple[str, ...]:
    """A process that puts no limits on itself, as if it had got rid of them."""
    return (sys.executable, "-I", "-c", code)


def serving(body: str) -> tuple[str, ...]:
    """A process of ours whose answer is what ``body`` makes of ``asked``."""
    command = python_command("core.models.policy.confined")
    code = (
        "import sys; sys.path.append(sys.argv[1])\n"
        "from core.models.policy.confined import serve\n"
        f"def answer(asked):\n    {body}\n"
        "sys.exit(serve(answer))"
    )
    return (*command[:-2], code, command[-1])


def test_a_request_is_answered() -> None:
    """Bytes in, bytes out, larger than any pipe holds."""
    request = bytes(range(256)) * 2000
    assert run_confined(serving("return asked[::-1]"), request, LIMITS) == request[::-1]


def test_a_reply_may_be_as_long_as_was_said() -> None:
    """More than most need, and not a byte more than that."""
    limits = ProcessLimits(memory=256_000_000, reply=3 * MAX_REPLY)
    assert len(run_confined(serving(f"return bytes({limits.reply})"), b"", limits)) == limits.reply
    with pytest.raises(ConfinedError, match=r"crashes what reads it|says too much"):
        run_confined(serving(f"return bytes({limits.reply} + 1)"), b"", limits)


def test_nothing_of_ours_is_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the environment, which may hold a token, and not our own input."""
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    found = run_confined(serving("import os; return repr(dict(os.environ)).encode()"), b"", LIMITS)
    assert b"hf_secret" not in found
    assert b"HF_" not in found


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return bytes(10**9)", "takes more than 256 MB of memory"),
        ("while True: pass", "takes more than 2 seconds"),
        ("import threading; threading.Event().wait()", "takes more than 2 seconds"),
        ("import os; os.abort()", "crashes what reads it"),
        ("return 1 // 0", "crashes what reads it"),
        (f"return bytes({MAX_REPLY} + 1)", "crashes what reads it|says too much"),
    ],
)
def test_what_goes_wrong_is_said(body: str, words: str) -> None:
    """Memory, time, a crash, too long a reply: each is one error that goes on after "it"."""
    with pytest.raises(ConfinedError, match=words):
        run_confined(serving(body), b"", LIMITS)


def test_a_process_without_limits_is_watched_all_the_same() -> None:
    """On a system that keeps no limits, whoever grows or stays is ended from outside."""
    with pytest.raises(ConfinedError, match="of memory"):
        run_confined(python("x = [bytearray(300 << 20)]\nwhile True: pass"), b"", LIMITS)
    with pytest.raises(ConfinedError, match="seconds"):
        run_confined(python("while True: pass"), b"", ProcessLimits(seconds=1))
    with pytest.raises(ConfinedError, match="says too much"):
        run_confined(python(f"print('x' * {2 * MAX_REPLY})"), b"", LIMITS)


def test_the_process_is_gone_afterwards() -> None:
    """Nobody goes on computing for a caller that has given up."""
    import psutil

    with pytest.raises(ConfinedError):
        run_confined(python("while True: pass"), b"", ProcessLimits(seconds=1))
    assert psutil.Process().children() == []


def test_a_process_whose_caller_is_gone_ends_by_itself() -> None:
    """Even inside C code that never lets go: its leash is a thread of its own, or the system."""
    command = [*serving("return (9 ** 9 ** 9)"), *ProcessLimits(1, 256_000_000).arguments]
    ended = subprocess.run(  # noqa: S603 - our own program
        command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    assert ended.returncode != 0


@pytest.mark.skipif(sys.platform != "win32", reason="elsewhere what it starts is watched with it")
def test_on_windows_the_process_is_the_only_one_of_its_job() -> None:
    """Nothing that it starts could outlive it there, or take memory beside it."""
    body = "import subprocess, sys; return subprocess.check_output([sys.executable, '-c', ''])"
    with pytest.raises(ConfinedError, match="crashes what reads it"):
        run_confined(serving(body), b"", LIMITS)


def test_what_cannot_be_started_is_said() -> None:
    """The system's own words."""
    with pytest.raises(ConfinedError, match=r"cannot be tried out \(.*\)"):
        run_confined(("/no/such/python",), b"", LIMITS)


@pytest.mark.parametrize(
    "command",
    [
        ("/no/such/python",),
        python("while True: pass"),
        serving("import threading; threading.Event().wait()"),
    ],
)
def test_what_may_go_well_another_time_is_told_apart(command: tuple[str, ...]) -> None:
    """Also where the error was raised again in other words."""
    with pytest.raises(UntriedError) as caught:
        run_confined(command, b"", replace(LIMITS, seconds=1))
    again = ValueError("in other words")
    again.__cause__ = caught.value
    assert may_pass(caught.value)
    assert may_pass(again)


@pytest.mark.parametrize("body", ["return 1 // 0", f"return bytes({LIMITS.memory})"])
def test_what_is_bad_stays_bad(body: str) -> None:
    """It was tried out, and did not do."""
    with pytest.raises(ConfinedError) as caught:
        run_confined(serving(body), b"", LIMITS)
    assert not may_pass(caught.value)
