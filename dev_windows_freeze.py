"""The trial of the frozen app of ``dev.py windows``: made, started, practising, and set up."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from dev_system import ROOT, say
from dev_windows_python import ADDED
from dev_windows_setup import SILENT, compiled, place_of, windows_program, with_32_bits
from dev_windows_trials import JOIN, Outcome, events, finished, outcome
from dev_wine import WORK, Wine, log_of, windows_path

FREEZE_LIMIT_S = 3_600
SETUP_LIMIT_S = 3_600
VERSION = "0.0.1"
ROUNDS = 2


def freeze(wine: Wine, python: Path) -> list[Outcome]:
    """Let PyInstaller freeze the app there; practise with what comes out, and set it up."""
    out = WORK / "frozen"
    plan = windows_path(ROOT / "packaging" / "waggle.spec")
    between = WORK / "freezing"  # not below ``out``: PyInstaller refuses to write over its own work
    options = ["--noconfirm", "--distpath", windows_path(out), "--workpath", windows_path(between)]
    shutil.rmtree(out, ignore_errors=True)
    log = log_of("freeze")
    say(f"what PyInstaller says comes into {log}")
    done = wine.run(python, "-m", "PyInstaller", *options, plan, limit_s=FREEZE_LIMIT_S, log=log)
    steps = re.findall(r"^\d+ INFO: (.*)$", done.text, re.MULTILINE)
    made = out / "waggle" / "waggle.exe"
    if done.code or not made.is_file():  # a program that is ended from outside says 0 in Wine
        say(f"freezing ended with code {done.code} after: {steps[-1] if steps else 'nothing'}")
        return [Outcome("freezing", "failed", str(log))]
    return [
        Outcome("freezing", "passed"),
        *_used(wine, python, made),
        *with_32_bits(wine, "its setup", partial(_set_up, python, made)),
    ]


def _used(wine: Wine, python: Path, made: Path) -> Iterator[Outcome]:
    """Start the frozen program, and play rounds with it."""
    add_what_wine_lacks(python, made.parent)
    started = wine.run(made, "--version")
    yield outcome("the frozen program starts", started.code == 0, started.text)
    home = WORK / "frozen-home"
    shutil.rmtree(home, ignore_errors=True)
    told = events(wine, [made, *JOIN, "--home", windows_path(home), "--rounds", str(ROUNDS)])
    practises = finished(told) == list(range(1, ROUNDS + 1))
    yield outcome("the frozen program practises", practises, str(told[-1:]))


def _set_up(python: Path, made: Path, machine: Wine, screen: str) -> Iterator[Outcome]:
    """Make the setup that people get, install it, and start what it installed."""
    setup = compiled(machine, made.parent, VERSION, SETUP_LIMIT_S)
    yield Outcome("its setup compiles", "passed")
    done = machine.run(setup, *SILENT, limit_s=SETUP_LIMIT_S, DISPLAY=screen)
    place = place_of(machine)
    if done.code == 0 and place.is_dir():
        add_what_wine_lacks(python, place)
        done = machine.run(windows_program(place / made.name), "--version")
        machine.run(windows_program(place / "unins000.exe"), *SILENT, DISPLAY=screen)
        shutil.rmtree(place, ignore_errors=True)  # what was laid beside it
    yield outcome("what it installed starts", done.text.startswith("waggle "), done.text)


def add_what_wine_lacks(python: Path, place: Path) -> None:
    """Lay beside a frozen program the libraries that Windows has, and Wine has not whole."""
    for name in ADDED:
        shutil.copyfile(python.with_name(name), place / name)
