"""Where newer releases are found, as it was built into this one."""

from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from core.errors import UpdateError
from core.i18n import translatable
from core.paths import RESOURCES

_MOST_ROOT_BYTES: Final = 64_000


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    url: Annotated[str, Meta(max_length=300)] = ""


@dataclass(frozen=True, slots=True)
class ReleaseSource:
    """A repository of releases, and whom it is believed."""

    url: str  # ends in a slash
    root: bytes  # root.json as it was shipped: the keys that everything else rests on


def load_source(resources: Path = RESOURCES) -> ReleaseSource | None:
    """The source that is built in; None where there is none.

    Raises:
        UpdateError: what is built in is damaged.
    """
    try:
        url = msgspec.toml.decode((resources / "updates.toml").read_bytes(), type=_File).url
        if not url:
            return None
        root = (resources / "updates" / "root.json").read_bytes()
    except (OSError, ValueError) as error:  # msgspec's errors, and text that is no UTF-8
        raise _damaged() from error
    if not _is_safe(url) or len(root) > _MOST_ROOT_BYTES:
        raise _damaged()
    return ReleaseSource(url if url.endswith("/") else f"{url}/", root)


def _is_safe(url: str) -> bool:
    """Signatures would do without; TLS keeps from others which release this computer has."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        return bool(parts.hostname)
    return parts.scheme == "http" and _is_this_computer(parts.hostname or "")


def _is_this_computer(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _damaged() -> UpdateError:
    return UpdateError(
        translatable(
            "What this Waggle knows about its update source is damaged. "
            "Install the newest release anew; everything that you have here stays."
        )
    )
