"""What *What works here* says about findings; pure."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QCoreApplication

from app.text.error_words import explain
from core.api.maintenance import Finding
from core.i18n import retold

Mark = Literal["well", "note", "trouble"]

translate = QCoreApplication.translate

_OF_NO_INTEREST = frozenset({"redis"})  # only for whoever hosts a large meeting point


def shown(findings: Sequence[Finding]) -> list[Finding]:
    """Those that a person is told, what is in trouble first."""
    told = [one for one in findings if one.area not in _OF_NO_INTEREST]
    return sorted(told, key=lambda one: mark_of(one) != "trouble")


def mark_of(finding: Finding) -> Mark:
    """How it stands with it."""
    if finding.ok:
        return "well"
    return "trouble" if finding.needed else "note"


def mark_in_words(mark: Mark) -> str:
    """For whoever does not see the sign."""
    return {
        "well": translate("Findings", "works"),
        "note": translate("Findings", "does not work, and is not needed"),
        "trouble": translate("Findings", "needs you"),
    }[mark]


def area_in_words(area: str) -> str:
    """What a person calls it; a new one is called as it is."""
    known = {
        "computer": translate("Findings", "This computer"),
        "memory": translate("Findings", "Memory"),
        "disk": translate("Findings", "Disk"),
        "settings": translate("Findings", "Settings"),
        "models": translate("Findings", "Models"),
        "identity": translate("Findings", "This node's identity"),
        "ledger": translate("Findings", "The record of rounds"),
        "sampling": translate("Findings", "Trying puzzles"),
        "graphics card": translate("Findings", "Graphics card"),
        "judge": translate("Findings", "Checking answers safely"),
        "local network": translate("Findings", "Others on this network"),
        "door": translate("Findings", "Being asked by others"),
        "meeting points": translate("Findings", "Meeting points"),
        "swarm": translate("Findings", "Swarm"),
        "meeting point": translate("Findings", "Meeting point"),
        "libtorrent": translate("Findings", "Others on the internet"),
        "battery": translate("Findings", "Battery"),
        "idle": translate("Findings", "Whether you use the computer"),
        "load": translate("Findings", "How busy other programs are"),
        "card load": translate("Findings", "How busy the graphics card is"),
        "heat": translate("Findings", "Heat"),
        "full screen": translate("Findings", "Full screen"),
        "programs": translate("Findings", "Programs that run"),
    }
    return known.get(area, area[:1].upper() + area[1:])


def in_words(finding: Finding) -> str:
    """What was found, as a sentence begins."""
    words = explain(retold(finding.words, finding.remarks), finding.kind)
    return words if words.startswith("http") else words[:1].upper() + words[1:]


def sum_up(findings: Sequence[Finding]) -> str:
    """The one sentence."""
    troubles = sum(mark_of(one) == "trouble" for one in findings)
    if troubles == 0:
        return translate("Findings", "This computer can practise.")
    if troubles == 1:
        return translate("Findings", "One thing keeps this computer from practising.")
    words = translate("Findings", "{count} things keep this computer from practising.")
    return words.format(count=troubles)
