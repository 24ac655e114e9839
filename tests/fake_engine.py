"""A stand-in for the engine: a real process on the real pipe protocol, that only pretends to learn.

    python -m tests.fake_engine --home DIR [--script NAME] [--pace SECONDS] [--peers N]

Like the engine it waits for Join, keeps its rounds under the home (so that a restart goes on where
the last one died), saves when its stdin ends, and answers Pause, Resume, Finish and Stop. A script
makes it misbehave in one way; ``--pace`` is the length of a phase, 0 for as fast as it can.
"""

import argparse
import contextlib
import math
import os
import queue
import sys
import threading
import time
from pathlib import Path
from random import Random
from typing import Literal, get_args

import msgspec

from core.api.curves import thin
from core.api.events import (
    Command,
    Event,
    Finish,
    Join,
    Loading,
    Pause,
    Paused,
    Phase,
    PhaseEntered,
    Point,
    Resume,
    Resumed,
    RoundFinished,
    Snooze,
    Started,
    Stop,
    Stopped,
    SwarmChanged,
    failed,
)
from core.api.pipe import decode_command, encode
from core.api.sentences import NOBODY_YET
from core.errors import HomeInUseError
from core.i18n import remarks_of, translatable
from core.paths import Home
from core.storage.home_lock import hold

Script = Literal["train", "mute", "hang", "die-at-once", "die-after-2", "fatal", "garbage"]
ROUNDS_FILE = "fake-rounds.json"
SAVED_FILE = "fake-saved"  # written when the leash was let go and all was put away
SHORT_SNOOZE_S = 1  # such a snooze is over as soon as it is told
JOINS_FILE = "fake-joins"  # a line for every Join, over all lives: model, hubs, "anyway"
PHASES: tuple[Phase, ...] = ("asking", "sampling", "judging", "sharing", "learning", "saving")


class LeashEndedError(Exception):
    """Stdin was closed."""


class FakeEngine:
    """One life of the engine."""

    def __init__(self, home: Path, script: Script, pace: float, peers: int) -> None:
        self._home, self._script, self._pace, self._peers = home, script, pace, peers
        self._commands: queue.Queue[Command | None] = queue.Queue()
        self._rounds = self._load()
        self._rounds_now = 0  # of this life
        self._finishing = self._stopping = False
        self._paused: Paused | None = None

    def run(self) -> int:
        """Serve until told to end; returns the exit code."""
        threading.Thread(target=self._listen, daemon=True).start()
        say(Loading(words="Waking the model up"))
        try:
            self._serve()
        except LeashEndedError:
            if self._script in ("hang", "mute"):
                time.sleep(3_600)  # it no longer reacts to anything
            (self._home / SAVED_FILE).write_text(f"{len(self._rounds)}\n", encoding="utf-8")
        return 0

    def _serve(self) -> None:
        while True:
            command = self._next_command(wait=True)
            if isinstance(command, Join):
                self._practise(command)

    def _practise(self, join: Join) -> None:
        with (self._home / JOINS_FILE).open("a", encoding="utf-8") as joins:
            insisted = ("anyway",) if join.load_anyway else ()
            joins.write(" ".join((join.model, *join.hubs, *insisted)) + "\n")
        if self._script == "die-at-once":
            sys.stderr.write("RuntimeError: a made-up traceback\n")
            os._exit(3)
        if self._script == "fatal":
            say(failed(self._in_use()))
            return
        if self._script == "mute":
            return
        self._finishing = self._stopping = False
        self._start(join)
        while not (self._finishing or self._stopping):
            self._play(len(self._rounds) + 1)
            self._hold_while_paused()
        say(Stopped(round=len(self._rounds)))

    def _in_use(self) -> HomeInUseError:
        """What the engine is told where another one holds its home."""
        home = Home(self._home)
        with hold(home):
            try:
                with hold(home):
                    raise AssertionError("two hold it")
            except HomeInUseError as error:
                return error

    def _start(self, join: Join) -> None:
        say(
            Started(
                model=join.model,
                round=len(self._rounds),
                peer="ab" * 32,
                name="amber-otter",
                solo=join.solo,
                history=thin(self._rounds),
            )
        )
        others = translatable("Practising with {} others.", self._peers)
        words = others if self._peers else NOBODY_YET
        told = remarks_of(words)
        say(SwarmChanged(reachable=True, peers=self._peers, words=str(words), remarks=told))

    def _play(self, number: int) -> None:
        if self._script == "garbage":
            sys.stdout.buffer.write(b"a native library prints\n{broken json\n\xff\xfe\n")
        for phase in PHASES:
            say(PhaseEntered(round=number, phase=phase))
            self._obey()
            if self._stopping:
                return
        finished = pretend(number, self._peers)
        self._rounds.append(
            Point(round=number, skill=finished.skill or 0.0, swarm_skill=finished.swarm_skill)
        )
        self._keep()
        say(finished)
        self._rounds_now += 1
        if self._script == "die-after-2" and self._rounds_now == 2:
            os._exit(3)
        if self._script == "hang" and self._rounds_now == 2:
            time.sleep(3_600)

    def _obey(self) -> None:
        """Let a phase's time pass, and heed what is said meanwhile."""
        command = self._next_command(wait=False)
        while command is not None:
            self._finishing |= isinstance(command, Finish)
            self._stopping |= isinstance(command, Stop)
            self._paused = held_by(command, self._paused)
            command = self._next_command(wait=False)

    def _hold_while_paused(self) -> None:
        if self._paused is None or self._finishing or self._stopping:
            return
        say(self._paused)
        if self._paused == NAP:
            self._paused = None
        while self._paused and not (self._finishing or self._stopping):
            command = self._next_command(wait=True)
            self._paused = held_by(command, self._paused)
            self._finishing = isinstance(command, Finish)
            self._stopping = isinstance(command, Stop)
        if not self._paused:
            say(Resumed())

    def _next_command(self, *, wait: bool) -> Command | None:
        try:
            command = self._commands.get(timeout=None if wait else self._pace)
        except queue.Empty:
            return None
        if command is None:
            raise LeashEndedError
        return command

    def _listen(self) -> None:
        for line in sys.stdin.buffer:
            self._commands.put(decode_command(line))
        self._commands.put(None)

    def _keep(self) -> None:
        draft = self._home / f"{ROUNDS_FILE}.draft"  # it may be killed at any moment
        draft.write_bytes(msgspec.json.encode(self._rounds))
        draft.replace(self._home / ROUNDS_FILE)

    def _load(self) -> list[Point]:
        path = self._home / ROUNDS_FILE
        return msgspec.json.decode(path.read_bytes(), type=list[Point]) if path.exists() else []


