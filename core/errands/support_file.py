"""A file for whoever helps: what was found, versions, the last log lines, and nothing private.

Identity keys, settings, checkpoints and the ledger are never opened. From all that is written,
addresses, ids, invites, tokens and the names of person and computer are taken out.
"""

import getpass
import ipaddress
import platform
import re
import zipfile
from collections import deque
from collections.abc import Mapping
from importlib.metadata import distributions
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec

from core.engine.desk.care import Finding
from core.errands.delivery import deliver
from core.paths import Home
from core.said import said

LINES: Final = 500
MOST_LOG_BYTES: Final = 1 << 18

_INVITE: Final = re.compile(r"waggle:(//|%2F%2F)\S+", re.IGNORECASE)
_URL: Final = re.compile(r"\bhttps?://[^\s\"']+", re.IGNORECASE)
_TOKEN: Final = re.compile(
    r"\bhf_\w{8,}|\bgh[opsu]_\w{8,}|\bsk-[\w-]{8,}"
    r"|\b(?:authorization|bearer|token|password|passwd|secret|api[_-]?key)\b[\"']?[\s=:]+\S+(?:\s+\S{16,})?"
    r"|://[^\s/@]+@",
    re.IGNORECASE,
)
_ID: Final = re.compile(r"\b(?:[0-9a-f]{32,}|[A-Za-z0-9+/_-]{43,}={0,2})\b")
_FOUR: Final = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
_SIX: Final = re.compile(r"[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*(?:%\w+)?", re.IGNORECASE)
_README: Final = """\
What Waggle wrote for whoever helps you:

findings.json  what waggle doctor found on this computer
versions.txt   the system, Python, Waggle and the libraries that are installed
log.txt        the last {lines} lines of Waggle's log
desk.txt       the same of what was done beside practice: downloads, exports, exams
ends.txt       what both printed besides, and how they ended where that was not asked for

Taken out: IP addresses, ids of nodes, invites, tokens, your name and that of this computer.
Never opened: the identity key, the settings, checkpoints, and what was practised.
"""


def write_support_file(path: Path, home: Home, findings: list[Finding]) -> str:
    """Write it to ``path``; what is inside, in words for a person.

    Raises:
        HomeError: it cannot be written.
    """
    log, beside = (_last_lines(home.logs / f"{name}.log") for name in ("engine", "desk"))
    ends = [
        line
        for name in ("engine", "desk")
        for line in _last_lines(home.logs / f"{name}-output.log")  # the window writes them
    ]
    plain = [msgspec.structs.replace(one, remarks=()) for one in findings]  # the words say it all
    told = msgspec.json.format(msgspec.json.encode(plain), indent=2).decode()
    parts = {
        "README.txt": _README.format(lines=len(log)),
        "findings.json": redacted(told, home),
        "versions.txt": redacted(_versions(), home),
        "log.txt": redacted(_text(log), home),
        "desk.txt": redacted(_text(beside), home),
        "ends.txt": redacted(_text(ends), home),
    }
    deliver(path, _zipped(parts))
    return said(
        "{} holds these findings, the versions of what is installed and the last {} "
        "lines of the log. Addresses, ids, invites and names were taken out. "
        "Look into it before you hand it on.",
        path,
        len(log),
    )


def _zipped(parts: Mapping[str, str]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return packed.getvalue()


def redacted(text: str, home: Home) -> str:
    """``text`` without what is nobody's business."""
    text = _INVITE.sub("[invite]", text)
    text = _URL.sub("[address]", text)
    text = _TOKEN.sub("[token]", text)
    text = _ID.sub("[id]", text)
    text = _FOUR.sub("[address]", text)
    text = _SIX.sub(_without_six, text)
    for place, name in ((home.root, "[home]"), (Path.home(), "[user]")):
        for spelt in {str(place), place.as_posix(), str(place).replace("\\", "\\\\")}:
            if len(spelt) > 1:
                text = text.replace(spelt, name)
    computer = platform.node()
    names = {computer, computer.partition(".")[0], _user()} - {""}
    for private in sorted(names, key=len, reverse=True):  # or "anne" would leave "-laptop"
        whole = rf"(?<!\w){re.escape(private)}(?!\w)"
        text = re.sub(whole, "[name]", text, flags=re.IGNORECASE)  # systems spell them as they like
    return text


def _without_six(found: re.Match[str]) -> str:
    """An address of IPv6 taken out; a time of day looks like one and stays."""
    address = found[0].rstrip(".:") if not found[0].endswith("::") else found[0]
    try:
        ipaddress.ip_address(address)
    except ValueError:
        return found[0]
    return "[address]" + found[0][len(address) :]


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # nobody in particular, as in some containers
        return ""


def _last_lines(log: Path) -> list[str]:
    try:
        with log.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - MOST_LOG_BYTES))
            text = file.read(MOST_LOG_BYTES).decode("utf-8", "replace")
    except OSError:
        return []
    return list(deque(text.splitlines(), LINES))


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _versions() -> str:
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    names = {one.metadata["Name"]: one.version for one in distributions()}
    installed = [f"{name} {version}" for name, version in sorted(names.items()) if name]
    return "\n".join([system, f"Python {platform.python_version()}", *installed, ""])
