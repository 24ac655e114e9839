"""A node that puts letters into its outbox without end, until it is killed.

    python -m tests.outbox_child FILE SWARM

Says the sequence of each letter once it is kept.
"""

import sys
from pathlib import Path

from core.swarm.exchange.outbox import Letter, Outbox


def _fill(path: str, swarm: str) -> None:
    outbox = Outbox(Path(path), swarm)
    sequence = outbox.last_sequence()
    while True:
        sequence += 1
        outbox.put([Letter(sequence, 0.0, b"%d" % sequence)])
        sys.stdout.write(f"{sequence}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _fill(*sys.argv[1:])
