"""A home with some days behind it, and somebody to meet: a hub and a node on this machine."""

import math
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from core.api.events import RoundFinished
from core.ledger.contribution import Contribution
from core.ledger.history import History
from core.paths import Home
from core.settings import (
    ComputeSettings,
    Language,
    RulesSettings,
    Settings,
    SwarmSettings,
    WindowSettings,
    load_settings,
    save_settings,
)
from tests.waggle_process import NO_RULES, hub

DAYS: Final = 40
ROUNDS_A_DAY: Final = 2_400
DAY_S: Final = 86_400
FRIENDS: Final = tuple(f"{number:064x}" for number in range(1, 8))
"""Nodes that learnt from this one."""

OTHER_MODEL: Final = "ember"
"""The days before were practised with it; the model in the pictures has rounds of its own."""

UNDISTURBED: Final = RulesSettings(busy_percent=0, hottest_c=0, on_battery="run", full_screen="run")
"""What else runs on this machine is no reason to pause while pictures are taken."""


def furnish(home: Home, hubs: tuple[str, ...], past: Path | None) -> None:
    """Make ``home`` one that was used for weeks with another model, and agreed to nothing yet.

    With a ``past`` it begins as a copy of that home, with all that was practised there.
    """
    if past is not None:
        shutil.copytree(past, home.root)
    home.prepare()
    save_settings(_settings(hubs), home.settings)
    rng = Random(7)
    now = time.time()
    number = 0
    with History(home.ledger, OTHER_MODEL) as history:
        for day in range(DAYS, 0, -1):
            if day > 10 and rng.random() < 0.3:
                continue
            for _ in range(round(ROUNDS_A_DAY * rng.uniform(0.3, 1.0))):
                number += 1
                at = now - day * DAY_S + rng.uniform(-3, 3) * 3_600
                history.record(a_round(number, at, rng))
    with closing(Contribution(home.ledger)) as contribution:
        for place, friend in enumerate(FRIENDS):
            contribution.thank(
                friend, range(30 * place, 30 * place + 28), now - (place * 4 + 1) * DAY_S
            )


def greet_anew(home: Home, language: Language) -> None:
    """Let the window on ``home`` begin with the welcome, in ``language``."""
    settings = load_settings(home.settings)
    window = WindowSettings(language=language, theme="light")
    save_settings(msgspec.structs.replace(settings, window=window), home.settings)


@contextmanager
def companions(folder: Path) -> Iterator[str]:
    """A hub on this machine and a node that practises there; gives the hub's address."""
    with ExitStack() as stack:
        _, url = stack.enter_context(hub(folder / "hub"))
        stack.enter_context(_node(folder / "node", url))
        yield url


@contextmanager
def _node(home: Path, url: str) -> Iterator[None]:
    home.mkdir(parents=True)
    # A quarter of the time, so that the window's own engine gets on.
    text = f'[compute]\nsampler = "torch"\n[swarm]\nlan = false\n{NO_RULES}share_percent = 25\n'
    (home / "settings.toml").write_text(text, encoding="ascii")
    command = (sys.executable, "-m", "core.cli.main", "join", "--model", "spark", "--hub", url)
    more = ("--threads", "1", "--json", "--home", str(home))
    with (home / "stderr.txt").open("ab") as errors:
        process = subprocess.Popen(  # noqa: S603 - our own program
            (*command, *more), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def _settings(hubs: tuple[str, ...]) -> Settings:
    compute = ComputeSettings(sampler="torch")  # trying the others out takes a while
    return Settings(rules=UNDISTURBED, compute=compute, swarm=SwarmSettings(hubs=hubs, lan=False))


def a_round(number: int, at: float, rng: Random) -> RoundFinished:
    answers, score = 64, min(0.6, 0.2 + number / 400_000) * rng.uniform(0.7, 1.3)
    return RoundFinished(
        round=number,
        score=score,
        swarm_score=score * rng.uniform(0.8, 1.1),
        skill=0.16 + 0.2 * (1 - math.exp(-number / 90_000)) + rng.uniform(-0.004, 0.004),
        swarm_skill=0.17 + 0.19 * (1 - math.exp(-number / 80_000)) + rng.uniform(-0.004, 0.004),
        local_groups=8,
        swarm_groups=8,
        useful_local=rng.randint(3, 7),
        useful_swarm=rng.randint(2, 6),
        tokens=rng.randint(1_200, 1_800),
        sample_s=rng.uniform(0.6, 1.8),
        judge_s=0.005,
        share_s=0.01,
        train_s=rng.uniform(0.6, 1.8),
        at=at,
        answers=answers,
        solved=round(answers * score),
        shared=8,
        processor_s=rng.uniform(1.5, 4),
    )
