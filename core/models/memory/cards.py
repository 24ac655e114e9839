"""The graphics cards of this computer by name, asked without torch."""

import platform
import sys
from typing import Final

from core.models.memory.machine import ask_nvidia, torch_speaks_cuda, visible_card
from core.settings import DeviceChoice

APPLE: Final = "mps"


def usable_cards() -> dict[DeviceChoice, str]:
    """What its maker calls each card that torch can use, by the name that the settings give it."""
    if sys.platform == "darwin" and platform.machine() == "arm64":
        return {APPLE: "Apple"}
    names = nvidia_names() if torch_speaks_cuda() else []
    return {f"cuda:{number}": name for number, name in enumerate(names)}


def trained_card(wish: DeviceChoice) -> str | None:
    """The driver's number or name of the card that ``wish`` trains on; None: none of NVIDIA's."""
    if wish in ("cpu", APPLE):
        return None
    return visible_card(int(wish.partition(":")[2] or 0))


def nvidia_names() -> list[str]:
    """Names of NVIDIA's cards, in the order in which torch counts them; none without a driver."""
    told = ask_nvidia("--query-gpu=index,uuid,name", "--format=csv,noheader")
    rows = [line.split(", ", 2) for line in told.splitlines()]
    return _in_order([(row[0], row[1], row[2].strip()) for row in rows if len(row) == 3])  # noqa: PLR2004


def _in_order(rows: list[tuple[str, str, str]]) -> list[str]:
    names = list[str]()
    while (card := visible_card(len(names))) is not None:
        found = [name for index, uuid, name in rows if card == index or uuid.startswith(card)]
        if not found:
            break
        names.append(found[0])
    return names