NAP = Paused(reason="snoozed", until=0)


def held_by(command: Command | None, before: Paused | None) -> Paused | None:
    """Why it is paused after ``command``; it sleeps until told to go on, but for a nap."""
    match command:
        case Pause():
            return Paused(reason="you")
        case Snooze():
            return NAP if command.seconds == SHORT_SNOOZE_S else Paused(reason="snoozed")
        case Resume():
            return None
        case _:
            return before


def pretend(number: int, peers: int) -> RoundFinished:
    """A round as a small model might have had it: slowly better, noisy, the same every time."""
    rng = Random(number)
    skill = 0.34 - 0.24 * math.exp(-number / 90)
    solved = sum(rng.random() < skill for _ in range(64)) / 64
    others = sum(rng.random() < skill * 0.9 + 0.01 for _ in range(64)) / 64
    return RoundFinished(
        round=number,
        score=solved,
        swarm_score=others if peers else None,
        skill=skill,
        swarm_skill=skill * 0.9 + 0.01 if peers else None,
        local_groups=8,
        swarm_groups=8 if peers else 0,
        useful_local=rng.randint(3, 7),
        useful_swarm=rng.randint(2, 6) if peers else 0,
        tokens=rng.randint(1_200, 1_800),
        sample_s=0.8,
        judge_s=0.02,
        share_s=0.1,
        train_s=0.9,
        at=time.time(),
    )


def say(event: Event) -> None:
    """Write an event at once; where nobody reads any more, the leash tells."""
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.buffer.write(encode(event))
        sys.stdout.buffer.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--script", choices=get_args(Script), default="train")
    parser.add_argument("--pace", type=float, default=0.0)
    parser.add_argument("--peers", type=int, default=2)
    asked = parser.parse_args()
    code = FakeEngine(asked.home, asked.script, max(asked.pace, 1e-4), asked.peers).run()
    os._exit(code)  # the thread that reads stdin would trip over the interpreter going down


if __name__ == "__main__":
    main()
