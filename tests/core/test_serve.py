"""The engine process, seen from inside; ``end_to_end/test_engine.py`` sees it from outside."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TypeVar

from core.api.events import (
    Command,
    Event,
    Failed,
    Finish,
    Join,
    Pause,
    Paused,
    PhaseEntered,
    Resume,
    Resumed,
    RoundFinished,
    Snooze,
    Stop,
    Stopped,
)
from core.api.pipe import encode
from core.api.preview import PuzzleTried, WatchPuzzles
from core.paths import Home
from core.serve import Engine, read_commands
from core.settings import RulesSettings, Settings, save_settings
from core.tasks.catalog import load_catalog
from core.wire.invite import Invite, write_invite

Told = TypeVar("Told", bound=Event)


async def spoken(*commands: Command) -> AsyncIterator[Command]:
    for command in commands:
        yield command


async def test_commands_without_a_node_are_harmless(tmp_path: Path) -> None:
    """A window may say Pause or Finish at any time."""
    told: list[Event] = []
    commands = spoken(Pause(), Snooze(seconds=9), Resume(), Finish())
    await Engine(Home(tmp_path), told.append).serve(commands)
    assert told == []


async def test_what_can_be_explained_is_told_and_does_not_kill(tmp_path: Path) -> None:
    """An unknown model and broken settings are said in words."""
    window = Window()

    async def speak(model: str, words: str) -> AsyncIterator[Command]:
        yield Join(model=model)
        assert words in (await window.hear(Failed)).words

    home = Home(tmp_path)
    await Engine(home, window.told.put_nowait).serve(speak("sparc", "Did you mean spark?"))
    home.settings.write_text("nonsense")
    await Engine(home, window.told.put_nowait).serve(speak("spark", "settings.toml"))


async def test_a_node_leaves_the_memory_that_stays_free(tmp_path: Path) -> None:
    """It would pause itself otherwise: the same setting says when."""
    rules = RulesSettings(memory_floor_mb=10**6)
    save_settings(Settings(rules=rules), tmp_path / "settings.toml")
    told: asyncio.Queue[Event] = asyncio.Queue()
    words: list[str] = []

    async def speak() -> AsyncIterator[Command]:
        yield Join(model="spark", solo=True)
        while not isinstance(event := await told.get(), Failed):
            pass
        words.append(event.words)

    await Engine(Home(tmp_path), told.put_nowait).serve(speak())
    assert "0 MB are free for it" in words[0]


class Window:
    """Says commands, and hears events one by one."""

    def __init__(self) -> None:
        self.told: asyncio.Queue[Event] = asyncio.Queue()
        self.heard: list[Event] = []

    async def hear(self, kind: type[Told]) -> Told:
        """The next event of this kind."""
        while True:
            event = await self.told.get()
            self.heard.append(event)
            if isinstance(event, kind):
                return event


async def test_decks_that_nobody_agreed_to_are_not_practised(tmp_path: Path) -> None:
    """An invite that names some says what to do, instead of practising something else."""
    window = Window()
    link = write_invite(Invite(1, "class", decks=(bytes(32),)))

    async def speak() -> AsyncIterator[Command]:
        yield Join(model="spark", swarm=link)
        assert "agree to them, on the page Swarm" in (await window.hear(Failed)).words

    await Engine(Home(tmp_path), window.told.put_nowait).serve(speak())


async def test_a_pause_said_while_the_model_wakes_up_counts(tmp_path: Path) -> None:
    """A window that starts a died engine anew says Join and Pause in one breath."""
    window = Window()

    async def speak() -> AsyncIterator[Command]:
        yield Join(model="spark", solo=True)
        yield Pause()
        assert await window.hear(Paused) == Paused(reason="you")
        yield Stop()
        await window.hear(Stopped)

    await Engine(Home(tmp_path), window.told.put_nowait).serve(speak())
    assert not any(isinstance(event, PhaseEntered) for event in window.heard)


async def test_the_rules_of_the_settings_are_obeyed_and_can_be_set_aside(tmp_path: Path) -> None:
    """No hour is welcome: it does not begin until the person says so."""
    save_settings(Settings(rules=RulesSettings(schedule=("0" * 24,) * 7)), Home(tmp_path).settings)
    window = Window()

    async def speak() -> AsyncIterator[Command]:
        yield Join(model="spark", solo=True)
        assert await window.hear(Paused) == Paused(reason="schedule")
        yield Resume()
        await window.hear(Resumed)
        await window.hear(RoundFinished)
        yield Finish()
        assert (await window.hear(Stopped)).round >= 1

    await Engine(Home(tmp_path), window.told.put_nowait).serve(speak())


async def test_puzzles_are_told_to_whoever_asked_to_watch(tmp_path: Path) -> None:
    """Asked before there was a node: of its first round, in plain words; then no more."""
    window = Window()

    async def speak() -> AsyncIterator[Command]:
        yield WatchPuzzles(on=True)
        yield Join(model="spark", solo=True)
        puzzle = await window.hear(PuzzleTried)
        assert puzzle.round == 1
        assert puzzle.title == load_catalog().task(puzzle.task).title
        assert puzzle.question
        assert puzzle.own
        yield WatchPuzzles(on=False)
        yield Stop()
        await window.hear(Stopped)

    await Engine(Home(tmp_path), window.told.put_nowait).serve(speak())


async def test_commands_are_read_line_by_line_and_garbage_is_skipped() -> None:
    """A line that is no command costs nothing but itself."""
    reader, writer = os.pipe()
    os.write(writer, encode(Pause()) + b"garbage\n\xff\n" + encode(Finish()))
    os.close(writer)
    with os.fdopen(reader, "rb", buffering=0) as source:
        assert [command async for command in read_commands(source)] == [Pause(), Finish()]


async def test_insisting_on_a_model_reaches_the_node(tmp_path: Path) -> None:
    """The window's wish to load it anyway, and nothing else, overlooks what memory there is."""
    engine = Engine(Home(tmp_path), lambda _: None)
    for insisted in (False, True):
        choice = engine._choice(Join(model="spark", load_anyway=insisted))  # noqa: SLF001 - no node has to be opened to see it
        assert choice.load_anyway is insisted
