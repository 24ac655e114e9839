"""The trial of rounds of ``dev.py windows``, and what all trials have in common."""

from __future__ import annotations

import json
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dev_system import say
from dev_wine import LATE, WORK, Wine, WineError, windows_path

ROUNDS, KILLED_AFTER = 20, 7
ROUND_LIMIT_S = 3_600  # of all
WAGGLE = ("-m", "core.cli.main")
JOIN = ("join", "--solo", "--model", "spark", "--seed", "1", "--threads", "1", "--json")


@dataclass(frozen=True)
class Outcome:
    """What became of a test or a trial: passed, skipped or failed, and why."""

    name: str
    state: str
    words: str = ""


def rounds(wine: Wine, python: Path) -> list[Outcome]:
    """Practise alone, end it as a power cut does, go on, and export what was learnt."""
    home = WORK / "home"
    shutil.rmtree(home, ignore_errors=True)
    join = [python, *WAGGLE, *JOIN, "--home", windows_path(home), "--rounds"]
    before = events(wine, [*join, str(ROUNDS)], KILLED_AFTER)
    after = events(wine, [*join, str(ROUNDS - KILLED_AFTER)])
    began = next((event["round"] for event in after if event["type"] == "started"), None)
    told = finished([*before, *after])
    model = WORK / "spark.gguf"
    model.unlink(missing_ok=True)
    export = ("export", "--to", "gguf", "--model", "spark", "--force", "--home", windows_path(home))
    done = wine.run(python, *WAGGLE, *export, "--out", windows_path(model))
    say(f"rounds finished: {told}; it went on after {began}")
    return [
        outcome("it goes on where it was killed", began in {KILLED_AFTER, KILLED_AFTER + 1}),
        outcome("twenty in order", max(told, default=0) >= ROUNDS and told == sorted(set(told))),
        outcome("the ledger is whole", _is_whole(home / "ledger.sqlite", len(told))),
        outcome("export to GGUF", done.code == 0 and _starts_with(model, b"GGUF"), done.text),
    ]


def events(wine: Wine, command: list[object], kill_after: int = 0) -> list[dict[str, Any]]:
    """What it says, line by line; all ends at once after so many rounds, unless that is 0.

    Raises:
        WineError: it did not end in ``ROUND_LIMIT_S``.
    """
    said = list[dict[str, Any]]()

    def hear(line: str) -> None:
        if not (line.startswith("{") and line.endswith("}\n")):  # a kill may cut one off
            return
        said.append(json.loads(line))
        is_enough = kill_after and len(finished(said)) >= kill_after
        if is_enough and said[-1].get("phase") == "learning":
            wine.end()

    if wine.run(*command, limit_s=ROUND_LIMIT_S, hear=hear).code == LATE:
        raise WineError(f"{len(finished(said))} rounds took {ROUND_LIMIT_S} s; that is too slow.")
    return said


def finished(said: list[dict[str, Any]]) -> list[int]:
    """The rounds that ended, by what was said."""
    return [event["round"] for event in said if event["type"] == "round_finished"]


def _is_whole(ledger: Path, least: int) -> bool:
    """Whether the file is sound and has a row for each round."""
    if not ledger.is_file():
        return False
    database = sqlite3.connect(ledger)
    try:
        sound = database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (count,) = database.execute("SELECT count(*) FROM rounds").fetchone()
    finally:
        database.close()
    return sound and count >= least


def outcome(name: str, is_so: bool, words: str = "") -> Outcome:  # noqa: FBT001 - one question
    """Passed or failed; a failure is told at once, with the words of the program."""
    if not is_so:
        say(f"{name}: NO\n{words}".rstrip())
    return Outcome(name, "passed" if is_so else "failed", words)


def _starts_with(path: Path, magic: bytes) -> bool:
    return path.is_file() and path.read_bytes()[: len(magic)] == magic
