"""What a starter's outbox writes to the disk: ``python -m tests.benchmarks.bench_outbox``. Linux.

Twenty letters of a kilobyte a second in two exchanges, as a starter alone leaves them, for two
minutes each: as it is, and with the pragmas of the other databases, which wait for the disk.
"""

import os
import sys
import tempfile
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from unittest import mock

from core.storage.sqlite import QUICK
from core.swarm.exchange import outbox
from core.swarm.exchange.outbox import MOST_LETTERS, Letter, Outbox
from tests.benchmarks.bench_saving import written

SECONDS, EXCHANGE_S, LETTERS, BYTES = 120.0, 0.5, 10, 1_000
DAY_S, GB = 86_400, 1e9


def practise(path: Path) -> int:
    """Bytes that practice gives to the disk's cache for the outbox at ``path`` until it is closed.

    What is written over there before the system gets to it counts once.
    """
    numbers = count(1)

    def letters(many: int) -> list[Letter]:
        return [Letter(next(numbers), time.time(), os.urandom(BYTES)) for _ in range(many)]

    with closing(Outbox(path, "meadow")) as kept:
        kept.put(letters(MOST_LETTERS))
        (before, _), until = written(), time.monotonic() + SECONDS
        while time.monotonic() < until:
            kept.put(letters(LETTERS))
            kept.handed_out([])
            kept.refresh(time.time(), lambda _: None, for_hubs=False)
            time.sleep(EXCHANGE_S)
    return written()[0] - before


def main() -> None:
    wrote = dict[str, int]()
    for name, pragmas in (("as it is", outbox._PRAGMAS), ("waiting for the disk", QUICK)):  # noqa: SLF001 - what is compared
        with (
            tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder,
            mock.patch.object(outbox, "_PRAGMAS", pragmas),
        ):
            wrote[name] = practise(Path(folder) / "outbox.sqlite")
        sys.stdout.write(f"{name}: {wrote[name] * DAY_S / SECONDS / GB:.1f} GB a day\n")
    sys.stdout.write(f"ratio {wrote['waiting for the disk'] / wrote['as it is']:.1f}\n")


if __name__ == "__main__":
    main()
