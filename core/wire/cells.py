"""Wanted cells: what kinds of puzzles, at which levels, a node would rather be handed.

They travel beside a request, as a parameter of its media type,

    application/vnd.waggle.exchange;cells=AAAAAAAA

which whoever does not know it passes over, as any parameter: so nobody asks first, and hubs and
nodes of before go on as ever. Only the choice *within* what an author left follows it; who is
heard, how often, and how much comes is the same with it and without. In a private swarm nobody
says it, since a hub must not learn there what its members can do.
"""

import hashlib
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from typing import Final

from core.errors import WireError
from core.wire.codec import CELL_BYTES, MAX_WANTED_CELLS, Reason

CellLabels = frozenset[bytes]
"""Of cells, see ``label_of``."""

NO_CELLS: Final[CellLabels] = frozenset()

_PARAMETER: Final = re.compile(r";[ \t]*cells=([^;]*)", re.IGNORECASE)
_ALPHABET: Final = re.compile(r"[A-Za-z0-9_-]*\Z")
_QUANTUM: Final = 4  # letters of base64
_MOST_LETTERS: Final = -(-MAX_WANTED_CELLS * CELL_BYTES * 4 // 3)


def label_of(cell: str) -> bytes:
    """The label of the cell "task/level": a name of few bytes; two may share it, by rare chance."""
    return hashlib.sha256(cell.encode()).digest()[:CELL_BYTES]


def labels_of(cells: Iterable[str]) -> CellLabels:
    """The labels of the first ``MAX_WANTED_CELLS`` of ``cells``."""
    return frozenset(label_of(cell) for cell in list(cells)[:MAX_WANTED_CELLS])


def parameter_of(labels: CellLabels) -> str:
    """What is added to the media type of a request; nothing where nothing is wanted."""
    if not labels:
        return ""
    return f";cells={urlsafe_b64encode(b''.join(sorted(labels))).decode().rstrip('=')}"


def read_cells(content_type: str) -> CellLabels:
    """The labels that a request's ``Content-Type`` names; none where it names none.

    Raises:
        WireError: it names too many, none, or something else.
    """
    found = _PARAMETER.search(content_type)
    if found is None:
        return NO_CELLS
    letters = found[1].strip()
    if len(letters) > _MOST_LETTERS:
        raise WireError(Reason.SIZE, "cells")
    if not letters or not _ALPHABET.match(letters) or len(letters) % _QUANTUM == 1:
        raise WireError(Reason.SCHEMA, "cells")
    data = urlsafe_b64decode(letters + "=" * (-len(letters) % _QUANTUM))
    if len(data) % CELL_BYTES:
        raise WireError(Reason.SCHEMA, "cells")
    return frozenset(data[at : at + CELL_BYTES] for at in range(0, len(data), CELL_BYTES))
