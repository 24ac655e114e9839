"""The form of a hub's address, and where it leads."""

from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.net.addresses import HubAddress, host_and_port, is_inside, needs_consent, parse_hub_url
from core.wire.codec import MAX_URL_CHARS


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8765", HubAddress("http://127.0.0.1:8765", "127.0.0.1")),
        ("https://hub.example.org/", HubAddress("https://hub.example.org", "hub.example.org")),
        ("https://example.org/waggle/", HubAddress("https://example.org/waggle", "example.org")),
        ("http://[::1]:81", HubAddress("http://[::1]:81", "::1")),
        ("http://[::1]:80", HubAddress("http://[::1]", "::1")),
        (
            "HTTPS://Hub.Example.org:443/Aa/",
            HubAddress("https://hub.example.org/Aa", "hub.example.org"),
        ),
        ("https://hub.example.org:80", HubAddress("https://hub.example.org:80", "hub.example.org")),
    ],
)
def test_addresses_of_hubs(url: str, address: HubAddress) -> None:
    """With or without port, path and slash, and spelt one way however it was typed."""
    assert parse_hub_url(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org",
        "file:///etc/passwd",
        "http://",
        "http://user:password@example.org",
        "http://example.org?x=1",
        "http://example.org#x",
        "http://example.org?",
        "http://example.org#",
        "http://@example.org",
        "http://example.org:0",
        "http://example.org:99999",
        "http://example.org:port",
        "http://exa mple.org",
        "http://example.org/\u202egro.elpmaxe",
        "http://example.org/\u200b",
        "http://example.org/\r\nX: y",
        "http://[::1",
        "http://" + "a" * 64 + ".org",
        "http://" + "a." * 200 + "org",
        "http://a..b",
        "http://example.org/" + "a" * MAX_URL_CHARS,
    ],
)
def test_what_is_no_address_is_wrong_usage(url: str) -> None:
    """With an example of a right one."""
    with pytest.raises(UsageError, match="Write it like"):
        parse_hub_url(url)


@given(st.text() | st.text().map("http://".__add__) | st.text().map("https://[".__add__))
def test_any_text_is_an_address_or_wrong_usage(text: str) -> None:
    """Strangers name addresses, too: no other error, and what is found reads the same again."""
    try:
        address = parse_hub_url(text)
    except UsageError:
        return
    assert parse_hub_url(address.url) == address
    assert parse_hub_url(address.url + "/") == address
    assert len(address.url) <= MAX_URL_CHARS


@pytest.mark.parametrize(
    "host", ["127.0.0.\u2460", "192.168.1.\u2460", "127\u30020.0.1", "hub.ex\u00e4mple"]
)
def test_signs_that_turn_into_other_addresses_are_refused(host: str) -> None:
    """Some libraries read a circled one as a one, after everybody has looked."""
    with pytest.raises(UsageError, match="no address"):
        parse_hub_url(f"http://{host}:8765")


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://Hub.example.org", ("hub.example.org", 80)),
        ("https://hub.example.org/a", ("hub.example.org", 443)),
        ("http://me:secret@[::1]:3128", ("::1", 3128)),
        ("", ("", 0)),
        ("hub", ("", 0)),
        ("http://hub.example.org:99999", ("", 0)),
        ("http://[1:2", ("", 0)),
    ],
)
def test_a_place_is_host_and_port(url: str, place: tuple[str, int]) -> None:
    """That of its scheme where none is named; nowhere where the address is none."""
    assert host_and_port(url) == place


