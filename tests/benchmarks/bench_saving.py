"""What saving every round costs a disk: ``python tests/benchmarks/bench_saving.py``. Linux.

Saves a run of ``spark``'s size as often as quick rounds do, flushing one of a while, against
flushing each. *Never written* is what was gone before the system got to it.
"""
# ruff: noqa: T201 - a script talks to the person who runs it

import statistics
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # so that it runs as a script

import torch

from core.engine.ports import Progress
from core.training.checkpoint_notes import CheckpointNote
from core.training.checkpoints import FLUSHED_EVERY_S, Checkpoint, CheckpointStore

ROUNDS = 100  # of each, in turns of ten
TENSORS = {f"adapter/{n}": torch.zeros(30_000).normal_() for n in range(20)}  # 2.4 MB


def written() -> tuple[int, int]:
    """Bytes that this process gave to the disk's cache, and those of them that were taken back."""
    lines = Path("/proc/self/io").read_text("ascii").splitlines()
    told = dict(line.split(": ") for line in lines)
    return int(told["write_bytes"]), int(told["cancelled_write_bytes"])


def main() -> None:
    """Let both take turns, on the disk that the project lies on."""
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder:
        stores = {
            "flushing each": CheckpointStore(
                Path(folder, "a"), count(step=FLUSHED_EVERY_S).__next__
            ),
            "flushing one of a while": CheckpointStore(Path(folder, "b")),
        }
        seconds: dict[str, list[float]] = {name: [] for name in stores}
        kept = dict.fromkeys(stores, 0)
        for turn in range(0, ROUNDS, 10):
            for name, store in stores.items():
                before = written()
                for number in range(turn, turn + 10):
                    note = CheckpointNote("spark", "0" * 16, Progress(1, number, "waggle"))
                    began = time.perf_counter()
                    store.save(Checkpoint(note, TENSORS))
                    seconds[name].append(time.perf_counter() - began)
                after = written()
                kept[name] += after[0] - before[0] - (after[1] - before[1])
        for name, taken in seconds.items():
            each = statistics.median(taken) * 1_000
            print(f"{name}: {each:.1f} ms a round, {kept[name] / ROUNDS / 1e6:.2f} MB for the disk")
        each, some = (statistics.median(taken) for taken in seconds.values())
        print(f"ratio of the times: {each / some:.2f}")


if __name__ == "__main__":
    main()
