"""Asking before an invite leads somewhere that only its reader can judge.

An invite is the word of whoever wrote it. What it names inside the own network, on this computer,
or below a path of its own is connected to only after the person agreed to that very address: by
typing it with ``--hub``, or by saying yes.
"""

import sys
from collections.abc import Collection
from typing import Final

from core.api.swarm import Concern
from core.cli.output import say
from core.errors import UsageError
from core.services.invites import doubtful_hubs
from core.settings import plain_address
from core.wire.invite import read_swarm

_WHERE: Final[dict[Concern, str]] = {
    "own_computer": "on this computer",
    "own_network": "inside your own network",
    "path": "a page of its own on somebody's server",
}


def agree_to(swarm: str, typed: Collection[str]) -> None:
    """Have the person agree to each doubtful address of the invite ``swarm`` not in ``typed``.

    Raises:
        UsageError: they did not, or nobody is there to ask.
    """
    known = {plain_address(url) for url in typed}
    for hub in doubtful_hubs(read_swarm(swarm)):
        if plain_address(hub.url) in known:
            continue
        where = f"The invite leads to {hub.url}, {_WHERE[hub.concern]}."
        if not sys.stdin.isatty():
            raise UsageError(f"{where} If you want to connect to it, add --hub {hub.url}.")
        say(f"{where} Connect to it? [y/N]")
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise UsageError("Nothing was sent. Ask whoever gave you the invite about it.")