@pytest.mark.parametrize(
    "url",
    [
        "https://hub.example.org",
        "https://hub.example.org/",
        "https://hub.example.org:8765",
        "https://hub.example.org.",
        "https://xn--bcher-kva.example",
        "http://8.8.8.8:8765",
        "http://[2606:4700::1111]:8765",
        "http://local.example.org",
    ],
)
def test_the_front_page_of_a_public_server_may_be_asked(url: str) -> None:
    """As every browser does it."""
    assert needs_consent(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost",
        "http://LOCALHOST.:8765",
        "http://evil.localhost",
        "http://127.0.0.1",
        "http://127.9.9.9:631",
        "http://0.0.0.0",
        "http://[::1]:8765",
        "http://[::]",
        "http://[::ffff:127.0.0.1]",
        "http://[64:ff9b::7f00:1]",
        "http://[2002:7f00:1::]",
    ],
)
def test_this_computer_is_asked_about(url: str) -> None:
    """In every spelling; programs listen there that trust whoever comes from here."""
    assert needs_consent(url) == "own_computer"


@pytest.mark.parametrize(
    "url",
    [
        "http://192.168.1.5:8765",
        "http://10.0.0.1",
        "http://172.16.3.4",
        "http://100.64.0.1",
        "http://169.254.169.254",
        "http://224.0.0.251",
        "http://[fe80::1]",
        "http://[fe80::1%25eth0]",
        "http://[fd00::1]",
        "http://[ff02::1]",
        "http://[fec0::1]",
        "http://[::7f00:1]",
        "http://[64:ff9b:1::c0a8:105]",
        "http://[::ffff:192.168.1.1]",
        "http://router",
        "http://fritz.box.local",
        "http://metadata.google.internal",
        "http://nas.lan",
        "http://printer.home.arpa",
        "http://2130706433",
        "http://0x7f.1",
        "http://0x7f000001",
        "http://0177.0.0.1",
        "http://127.1",
        "http://192.168.257",
        "http://a%2eb.example.org",
        "http://[1:2",
        "",
    ],
)
def test_the_own_network_is_asked_about(url: str) -> None:
    """Where nobody knows whether an address leads there, too."""
    assert needs_consent(url) in ("own_network", "own_computer")


@pytest.mark.parametrize(
    "url", ["http://hub.example.org/cgi/reboot", "https://hub.example.org/waggle"]
)
def test_a_path_of_its_own_is_asked_about(url: str) -> None:
    """Opening it may do something there; a hub below a path is as good once agreed to."""
    assert needs_consent(url) == "path"


@given(
    st.integers(0, 2**32 - 1).filter(lambda number: not IPv4Address(number).is_global),
    st.sampled_from(("{0}", "{0:#x}", "{1}", "[::ffff:{1}]", "{1}.")),
)
def test_no_spelling_hides_an_inner_address(number: int, spelling: str) -> None:
    """Whatever the form takes as an address is asked about."""
    url = f"http://{spelling.format(number, IPv4Address(number))}"
    try:
        known = parse_hub_url(url).url
    except UsageError:
        return
    assert needs_consent(url) is not None
    assert needs_consent(known) is not None


@given(st.text(max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    """Strangers write what they like."""
    assert needs_consent(f"http://{text}") in (None, "own_computer", "own_network", "path")


@pytest.mark.parametrize(
    ("host", "inside"),
    [
        ("10.0.0.1", True),
        ("192.168.1.1", True),
        ("169.254.169.254", True),
        ("100.64.0.1", True),
        ("::ffff:10.0.0.1", True),
        ("64:ff9b::a00:1", True),
        ("64:ff9b::808:808", False),
        ("localhost.", True),
        ("printer", True),
        ("", True),
        ("fe80::1", True),
        ("fritz.box.local", True),
        ("FRITZ.LAN", True),
        ("a.home.arpa", True),
        ("metadata.internal.", True),
        ("hub.example.org", False),
        ("xn--bcher-kva.example", False),
        ("8.8.8.8", False),
        ("2001:4860:4860::8888", False),
    ],
)
def test_what_is_inside(host: str, inside: bool) -> None:  # noqa: FBT001 - a table
    """Addresses of private networks in every disguise, and names that only they know."""
    assert is_inside(host) is inside
