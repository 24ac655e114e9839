"""Processes of the soak: two people at windows, one in a terminal, and a hub; counted by role."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil
from msgspec.structs import astuple

from core.ledger.schema import FIELDS, open_ledger
from core.paths import Home
from core.settings import (
    ComputeSettings,
    RulesSettings,
    Settings,
    SwarmSettings,
    WindowSettings,
    save_settings,
)
from tests.gallery.furnished import a_round
from tests.netns import ROOT, Host

HUB_PORT: Final = 8_765
MODELS: Final = ("spark", "ember")
ROLES: Final = {"core.serve": "engine", "core.helper": "helper", "judge_process": "judge"}
"""What stands in the command line of a child, and what it is; others are probes and trials."""

ALL_ROLES: Final = ("window", "engine", "helper", "judge", "hub", "other")
_END_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class RoundsKept:
    """What the record of rounds says of one model."""

    newest: int  # 0: none yet
    before: tuple[int, float]  # number and sum of the moments of those before the newest


@dataclass(slots=True)
class Somebody:
    """A home, and the processes that work on it now."""

    name: str
    role: str  # of the first process
    command: tuple[str, ...]
    host: Host
    home: Home
    display: str = ""
    first: "subprocess.Popen[bytes] | None" = None
    seen: dict[psutil.Process, str] = field(default_factory=dict)  # that it ever had

    def start(self) -> None:
        """Start the first process."""
        if self.first is not None and self.first.stdin is not None:
            self.first.stdin.close()
        quiet = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"}
        screen = {"DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"} if self.display else {}
        with (self.home.root / "output.txt").open("ab") as output:
            self.first = subprocess.Popen(  # noqa: S603 - our own command
                self.host.command((sys.executable, "-m", *self.command)),
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                cwd=ROOT,
                env={**os.environ, **quiet, **screen},
            )

    def say(self, habit: str) -> None:
        """Have the person at the window do something."""
        if self.first is not None and self.first.stdin is not None:
            with suppress(OSError):  # it is gone: the next sample says so
                self.first.stdin.write(f"{habit}\n".encode())
                self.first.stdin.flush()

    def tree(self) -> dict[psutil.Process, str]:
        """Every process that is there now, and its role."""
        if self.first is None or self.first.poll() is not None:
            return {}
        found = {psutil.Process(self.first.pid): self.role}
        for child in psutil.Process(self.first.pid).children(recursive=True):
            with suppress(psutil.Error):
                found[child] = _role(child)
        self.seen |= found
        return found

    def kill(self, role: str) -> tuple[str, ...] | None:
        """Kill -9; the roles of those that it had started, which should end by themselves now.

        None: there is nobody in that role.
        """
        tree = self.tree()
        killed = next((one for one, is_ in tree.items() if is_ == role), None)
        if killed is None:
            return None
        children = tuple(tree.get(child, "other") for child in killed.children(recursive=True))
        killed.kill()
        if self.first is not None and killed.pid == self.first.pid:
            self.first.wait()
        return children

    def strays(self) -> dict[psutil.Process, str]:
        """Processes that it once had, and that run on though they belong to nothing any more."""
        tree = self.tree()
        self.seen = {one: role for one, role in self.seen.items() if one.is_running()}
        found = {one: role for one, role in self.seen.items() if one not in tree}
        return {one: role for one, role in found.items() if _lives(one)}

    def kept(self) -> dict[str, RoundsKept]:
        """The rounds on record, model by model."""
        with closing(sqlite3.connect(f"file:{self.home.ledger}?mode=ro", uri=True)) as ledger:
            return {model: _kept(ledger, model) for model in MODELS}

    def lost(self, before: dict[str, RoundsKept]) -> str:
        """What became of the rounds that were on record before, in words."""
        with closing(sqlite3.connect(f"file:{self.home.ledger}?mode=ro", uri=True)) as ledger:
            whole = ledger.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            changed = [
                model
                for model, old in before.items()
                if _sum(ledger, model, old.newest) != old.before
            ]
            more = sum(_kept(ledger, m).newest - old.newest for m, old in before.items())
        lost = f"lost of {', '.join(changed)}" if changed else "0 lost"
        return f"{lost}, {more} more, {'whole' if whole else 'CORRUPT'}"

    def end(self) -> None:
        """Close it as a person would, and then in earnest."""
        if self.first is None:
            return
        tree = self.tree()
        if self.display and self.first.stdin is not None:
            self.first.stdin.close()
        elif self.first.poll() is None:
            self.first.terminate()
        psutil.wait_procs(list(tree), _END_S)
        for one in tree:
            with suppress(psutil.Error):
                one.kill()
        self.first.wait()


def _lives(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


def _role(process: psutil.Process) -> str:
    words = " ".join(process.cmdline())
    return next((role for mark, role in ROLES.items() if mark in words), "other")


def _kept(ledger: sqlite3.Connection, model: str) -> RoundsKept:
    newest = ledger.execute("SELECT max(round) FROM rounds WHERE model = ?", (model,)).fetchone()
    return RoundsKept(newest[0] or 0, _sum(ledger, model, newest[0] or 0))


def _sum(ledger: sqlite3.Connection, model: str, newest: int) -> tuple[int, float]:
    asked = "SELECT count(*), coalesce(sum(at), 0.0) FROM rounds WHERE model = ? AND round < ?"
    count, moments = ledger.execute(asked, (model, newest)).fetchone()
    return count, moments


def measure(one: Somebody) -> dict[str, float]:
    """What it takes now: bytes by role, handles, processes, disk, and rounds on record."""
    counts: Counter[str] = Counter()
    for process, role in one.tree().items():
        with suppress(psutil.Error), process.oneshot():
            memory = process.memory_full_info()
            counts[f"{role}_pss"] += memory.pss
            counts["pss"] += memory.pss
            counts["rss"] += memory.rss
            counts["handles"] += process.num_fds()
            counts["threads"] += process.num_threads()
            counts["processes"] += 1
    files = _files(one.home.root)
    ledger = [size for name, size in files.items() if name.startswith(one.home.ledger.name)]
    counts |= {"disk": sum(files.values()), "ledger": sum(ledger), "strays": len(one.strays())}
    if one.home.ledger.exists():
        with suppress(sqlite3.Error):
            counts["rounds"] = sum(kept.newest for kept in one.kept().values())
    return {f"{one.name}.{name}": counts[name] for name in MEASURES}


MEASURES: Final = (
    *(f"{role}_pss" for role in ALL_ROLES),
    *("pss", "rss", "handles", "threads", "processes", "strays", "disk", "ledger", "rounds"),
)


def _files(folder: Path) -> dict[str, int]:
    sizes = {}
    for path in folder.rglob("*"):
        with suppress(OSError):  # it was replaced meanwhile
            if path.is_file():
                sizes[str(path.relative_to(folder))] = path.stat().st_size
    return sizes


PAST: Final = "smollm2-135m"
"""The model of the rounds before, which nobody practises here: a start drops what comes after its
own checkpoint."""

_PAST_ROUNDS: Final = 100_000  # a week at this pace
_WEEK_S: Final = 6.9 * 86_400


def age(home: Home) -> None:
    """Give ``home`` a week of rounds: a record of an hour doubles in its second one."""
    names, marks = ", ".join(FIELDS), ", ".join("?" * (1 + len(FIELDS)))
    rng, now = random.Random(7), time.time()
    with closing(open_ledger(home.ledger)) as ledger, ledger:
        if ledger.execute("SELECT 1 FROM rounds LIMIT 1").fetchone():
            return
        ledger.executemany(
            f"INSERT INTO rounds (model, {names}) VALUES ({marks})",  # noqa: S608 - own field names
            (
                (PAST, *astuple(a_round(number, now + _WEEK_S * (number / _PAST_ROUNDS - 1), rng)))
                for number in range(1, _PAST_ROUNDS + 1)
            ),
        )


def furnish(home: Home, hubs: tuple[str, ...], share: int, *, lan: bool) -> None:
    """Make a home whose rules let it practise at ``share`` percent, whatever others do here."""
    home.prepare()
    if home.settings.exists():
        return
    rules = RulesSettings(
        on_battery="run", full_screen="run", busy_percent=0, hottest_c=0, share_percent=share
    )
    settings = Settings(
        window=WindowSettings(consent=True),
        rules=rules,
        compute=ComputeSettings(sampler="torch", threads=1),
        swarm=SwarmSettings(hubs=hubs, lan=lan),
    )
    save_settings(settings, home.settings)
