"""The form of a hub's address."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from core.errors import UsageError
from core.i18n import translatable
from core.settings import plain_address
from core.wire.codec import MAX_URL_CHARS


@dataclass(frozen=True, slots=True)
class HubAddress:
    """A hub's URL and the host in it."""

    url: str  # scheme and host in lower case, no default port, no slash at the end
    host: str


def parse_hub_url(url: str) -> HubAddress:
    """The address that ``url`` names.

    Raises:
        UsageError: it is no plain http or https address.
    """
    host = ""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host.encode("ascii")  # other signs may turn into an address that nobody looked at
        host.encode("idna")  # raises for labels that no resolver takes
        # Marks that nothing follows count, too: what would be added to the address came after them.
        plain = "@" not in parts.netloc and "?" not in url and "#" not in url
        fine = plain and parts.scheme in ("http", "https") and bool(host) and parts.port != 0
    except ValueError:
        fine = False
    # Whatever hides or turns signs around would make it look like another address.
    if not fine or len(url) > MAX_URL_CHARS or " " in url or not url.isprintable():
        raise UsageError(
            translatable(
                "{} is no address of a meeting point. "
                "Write it like https://hub.example.org or http://192.168.1.5:8765.",
                f"{url[:MAX_URL_CHARS]!r}",
            )
        )
    return HubAddress(plain_address(url), host)
