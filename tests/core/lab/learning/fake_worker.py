"""Plays a run without playing: counts its rounds; started with a folder as the worker is.

What its arm is called decides what happens to it.
"""

import os
import sys
import threading
from pathlib import Path

import msgspec
import psutil

LATEST = 3  # rounds that a run which is "half" done has behind it


def note(folder: Path, word: str) -> None:
    """Add a line to what all workers of a campaign did; lines of several never mix."""
    with (folder.parent / "events").open("ab", buffering=0) as events:
        events.write(f"{word} {folder.name} {os.getpid()}\n".encode())


def main() -> int:
    folder = Path(sys.argv[1])
    plan = msgspec.json.decode((folder / "run.json").read_bytes())
    arm, rounds = plan["arm"]["name"], plan["setting"]["rounds"]
    note(folder, "begin")
    (folder / "rounds.csv").touch()
    behind = {"half": LATEST, "ready": rounds}.get(arm, 0)
    for number in range(behind + 1, rounds + 1):
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
        if arm == "fails":
            sys.stderr.write("a warning\nThe model is broken. Install it again.\n")
            return 1
        if arm == "dies":
            sys.stderr.write("a warning that explains nothing\n")
            psutil.Process().kill()
        if arm == "hangs":
            threading.Event().wait()
    note(folder, "end")
    (folder / "done").touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
