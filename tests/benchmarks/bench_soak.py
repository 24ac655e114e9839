"""Days of use, sample by sample: ``python3 dev.py bench soak --hours 2 --folder DIR``.

Two computers on one cable (network namespaces). On the first a window that meets others at a hub
and on the network, and that changes its model from spark to ember and back every half hour; engine,
window and hub are killed in turns, every ten minutes (kill -9). On the second a window that is left
alone, found on the network, and a node in a terminal that knows only the hub. Both people look at
every page and take an exam now and then; all practise at the pace of their settings, between a
tenth and two fifths of the time.

What all take is written to ``samples.csv`` every 30 s, what happened to ``events.csv``. At the end,
and whenever ``dev.py bench soak --tell --folder DIR`` asks, growth is told and drawn. The same
command on the same folder goes on where it was left.

The windows' records begin with 100,000 rounds, as after a week at this pace: an empty one doubles
in its second hour, whatever is right.
"""
# ruff: noqa: T201 - a script talks to the person who runs it

import argparse
import csv
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import psutil

from core.paths import Home
from tests.benchmarks.soak_growth import tell
from tests.benchmarks.soak_people import (
    HUB_PORT,
    MEASURES,
    RoundsKept,
    Somebody,
    age,
    furnish,
    measure,
)
from tests.netns import Host, two_hosts

SAMPLE_S: Final = 30.0
CYCLE_S: Final = 1_800.0
"""After which all habits begin again, so that half hours can be compared."""

_TURN_S: Final = 1.0
_AFTER_S: Final = 270.0  # of a kill: by then rounds go on, and nothing is left of what it hit
_START_AGAIN_S: Final = 5.0  # which a person needs

Deed = tuple[float, str, str]
"""Second of the cycle, who, and what is done."""

DEEDS: Final[tuple[Deed, ...]] = (
    (60, "killed", "look"),
    (120, "killed", "exam"),
    (240, "calm", "look"),
    (600, "killed", "kill engine"),
    (720, "calm", "exam"),
    (900, "killed", "Ember"),
    (1_200, "killed", "kill window"),
    (1_500, "killed", "Spark"),
    (1_795, "hub", "kill hub"),
)
NAMES: Final = ("killed", "calm", "terminal", "hub")
COLUMNS: Final = ("at", "hours", *(f"{name}.{what}" for name in NAMES for what in MEASURES))


class Soak:
    """Those who take part, and the two files that are written."""

    def __init__(self, folder: Path, people: dict[str, Somebody]) -> None:
        self._people = people
        self._samples, self._events = folder / "samples.csv", folder / "events.csv"
        self._offset = _hours_so_far(self._samples) * 3_600
        self._began = time.monotonic()
        self._checks: list[tuple[float, dict[str, RoundsKept]]] = []

    @property
    def seconds(self) -> float:
        """Soaked so far, in all runs together."""
        return self._offset + time.monotonic() - self._began

    def run(self, until: float) -> None:
        """Do what is due until so many seconds were soaked."""
        for one in self._people.values():
            one.start()
        self._note("all", "start", "")
        for name in ("killed", "calm"):
            self._people[name].say("join")
        looked_at, sampled = self.seconds, -SAMPLE_S
        while self.seconds < until:
            time.sleep(_TURN_S)
            before, looked_at = looked_at, self.seconds
            try:
                for at, name, deed in DEEDS:
                    if (looked_at - at) // CYCLE_S > (before - at) // CYCLE_S:
                        self._do(self._people[name], deed)
                self._check_what_is_due()
                if looked_at - sampled >= SAMPLE_S:
                    sampled = looked_at
                    self._sample()
            except (OSError, psutil.Error, sqlite3.Error) as error:  # one of many hours' moments
                self._note("all", "trouble", f"{type(error).__name__}: {error}")
        self._note("all", "end", "")

    def _do(self, one: Somebody, deed: str) -> None:
        if not deed.startswith("kill "):
            one.say(deed)
            self._note(one.name, deed, "")
            return
        self._checks.append((self.seconds + _AFTER_S, self._people["killed"].kept()))
        children = one.kill(deed.removeprefix("kill "))
        told = "in vain" if children is None else f"with {', '.join(children) or 'no children'}"
        self._note(one.name, deed, told)
        if one.first is not None and one.first.poll() is not None:
            time.sleep(_START_AGAIN_S)
            one.start()
            one.say("join")

    def _check_what_is_due(self) -> None:
        for check in [one for one in self._checks if one[0] <= self.seconds]:
            self._checks.remove(check)
            self._note("killed", "rounds since the kill", self._people["killed"].lost(check[1]))
            for one in self._people.values():
                for stray, role in one.strays().items():
                    self._note(one.name, "orphan", f"{role}, process {stray.pid}: ended now")
                    stray.kill()

    def _sample(self) -> None:
        row: dict[str, float] = {"at": round(time.time()), "hours": self.seconds / 3_600}
        for one in self._people.values():
            row |= measure(one)
            if one.first is None or one.first.poll() is not None:
                self._note(one.name, "gone", "the first process has ended by itself")
        _append(self._samples, COLUMNS, [row[name] for name in COLUMNS])

    def _note(self, who: str, what: str, outcome: str) -> None:
        row = [round(time.time()), f"{self.seconds / 3_600:.3f}", who, what, outcome]
        _append(self._events, ("at", "hours", "who", "what", "outcome"), row)
        print(*row[1:], flush=True)


