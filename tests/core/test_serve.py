"""The engine process, seen from inside; ``end_to_end/test_engine.py`` sees it from outside."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

from core.engine.events import Command, Event, Failed, Finish, Join, Pause
from core.engine.pipe import encode
from core.paths import Home
from core.serve import Engine, read_commands


async def spoken(*commands: Command) -> AsyncIterator[Command]:
    for command in commands:
        yield command


async def test_commands_without_a_node_are_harmless(tmp_path: Path) -> None:
    """A window may say Pause or Finish at any time."""
    told: list[Event] = []
    await Engine(Home(tmp_path), told.append).serve(spoken(Pause(), Finish()))
    assert told == []


async def test_what_can_be_explained_is_told_and_does_not_kill(tmp_path: Path) -> None:
    """An unknown model and broken settings are said in words, one after the other."""
    told: asyncio.Queue[Event] = asyncio.Queue()
    words: list[str] = []

    async def hear_failure() -> None:
        event = await told.get()
        assert isinstance(event, Failed)
        words.append(event.words)

    async def speak() -> AsyncIterator[Command]:
        yield Join(model="sparc")
        await hear_failure()
        (tmp_path / "settings.toml").write_text("nonsense")
        yield Join(model="spark")
        await hear_failure()

    await Engine(Home(tmp_path), told.put_nowait).serve(speak())
    assert "Did you mean spark?" in words[0]
    assert "settings.toml" in words[1]


async def test_commands_are_read_line_by_line_and_garbage_is_skipped() -> None:
    """A line that is no command costs nothing but itself."""
    reader, writer = os.pipe()
    os.write(writer, encode(Pause()) + b"garbage\n\xff\n" + encode(Finish()))
    os.close(writer)
    with os.fdopen(reader, "rb", buffering=0) as source:
        assert [command async for command in read_commands(source)] == [Pause(), Finish()]
