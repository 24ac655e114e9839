"""A file for whoever helps: what was found, versions, the last log lines, and nothing private.

Identity keys, checkpoints and the ledger are never opened, and of the settings nothing is handed
on. From all that is written, addresses, ids, invites, tokens and the names of person, computer and
other computers are taken out.
"""

import getpass
import ipaddress
import platform
import re
import zipfile
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from importlib.metadata import distributions
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from core.api.maintenance import Finding
from core.errors import WaggleError
from core.i18n import translatable
from core.paths import Home
from core.settings import load_settings
from core.storage.files import deliver
from core.wire.invite import read_swarm

LINES: Final = 500
MOST_LOG_BYTES: Final = 1 << 18

_INVITE: Final = re.compile(r"waggle:(//|%2F%2F)\S+", re.IGNORECASE)
_URL: Final = re.compile(r"\b[a-z][a-z0-9+]{1,15}://(?:[^\s/@]+@)?[^\s\"']+", re.IGNORECASE)
_TOKEN: Final = re.compile(
    r"\bhf_\w{8,}|\bgh[opsur]_\w{8,}|\bgithub_pat_\w{8,}|\bsk-[\w-]{8,}"
    r"|authorization[\"']?\s*[=:].*"  # with all of it, as a digest has several parts
    r"|(?:authorization|bearer|token|password|passwd|passphrase|secret|api[_-]?key)"
    r"(?:\b[\"']?[\s=:]+|_\w{1,40}[\"']?\s*[=:]\s*)"  # bounded: a run may repeat the word
    r"(?:[\"']?(?:basic|bearer|token)\s+)?\S+(?:\s+\S{16,})?"
    r"|://[^\s/@]+@",
    re.IGNORECASE,
)
_MAIL: Final = re.compile(  # from the beginning of a run only, as with the others
    r"(?<![\w.+-])[\w.+-]+@(?:(?:[\w-]+\.)+[\w-]+|localhost\b)"
)
_ID: Final = re.compile(r"\b(?:[0-9a-f]{32,}|[A-Za-z0-9+/_-]{43,}={0,2})\b")
_FOUR: Final = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
_SIX: Final = re.compile(  # bounded in front: a run without a colon is looked at once
    r"(?<![0-9a-f])[0-9a-f]{0,4}:[0-9a-f]{0,4}:[0-9a-f:.]*(?:%\w+)?", re.IGNORECASE
)
_HOST: Final = re.compile(
    # With a port or in the local network, or files look so; and so do modules of our own.
    r"(?<![\w./\\-])(?!(?:app|core)\.[\w.]+\.lan\b)(?:[a-z0-9_-]+\.)+"
    r"(?:[a-z][a-z0-9-]*:\d{1,5}\b|(?:local|lan|home\.arpa|fritz\.box)(?!\.?\w)\.?)"
    r"|(?<=\bhost )[\"']?[a-z0-9][\w.-]*(?::\d{1,5})?",
    re.IGNORECASE,
)
_README: Final = """\
What Waggle wrote for whoever helps you:

findings.json  what waggle doctor found on this computer
versions.txt   the system, Python, Waggle and the libraries that are installed
log.txt        the last {lines} lines of Waggle's log
helper.txt     the same of what was done beside practice: downloads, exports, exams
ends.txt       what both printed besides, and how they ended where that was not asked for

Taken out: addresses and names of other computers, ids of nodes, invites, tokens, your name and
that of this computer. The settings were read to know some of these names, and are not inside.
Never opened: the identity key, checkpoints, and what was practised.
"""


def write_support_file(path: Path, home: Home, findings: list[Finding]) -> str:
    """Write it to ``path``; what is inside, in words for a person.

    Raises:
        HomeError: it cannot be written.
    """
    log, beside = (_last_lines(home.logs / f"{name}.log") for name in ("engine", "helper"))
    ends = [
        line
        for name in ("engine", "helper")
        for line in _last_lines(home.logs / f"{name}-output.log")  # the window writes them
    ]
    plain = [msgspec.structs.replace(one, remarks=()) for one in findings]  # the words say it all
    told = msgspec.json.format(msgspec.json.encode(plain), indent=2).decode()
    told_of = {
        "findings.json": told,
        "versions.txt": _versions(),
        "log.txt": _text(log),
        "helper.txt": _text(beside),
        "ends.txt": _text(ends),
    }
    hosts = _hosts(home, told_of.values())
    parts = {name: redacted(text, home, hosts) for name, text in told_of.items()}
    parts["README.txt"] = _README.format(lines=len(log))
    deliver(path, _zipped(parts))
    return translatable(
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


def _hosts(home: Home, texts: Iterable[str]) -> frozenset[str]:
    """Names of other computers that the settings or an address in one of ``texts`` tell.

    They stand in errors by themselves, too, where nothing else shows what they are.
    """
    urls = [url for text in texts for url in _URL.findall(text)]
    with suppress(WaggleError):
        settings = load_settings(home.settings)
        urls += [*settings.swarm.hubs, settings.network.proxy]
        urls += [hub.url for hub in read_swarm(settings.swarm.name).hubs]
    return frozenset(filter(None, map(_host_of, urls)))


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def redacted(text: str, home: Home, hosts: Collection[str] = ()) -> str:
    """``text`` without what is nobody's business, the names of ``hosts`` included."""
    text = _INVITE.sub("[invite]", text)
    text = _URL.sub("[address]", text)
    text = _TOKEN.sub("[token]", text)
    text = _MAIL.sub("[address]", text)
    text = _ID.sub("[id]", text)
    text = _SIX.sub(_without_six, text)  # first: it may end like one of IPv4
    text = _FOUR.sub("[address]", text)
    text = _HOST.sub("[address]", text)
    for host in sorted(hosts, key=len, reverse=True):
        text = _whole(host).sub("[address]", text)
    for place, name in ((home.root, "[home]"), (Path.home(), "[user]")):
        for spelt in {str(place), place.as_posix(), str(place).replace("\\", "\\\\")}:
            if len(spelt) > 1:
                text = text.replace(spelt, name)
    computer = platform.node()
    names = {computer, computer.partition(".")[0], _user()} - {""}
    for private in sorted(names, key=len, reverse=True):  # or "anne" would leave "-laptop"
        text = _whole(private).sub("[name]", text)
    return text


def _whole(name: str) -> re.Pattern[str]:
    """``name`` where it is no part of a longer word; systems spell names as they like."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


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
    told = [one.metadata for one in distributions()]
    named = {one["Name"]: one["Version"] for one in told if "Name" in one and "Version" in one}
    installed = [f"{name} {version}" for name, version in sorted(named.items())]
    return "\n".join([system, f"Python {platform.python_version()}", *installed, ""])
