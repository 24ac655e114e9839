"""Starting a judge and ending it; what it says is in test_scorer."""

import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

import core
from core.tasks.judge_child import ChildLostError, JudgeChild, environment, judge_command
from core.tasks.judge_messages import MAX_ANSWERS, Ready, Work
from core.tasks.verifiers import MAX_ANSWER
from tests.core.tasks.evil_judge import evil_command, evil_keys

DEAF = (sys.executable, "-I", "-c", "while True: pass")


def test_the_judge_inherits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of ours reaches it, whatever it is called."""
    monkeypatch.setenv("SECRET_TOKEN", "42")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    assert set(environment()) <= {"OPENBLAS_NUM_THREADS", "APPDATA", "SYSTEMROOT"}
    monkeypatch.setenv("APPDATA", "C:\\the person's")
    assert environment()["APPDATA"] == "."


def test_what_the_puzzles_load_loads_on_windows_in_its_environment() -> None:
    """Pyfiglet looks for Windows' folder of settings while it is imported, and dies without."""
    load = "import pathlib, sys, tempfile; sys.platform = 'win32'; import pyfiglet"
    subprocess.run([sys.executable, "-c", load], env=environment(), check=True)  # noqa: S603 - ours


def test_the_command_names_the_folder_of_our_packages() -> None:
    """In isolated mode nothing else would find them when they are not installed."""
    command = judge_command()
    assert command[1] == "-I"
    assert (Path(command[-1]) / "core" / "__init__.py").samefile(str(core.__file__))


async def test_nothing_is_left_of_it() -> None:
    """Its folder goes as soon as it is ready, the process at the end; ending twice does no harm."""
    child = await JudgeChild.spawn(evil_command())
    (process,) = psutil.Process().children()
    folder = process.cwd()
    assert is_below_the_temporary_folder(folder)
    assert isinstance(await child.greeting(20.0), Ready)
    assert sys.platform == "win32" or not exists(folder)
    await child.end()
    await child.end()
    assert not process.is_running()
    assert not exists(folder)


async def test_a_child_that_does_not_listen_is_lost() -> None:
    """More than the pipe holds, to one that reads nothing: the clock decides."""
    child = await JudgeChild.spawn(DEAF)
    try:
        with pytest.raises(ChildLostError):
            await send_much(child)
    finally:
        await child.end()


async def test_a_child_that_says_nothing_is_lost() -> None:
    """No greeting in time."""
    child = await JudgeChild.spawn(DEAF)
    try:
        with pytest.raises(ChildLostError):
            await child.greeting(0.1)
    finally:
        await child.end()


async def test_a_child_that_says_something_else_is_lost() -> None:
    """Text where a greeting should be, such as a program's usage."""
    child = await JudgeChild.spawn((sys.executable, "-I", "-c", "print('usage: waggle')"))
    try:
        with pytest.raises(ChildLostError):
            await child.greeting(20.0)
    finally:
        await child.end()


async def send_much(child: JudgeChild) -> None:
    """Work of full size, several times what a pipe holds."""
    answers = tuple(f"{n:04}" * (MAX_ANSWER // 4) for n in range(MAX_ANSWERS))
    for _ in range(20):
        await child.send(Work(evil_keys([0])[0], None, answers), limit_s=0.2)


def is_below_the_temporary_folder(folder: str) -> bool:
    return Path(folder).is_relative_to(Path(tempfile.gettempdir()).resolve())


def exists(folder: str) -> bool:
    return Path(folder).exists()