def _append(path: Path, columns: tuple[str, ...], row: list[object] | list[float]) -> None:
    is_new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(columns)
        writer.writerow(row)


def _hours_so_far(samples: Path) -> float:
    if not samples.exists():
        return 0.0
    with samples.open(encoding="utf-8", newline="") as file:
        return max((float(row["hours"]) for row in csv.DictReader(file)), default=0.0)


@contextmanager
def screen(host: Host, number: int) -> Iterator[str]:
    """An X server on ``host``, whose sockets are not those of another one."""
    command = ("Xvfb", f":{number}", "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset")
    server = subprocess.Popen(  # noqa: S603 - our own command line
        host.command(command), stderr=subprocess.DEVNULL
    )
    try:
        time.sleep(3.0)
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def everybody(folder: Path) -> Iterator[dict[str, Somebody]]:
    """All who take part, not started yet; gone afterwards."""
    with ExitStack() as stack:
        first, second = stack.enter_context(two_hosts())
        hubs = (f"http://{first.address}:{HUB_PORT}",)
        homes = {name: Home(folder / name) for name in NAMES}
        furnish(homes["killed"], hubs, 20, lan=True)
        furnish(homes["calm"], (), 40, lan=True)
        furnish(homes["terminal"], hubs, 10, lan=False)
        homes["hub"].prepare()
        for name in ("killed", "calm"):
            age(homes[name])
        number = 100 + os.getpid() % 10_000
        displays = {
            "killed": stack.enter_context(screen(first, number)),
            "calm": stack.enter_context(screen(second, number + 10_000)),
        }
        person = ("tests.benchmarks.soak_person",)
        waggle = ("core.cli.main",)
        root = {name: str(home.root) for name, home in homes.items()}
        join = ("join", "--model", "spark", "--governed", "--json", "--home", root["terminal"])
        listen = ("hub", "--listen", f"{first.address}:{HUB_PORT}", "--home", root["hub"])
        commands = {
            "killed": ("window", (*person, root["killed"]), first),
            "calm": ("window", (*person, root["calm"]), second),
            "terminal": ("engine", (*waggle, *join), second),
            "hub": ("hub", (*waggle, *listen), first),
        }
        people = {
            name: Somebody(name, role, command, host, homes[name], displays.get(name, ""))
            for name, (role, command, host) in commands.items()
        }
        for one in people.values():
            stack.callback(one.end)
        yield people


def _stop_on(*numbers: signal.Signals) -> None:
    def stop(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    handler: Callable[[int, object], None] = stop
    for number in numbers:
        signal.signal(number, handler)


def main() -> None:
    """Soak, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=2.0, help="more, in this run")
    parser.add_argument("--folder", type=Path, required=True, help="keeps homes and samples")
    parser.add_argument("--tell", action="store_true", help="tell what was found so far")
    chosen = parser.parse_args()
    folder: Path = chosen.folder.absolute()
    if not chosen.tell:
        _stop_on(signal.SIGTERM, signal.SIGINT)
        folder.mkdir(parents=True, exist_ok=True)
        with everybody(folder) as people:
            soak = Soak(folder, people)
            soak.run(soak.seconds + 3_600 * chosen.hours)
    print(tell(folder))


if __name__ == "__main__":
    main()
